// Whoever is told the end of a call may close the client there and then: the call has ended, and nothing else is told of it.
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Observable, tap } from 'rxjs';
import { connectInMemory } from '../../src/bridge/connect/in-memory.js';
import type { McpClient } from '../../src/index.js';
import { fixtureServer } from '../../src/testing/index.js';
import { watch } from '../support/client/watch.js';

const clients = new Set<McpClient>();

afterEach(async () => {
  for (const client of clients) await client.close();
  clients.clear();
});

const connect = (era: 'modern' | 'legacy'): McpClient => {
  const server = fixtureServer()
    .tool('q', { description: 'q', outputJsonSchema: { type: 'object' } }, () => ({
      content: [],
      structuredContent: {},
    }))
    .tool('bad', { description: 'bad' }, () => {
      throw new Error('no');
    });
  const client = connectInMemory(server, { era });
  clients.add(client);
  return client;
};

const CALLS: readonly (readonly [what: string, call: (client: McpClient) => Observable<unknown>])[] = [
  ['a call', (client) => client.callTool('q')],
  ['a call that failed', (client) => client.callTool('bad')],
  ['a call that may be aborted', (client) => client.callTool('q', {}, { signal: new AbortController().signal })],
  ['the events of a call', (client) => client.callTool('q', {}, { observe: 'events' })],
  ['a list', (client) => client.listTools()],
  ['a ping', (client) => client.ping()],
];

describe.each(['modern', 'legacy'] as const)('close() at the sight of a result, %s', (era) => {
  it.each(CALLS)('changes nothing of %s', async (_what, call) => {
    const client = connect(era);
    // The output schema is known from here on, and compiled with the first result.
    await client.promises.listTools();
    await client.promises.callTool('q');
    const seen = watch(call(client).pipe(tap(() => void client.close())));
    expect(await seen.end).toBeUndefined();
    expect([seen.values.length > 0, seen.completed]).toEqual([true, true]);
  });

  it('changes nothing of an error', async () => {
    const client = connect(era);
    const told: unknown[] = [];
    await new Promise<void>((resolve) => {
      client.getPrompt('none').subscribe({
        error: (reason: unknown) => {
          told.push(reason);
          void client.close().then(resolve);
        },
      });
    });
    expect(told).toEqual([expect.objectContaining({ name: expect.not.stringMatching('TransportClosedError') })]);
  });
});
