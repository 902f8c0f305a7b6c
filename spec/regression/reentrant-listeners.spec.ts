import { describe, expect, it } from '@jest/globals';
import { CancelledError, TransportClosedError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, scriptedLives } from '../support/client/scripted.js';
import { rejection, watch } from '../support/client/watch.js';

describe.each(ERAS)('a listener that ends what it hears of, in the %s era', (era) => {
  it('gives a call up at the sight of it on wire$: neither it nor a word of it leaves', async () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era });
    const client = connect(server, { era });
    await client.promises.server();
    const before = server.sent.length;
    const controller = new AbortController();
    client.wire$.subscribe({
      next: ({ direction, message }) => {
        if (direction === 'out' && 'method' in message && message.method === 'tools/call') controller.abort();
      },
      error: () => undefined,
    });
    expect(await rejection(client.promises.callTool('pay', {}, { signal: controller.signal }))).toBeInstanceOf(
      CancelledError,
    );
    expect(server.sent.slice(before)).toEqual([]);
  });

  it('closes the client as it hears of connecting: no wire is opened', async () => {
    const lives = scriptedLives(() => scriptedTransport({ 'tools/list': { tools: [] } }, { era }));
    const client = connect(lives, { era });
    let closing: Promise<void> | undefined;
    client.state$.subscribe({
      next: ({ status }) => {
        if (status === 'connecting') closing = client.close();
      },
      error: () => undefined,
    });
    const { error } = watch(client.listTools());
    expect(error).toBeInstanceOf(TransportClosedError);
    await closing;
    expect(lives.opened).toEqual([]);
  });
});

describe('a list of many pages', () => {
  it('is served from the cache, however many there are', async () => {
    const pages = 900;
    const server = scriptedTransport({
      'tools/list': ({ cursor }) => {
        const page = Number(cursor ?? 0);
        const next = page + 1 < pages ? { nextCursor: String(page + 1) } : undefined;
        return {
          tools: [{ name: `t${page}`, inputSchema: { type: 'object' } }],
          ttlMs: 60_000,
          cacheScope: 'private',
          ...next,
        };
      },
    });
    const client = connect(server);
    expect(await client.promises.listTools()).toHaveLength(pages);
    const asked = methodsOf(server).length;
    expect(await client.promises.listTools()).toHaveLength(pages);
    expect(methodsOf(server)).toHaveLength(asked);
  });
});
