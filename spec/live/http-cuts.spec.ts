// Nothing is sent twice that might act twice, wherever the wire is cut; and no call outlives its wire.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { connectHttp, EraCache, type HttpOptions, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { cuttingProxy, type CuttingProxy, type Place } from '../support/http/cutting-proxy.js';
import { messageOf, serve } from '../support/http/loopback.js';
import { webHandler } from '../support/http/web.js';
import { createAncestorHttp } from '../support/servers/sdk-1-http.mjs';
import { createTill } from '../support/servers/till.mjs';

jest.setTimeout(30_000);

const PLACES: readonly Place[] = ['after the request', 'before the headers', 'inside the body'];
const BOUND_MS = 2_000;

let ended: { readonly proxy: CuttingProxy; readonly at: number } | undefined;

/** What a call ends with, and when. */
const outcome = async (proxy: CuttingProxy, call: Promise<unknown>): Promise<unknown> => {
  const result = await call.then(
    () => 'done',
    (reason: unknown) => (reason as Error).name,
  );
  ended = { proxy, at: performance.now() };
  // Only then is it known what ran.
  await proxy.settled();
  return result;
};

afterEach(() => {
  if (ended === undefined) return;
  const last = ended.proxy.cuts.at(-1) ?? 0;
  expect(ended.at - last).toBeLessThan(BOUND_MS);
  ended = undefined;
});

const till = async (cutsAt: Parameters<typeof cuttingProxy>[1], options: Partial<HttpOptions> = {}) => {
  const ran: string[] = [];
  const proxy = await cuttingProxy(await serve(webHandler(createTill(ran).fetch)), cutsAt);
  const client = closing(connectHttp({ url: proxy.url, eraCache: new EraCache(), ...options }));
  const calls = (): number => proxy.received.filter((one) => messageOf(one).method === 'tools/call').length;
  return { ran, proxy, client, calls };
};

const call = (client: McpClient, name: string): Promise<unknown> => client.promises.callTool(name, { what: 'bread' });

describe.each(['modern', 'legacy'] as const)('a wire of the %s era', (era) => {
  describe.each(PLACES)('cut %s', (place) => {
    it('leaves it open whether a tool ran that may act twice, which is called once', async () => {
      const { ran, proxy, client, calls } = await till(() => place, { era, trustAnnotations: 'all' });
      await client.promises.listTools();
      expect(await outcome(proxy, call(client, 'pay'))).toBe('OutcomeUnknownError');
      expect([ran, calls()]).toEqual([['pay bread'], 1]);
    });

    it('leaves it open for any tool, where the word of the server is not trusted', async () => {
      const { ran, proxy, client, calls } = await till(() => place, { era });
      await client.promises.listTools();
      expect(await outcome(proxy, call(client, 'look'))).toBe('OutcomeUnknownError');
      expect([ran, calls()]).toEqual([['look bread'], 1]);
    });

    it('has a tool called again that is safe to call, once', async () => {
      const { ran, proxy, client, calls } = await till((_tool, count) => (count === 1 ? place : undefined), {
        era,
        trustAnnotations: 'all',
      });
      await client.promises.listTools();
      expect(await outcome(proxy, call(client, 'look'))).toBe('done');
      expect([ran, calls()]).toEqual([['look bread', 'look bread'], 2]);
    });

    it('each time has it called no third time', async () => {
      const { ran, proxy, client, calls } = await till(() => place, { era, trustAnnotations: 'all' });
      await client.promises.listTools();
      expect(await outcome(proxy, call(client, 'look'))).toBe('NetworkError');
      expect([ran.length, calls()]).toEqual([2, 2]);
    });

    it('in many calls at once lets each act once at most', async () => {
      const { ran, proxy, client } = await till((_tool, count) => (count % 2 === 0 ? place : undefined), { era });
      await client.promises.listTools();
      const things = Array.from({ length: 20 }, (_, n) => `thing ${n}`);
      const results = things.map((what) => outcome(proxy, client.promises.callTool('pay', { what })));
      const ends = await Promise.all(results);
      expect(ends.filter((end) => end === 'done')).toHaveLength(10);
      expect(ends.filter((end) => end === 'OutcomeUnknownError')).toHaveLength(10);
      expect(new Set(ran).size).toBe(ran.length);
      expect(ran).toHaveLength(20);
    });
  });
});

describe('a wire whose streams can be taken up again', () => {
  const ancestor = async (resumable: boolean, place: Place) => {
    const journal: string[] = [];
    const server = await serve(webHandler(createAncestorHttp({ journal, resumable }).fetch));
    const proxy = await cuttingProxy(server, () => place);
    const client = closing(connectHttp({ url: proxy.url, eraCache: new EraCache() }));
    await client.promises.listTools();
    return { journal, proxy, client };
  };

  const slow = (client: McpClient): Promise<unknown> => client.promises.callTool('slow', { id: 'a' });

  it('is taken up where it was cut inside the body, behind a mark, and the tool runs once', async () => {
    const { journal, proxy, client } = await ancestor(true, 'inside the body');
    expect(await outcome(proxy, slow(client))).toBe('done');
    expect(journal.filter((line) => line === 'slow a')).toHaveLength(1);
  });

  it.each([
    [true, 'after the request'],
    [true, 'before the headers'],
    [false, 'after the request'],
    [false, 'before the headers'],
    [false, 'inside the body'],
  ] as const)('is not where nothing had come of it, or it keeps no events: %p, %s', async (resumable, place) => {
    const { journal, proxy, client } = await ancestor(resumable, place);
    expect(await outcome(proxy, slow(client))).toBe('OutcomeUnknownError');
    expect(journal.filter((line) => line === 'slow a')).toHaveLength(1);
  });
});

describe('a server that is gone', () => {
  it('fails a call at once, whose request never left', async () => {
    const { proxy, client } = await till(() => undefined);
    await client.promises.listTools();
    await proxy.close();
    const before = performance.now();
    await expect(call(client, 'pay')).rejects.toMatchObject({ name: 'NetworkError', left: false });
    expect(performance.now() - before).toBeLessThan(BOUND_MS);
  });
});
