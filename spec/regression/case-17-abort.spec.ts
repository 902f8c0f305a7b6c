import { describe, expect, it } from '@jest/globals';
import { CancelledError, type McpClient, TimeoutError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, sentTo } from '../support/client/scripted.js';
import { rejection } from '../support/client/watch.js';

const CALLS: readonly (readonly [string, (client: McpClient, signal: AbortSignal) => Promise<unknown>])[] = [
  ['tools/call', ({ promises }, signal) => promises.callTool('t', {}, { signal })],
  ['resources/read', ({ promises }, signal) => promises.readResource('a:b', { signal })],
  ['prompts/get', ({ promises }, signal) => promises.getPrompt('p', {}, { signal })],
  ['tools/list', ({ promises }, signal) => promises.listTools({ signal })],
];

describe.each(ERAS)('case 17: an abort in the %s era', (era) => {
  it.each(CALLS)('of %s is forwarded, is no timeout, and its reason stays here', async (method, call) => {
    const server = scriptedTransport({ [method]: scriptedTransport.silence }, { era });
    const controller = new AbortController();
    const rejected = rejection(call(connect(server, { era }), controller.signal));
    const reason = { secret: 'the user said: my password is hunter2' };
    controller.abort(reason);
    const error = await rejected;
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).not.toBeInstanceOf(TimeoutError);
    expect((error as CancelledError).cause).toBe(reason);
    expect((error as CancelledError).message).not.toContain('hunter2');
    expect(sentTo(server, 'notifications/cancelled').map(({ params }) => params)).toEqual([
      { requestId: 2, reason: 'the client gave this request up' },
    ]);
    expect(JSON.stringify(server.sent)).not.toContain('hunter2');
  });

  it('by AbortSignal.timeout is a cancellation, too, and says so in its cause', async () => {
    const server = scriptedTransport({ 'tools/call': scriptedTransport.silence }, { era });
    const { promises } = connect(server, { era });
    const error = await rejection(promises.callTool('t', {}, { signal: AbortSignal.timeout(1) }));
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toHaveProperty('cause.name', 'TimeoutError');
    expect(sentTo(server, 'notifications/cancelled')).toHaveLength(1);
  });
});
