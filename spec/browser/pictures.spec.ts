// Which pictures the page of `examples/web` loads of those that a server names, and what goes with the request.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withCors } from '../support/browser/cors.js';
import { DemoPage } from '../support/browser/demo-page.js';
import { type Files, serveFiles } from '../support/browser/files.js';
import { messageOf, reply, serve } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

let files: Files;

beforeAll(async () => {
  files = await serveFiles('examples/web/dist/page');
});

afterAll(() => files.close());

/** Shows a tool with this icon, in a browser that is signed in at `pictures.example`; resolves with what was asked for there. */
const show = async (src: string) => {
  const usual = peer({ era: 'modern' });
  const tools = [{ name: 'pay', icons: [{ src }], inputSchema: { type: 'object' } }];
  const server = await serve(
    withCors((received, response, request) => {
      const { id, method } = messageOf(received);
      if (method === 'tools/list') return reply(response, 200, { jsonrpc: '2.0', id, result: { tools } });
      return usual(received, response, request);
    }),
  );
  const one = await DemoPage.open(files.url);
  const asked: Promise<Readonly<Record<string, string>>>[] = [];
  const domain = 'pictures.example';
  await one.context.addCookies([{ name: 'sid', value: '1', domain, path: '/', secure: true, sameSite: 'None' }]);
  await one.context.route(/pictures\.example/, async (route) => {
    asked.push(route.request().allHeaders());
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'image/gif' };
    await route.fulfill({ headers, body: Buffer.from(PIXEL, 'base64') });
  });
  await one.connect(server.url);
  return { icon: one.tool('pay').locator('img'), asked, one };
};

describe('an icon that a server names', () => {
  it('is loaded by https, without cookies and without saying from where', async () => {
    const { icon, asked } = await show('https://pictures.example/icon.gif');
    await icon.evaluate((image: HTMLImageElement) => image.decode());
    expect(asked).toHaveLength(1);
    const headers = await asked[0];
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('referer');
  });

  it('is shown where it is in a data: URI', async () => {
    const { icon, asked } = await show(`data:image/gif;base64,${PIXEL}`);
    await icon.evaluate((image: HTMLImageElement) => image.decode());
    expect(asked).toEqual([]);
  });

  it.each([
    ['http://pictures.example/icon.gif'],
    ['https://me:secret@pictures.example/icon.gif'],
    ['javascript:document.body.remove()'],
    ['data:text/html,<script>document.body.remove()</script>'],
    ['/icon.gif'],
    ['blob:https://pictures.example/1'],
  ])('is not asked for otherwise: %s', async (src) => {
    const { icon, asked, one } = await show(src);
    expect(await one.tool('pay').isVisible()).toBe(true);
    expect(await icon.count()).toBe(0);
    expect(asked).toEqual([]);
  });
});
