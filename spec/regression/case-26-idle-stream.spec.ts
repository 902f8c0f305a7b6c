import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connectHttp, EraCache } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';
import { webPeer } from '../support/http/web-peer.js';

const IDLE_MS = 300_000;

/** A stream that somebody in between closes after five minutes in which nothing was said. */
const idle = (end: 'close' | 'error'): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        setTimeout(
          () => (end === 'close' ? controller.close() : controller.error(new TypeError('terminated'))),
          IDLE_MS,
        );
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );

describe('case 26: a stream that dies of five idle minutes', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it.each(['close', 'error'] as const)(
    'is opened again, quietly, for as long as the client lives: it ends by %s',
    async (end) => {
      const { fetch, requests } = webPeer('legacy', ({ httpMethod }) => (httpMethod === 'GET' ? idle(end) : undefined));
      const client = closing(connectHttp({ url: 'https://mcp.example/mcp', fetch, eraCache: new EraCache() }));
      const warnings = watch(client.warnings$).values;
      await client.promises.ping();
      await jest.advanceTimersByTimeAsync(IDLE_MS * 20);
      const gets = requests.filter(({ httpMethod }) => httpMethod === 'GET');
      expect(gets.length).toBeGreaterThanOrEqual(19);
      expect([warnings, client.alive]).toEqual([[], true]);
      expect(await client.promises.ping()).toBe(true);
      expect(requests.filter(({ method }) => method === 'initialize')).toHaveLength(1);
    },
  );
});
