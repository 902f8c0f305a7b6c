// Nothing is sent twice by the library that might act twice, wherever the wire is cut: in a page as in Node. But Chromium
// itself sends a POST again, byte for byte, that broke on a connection used before and had no answer yet. No page can
// tell or forbid it; such repeats bear the same request id.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withCors } from '../support/browser/cors.js';
import { type Files, serveFiles } from '../support/browser/files.js';
import { type Library, type LibraryPage, openLibrary } from '../support/browser/library-page.js';
import { cuttingProxy, type Place } from '../support/http/cutting-proxy.js';
import { messageOf, serve } from '../support/http/loopback.js';
import { webHandler } from '../support/http/web.js';
import { createTill } from '../support/servers/till.mjs';

const PLACES: readonly Place[] = ['after the request', 'before the headers', 'inside the body'];

let files: Files;
let library: LibraryPage;

beforeAll(async () => {
  files = await serveFiles('spec/support/browser/library/dist');
});

afterAll(() => files.close());

beforeEach(async () => {
  library = await openLibrary(files.url);
});

afterEach(() => {
  expect(library.complaints).toEqual([]);
});

/** A till behind a proxy that cuts, and a client of it in the page that has listed its tools. */
const till = async (cutsAt: Parameters<typeof cuttingProxy>[1], options: object) => {
  const ran: string[] = [];
  const proxy = await cuttingProxy(await serve(withCors(webHandler(createTill(ran).fetch))), cutsAt);
  await library.run(
    async ({ mcp, kept }: Library, given) => {
      const counted: typeof fetch = (input, init) => {
        const { body } = init ?? {};
        if (typeof body === 'string' && body.includes('"tools/call"')) kept.seen.push(input);
        return fetch(input, init);
      };
      kept.client = mcp.connectHttp({ eraCache: new mcp.EraCache(), fetch: counted, ...given });
      await kept.client.promises.listTools();
    },
    { url: proxy.url, ...options },
  );
  const call = async (name: string, what = 'bread'): Promise<string> => {
    const outcome = await library.run(
      ({ kept }: Library, given) =>
        kept.client.promises.callTool(given.name, { what: given.what }).then(
          () => 'done',
          (reason: Error) => reason.name,
        ),
      { name, what },
    );
    // Only then is it known what ran.
    await proxy.settled();
    return outcome;
  };
  /** How often the library sent a call. */
  const sent = (): Promise<number> => library.run(({ kept }: Library) => kept.seen.length, {});
  /** How many calls the server saw, repeats of the browser's own aside. */
  const ids = (): number =>
    new Set(proxy.received.map(messageOf).flatMap(({ id, method }) => (method === 'tools/call' ? [id] : []))).size;
  return { ran, call, sent, ids };
};

describe.each(['modern', 'legacy'] as const)('in a page, a wire of the %s era', (era) => {
  describe.each(PLACES)('cut %s', (place) => {
    it('leaves it open whether a tool ran that may act twice', async () => {
      const { ran, call, sent, ids } = await till(() => place, { era, trustAnnotations: 'all' });
      expect(await call('pay')).toBe('OutcomeUnknownError');
      expect([new Set(ran), await sent(), ids()]).toEqual([new Set(['pay bread']), 1, 1]);
    });

    it('leaves it open for any tool, where the word of the server is not trusted', async () => {
      const { ran, call, sent, ids } = await till(() => place, { era });
      expect(await call('look')).toBe('OutcomeUnknownError');
      expect([new Set(ran), await sent(), ids()]).toEqual([new Set(['look bread']), 1, 1]);
    });

    it('has a tool called again that is safe to call', async () => {
      const { call, sent, ids } = await till((_tool, count) => (count === 1 ? place : undefined), {
        era,
        trustAnnotations: 'all',
      });
      expect(await call('look')).toBe('done');
      // Once by the browser, or once more by the library.
      expect(await sent()).toBe(ids());
      if (place === 'inside the body') expect(ids()).toBe(2);
    });
  });
});
