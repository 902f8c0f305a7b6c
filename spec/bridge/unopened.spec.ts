import { describe, expect, it } from '@jest/globals';
import { connectStdio } from '../../src/bridge/stdio.js';
import { connectHttp, EraCache, type McpClient, SpawnFailedError } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';
import { reply, serve } from '../support/http/loopback.js';

const batch = (client: McpClient) =>
  client.promises.executeToolCalls(Array.from({ length: 5 }, (_, n) => ({ id: `c${n}`, name: 'any' })));

describe('a batch for a server that cannot be opened', () => {
  it('is told so call by call, after one try for all: a command that does not exist', async () => {
    const client = closing(connectStdio({ command: 'no-such-command-anywhere' }));
    const states = watch(client.state$);
    const results = await batch(client);
    expect(results.map(({ tool_call_id: id, is_error: isError }) => [id, isError])).toEqual(
      ['c0', 'c1', 'c2', 'c3', 'c4'].map((id) => [id, true]),
    );
    for (const { error, content } of results) {
      expect(error).toBeInstanceOf(SpawnFailedError);
      expect(content).toBe(
        'SpawnFailedError: the server of this tool is not available at the moment: go on without it, or try again later',
      );
    }
    expect(states.values.filter(({ status }) => status === 'connecting')).toHaveLength(1);
  });

  it('is told so call by call, after one try for all: authorization that is missing', async () => {
    const server = await serve((_received, response) => reply(response, 401));
    const results = await batch(closing(connectHttp({ url: server.url, eraCache: new EraCache() })));
    for (const { content } of results) expect(content).toContain('wants authorization');
    expect(server.received).toHaveLength(1);
  });
});
