import { describe, expect, it } from '@jest/globals';
import { CancelledError, OptionError, Toolkit } from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, sentTo } from '../support/client/scripted.js';
import { rejection } from '../support/client/watch.js';
import { call, SAFE, text, tool } from './support/batches.js';

const { silence } = scriptedTransport;

const server = (era: 'modern' | 'legacy', script: Script = {}): ScriptedTransport =>
  scriptedTransport(
    { 'tools/list': { tools: [tool('b', SAFE), tool('a')] }, 'tools/call': ({ name }) => text(name), ...script },
    { era },
  );

describe.each(ERAS)('the Promise twins of a client, in the %s era', (era) => {
  it('resolve with the declarations, in the format asked for', async () => {
    const { promises } = connect(server(era), { era });
    expect(await promises.toolsForLlm()).toMatchObject([{ function: { name: 'a' } }, { function: { name: 'b' } }]);
    expect(await promises.toolsForLlm({ format: 'anthropic' })).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });

  it('resolve with the answers, and make the calls once', async () => {
    const wire = server(era);
    const { promises } = connect(wire, { era });
    expect(await promises.executeToolCalls([call('1', 'a'), call('2', 'b')])).toMatchObject([
      { tool_call_id: '1', content: 'a' },
      { tool_call_id: '2', content: 'b' },
    ]);
    expect(sentTo(wire, 'tools/call')).toHaveLength(2);
    expect(await promises.executeToolCalls(undefined)).toEqual([]);
  });

  it('resolve with the annotations of a tool', async () => {
    const { promises } = connect(server(era), { era });
    expect(await promises.toolAnnotations('b')).toEqual(SAFE);
    expect(await promises.toolAnnotations('nobody')).toBeUndefined();
  });

  it('reject where an option cannot be used, and never throw', async () => {
    const { promises } = connect(server(era), { era });
    expect(await rejection(promises.toolsForLlm({ format: 'x' as never }))).toBeInstanceOf(OptionError);
    expect(await rejection(promises.executeToolCalls({} as never))).toHaveProperty('option', 'calls');
    expect(await rejection(promises.executeToolCalls([], { timeoutMs: -1 }))).toHaveProperty('option', 'timeoutMs');
    expect(await rejection(promises.executeToolCalls([], { signal: 5 as never }))).toHaveProperty('option', 'signal');
  });

  it('refuse events, which do not fit in a Promise, and send nothing', async () => {
    const wire = server(era);
    const reason = await rejection(
      connect(wire, { era }).promises.executeToolCalls([call('1', 'a')], { observe: 'events' as never }),
    );
    expect(reason).toBeInstanceOf(OptionError);
    expect(reason).toHaveProperty('option', 'observe');
    expect(wire.sent).toEqual([]);
  });

  it('reject with a CancelledError where the signal is aborted, and the server is told', async () => {
    const wire = server(era, { 'tools/call': silence });
    const { promises } = connect(wire, { era });
    const abort = new AbortController();
    const batch = promises.executeToolCalls([call('1', 'a')], { signal: abort.signal });
    const reason = new Error('enough');
    abort.abort(reason);
    const error = await rejection(batch);
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toHaveProperty('cause', reason);
    expect(sentTo(wire, 'notifications/cancelled')).toHaveLength(1);
    expect(await rejection(promises.toolsForLlm({ signal: abort.signal }))).toBeInstanceOf(CancelledError);
  });
});

describe('the Promise twins of a toolkit', () => {
  const toolkit = () => new Toolkit({ name: 'kit' }).tool('add', { description: 'Adds' }, () => 'sum');

  it('resolve with its tools, their declarations and the answers', async () => {
    const { promises } = toolkit();
    expect(await promises.listTools()).toMatchObject([{ name: 'add', description: 'Adds' }]);
    expect(await promises.toolsForLlm({ format: 'openai-responses' })).toMatchObject([
      { type: 'function', name: 'add' },
    ]);
    expect(await promises.executeToolCalls([call('1', 'add')])).toMatchObject([{ content: 'sum', is_error: false }]);
  });

  it('refuse events', async () => {
    const reason = await rejection(toolkit().promises.executeToolCalls([], { observe: 'events' as never }));
    expect(reason).toHaveProperty('option', 'observe');
  });
});
