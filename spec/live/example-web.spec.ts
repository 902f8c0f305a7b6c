// The server of the page in `examples/web`, without the page: `spec/browser` has that.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DemoServer } from '../../examples/web/server/demo-server.js';
import { connectHttp, EraCache } from '../../src/index.js';
import { closing } from '../support/client/connect.js';

let demo: DemoServer;

beforeEach(async () => {
  demo = new DemoServer();
  await demo.start();
});

afterEach(() => demo.close());

const answers = (): Promise<boolean> =>
  fetch(`${new URL(demo.urls.modern).origin}/sign`).then(
    ({ ok }) => ok,
    () => false,
  );

describe.each(['modern', 'legacy'] as const)('the server of the page, in the %s era', (era) => {
  it('goes away when it is asked to, and comes back', async () => {
    const { promises } = closing(connectHttp({ url: demo.urls[era], eraCache: new EraCache() }));
    expect(await promises.era()).toBe(era);
    expect(await promises.callTool('leave', { seconds: 1 })).toMatchObject({
      content: [{ text: 'Back in 1 seconds.' }],
    });
    while (await answers());
    while (!(await answers()));
    expect(await promises.callTool('overexpose')).toMatchObject({ isError: true });
  });
});

describe('the server of the page', () => {
  const preflight = (origin: string): Promise<Response> =>
    fetch(demo.urls.modern, { method: 'OPTIONS', headers: { origin } });

  it('lets in pages of this machine', async () => {
    const { status, headers } = await preflight('http://localhost:4173');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:4173');
  });

  it.each(['https://example.com', 'null', 'http://127.0.0.1.example.com'])(
    'keeps out all others: %s',
    async (origin) => {
      const { status, headers } = await preflight(origin);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
    },
  );
});
