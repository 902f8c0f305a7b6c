import { describe, expect, it } from '@jest/globals';
import { ManagedPromises } from '../../../src/config/managed/promises.js';
import { CancelledError } from '../../../src/errors/index.js';
import { scriptedTransport } from '../../../src/testing/index.js';
import { sentTo } from '../../support/client/scripted.js';
import { rejection } from '../../support/client/watch.js';
import { callsOn } from '../../support/config/calls.js';

const server = () =>
  scriptedTransport({
    'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
    'tools/call': ({ name }) =>
      name === 'slow' ? scriptedTransport.silence : { content: [{ type: 'text', text: name }] },
    'prompts/list': { prompts: [{ name: 'p' }] },
    'prompts/get': { messages: [] },
    'resources/list': { resources: [{ uri: 'a:b', name: 'b' }] },
    'resources/templates/list': { resourceTemplates: [] },
    'resources/read': { contents: [] },
  });

describe('the Promises of a managed server', () => {
  it('resolve with the one value of each method', async () => {
    const { calls, sides } = callsOn(server());
    const promises = new ManagedPromises(calls);
    expect(await promises.listTools()).toMatchObject([{ name: 'mcp__k__a' }]);
    expect(await promises.listPrompts()).toMatchObject([{ name: 'p' }]);
    expect(await promises.listResources()).toMatchObject([{ uri: 'a:b' }]);
    expect(await promises.listResourceTemplates()).toEqual([]);
    expect(await promises.callTool('mcp__k__a', {})).toMatchObject({ content: [{ text: 'a' }] });
    expect(await promises.getPrompt('p', {})).toMatchObject({ messages: [] });
    expect(await promises.readResource('a:b')).toMatchObject({ contents: [] });
    sides.close();
  });

  it('run a tool once', async () => {
    const wire = server();
    await new ManagedPromises(callsOn(wire).calls).callTool('a');
    expect(sentTo(wire, 'tools/call')).toHaveLength(1);
  });

  it('reject where a call is given up, and where it is to tell events', async () => {
    const promises = new ManagedPromises(callsOn(server()).calls);
    const giving = new AbortController();
    const call = promises.callTool('slow', {}, { signal: giving.signal });
    giving.abort('enough');
    expect(await rejection(call)).toBeInstanceOf(CancelledError);
    expect(await rejection(promises.callTool('a', {}, { observe: 'events' } as never))).toMatchObject({
      name: 'OptionError',
      option: 'observe',
    });
  });
});
