import { describe, expect, it } from '@jest/globals';
import { connectHttp, EraCache, type HttpOptions, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection } from '../support/client/watch.js';
import { serve } from '../support/http/loopback.js';
import { asStream, peer } from '../support/http/peer.js';
import { tunnel, withProxyVariables } from '../support/http/tunnel.js';

/** A name that only the proxy knows how to reach. */
const URL_BEHIND = 'http://mcp.invalid/mcp';

const client = (options: Partial<HttpOptions> = {}): McpClient =>
  closing(connectHttp({ url: URL_BEHIND, eraCache: new EraCache(), ...options }));

describe('case 29: the proxy variables', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('are honoured for everything that is sent: %s', async (name) => {
    const server = await serve(peer({ era: 'legacy', session: () => 's1', call: asStream }));
    const proxy = await tunnel(server);
    await withProxyVariables({ [name]: proxy.url }, async () => {
      const one = client();
      await one.promises.callTool('pay');
      await one.close();
    });
    expect(server.received.map(({ method }) => method)).toEqual(expect.arrayContaining(['POST', 'GET', 'DELETE']));
    expect(new Set(proxy.asked)).toEqual(new Set(['mcp.invalid:80']));
    expect(server.connections).toBe(proxy.asked.length);
  });

  it('except NO_PROXY is for the server', async () => {
    const server = await serve(peer({ era: 'modern' }));
    const proxy = await tunnel(server);
    await withProxyVariables({ HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' }, async () => {
      await client({ url: server.url }).promises.callTool('pay');
    });
    expect(proxy.asked).toEqual([]);
  });

  it('that name a proxy which refuses end a call at once: nothing has left', async () => {
    const proxy = await tunnel(undefined);
    await withProxyVariables({ HTTP_PROXY: proxy.url }, async () => {
      expect(await rejection(client().promises.callTool('pay'))).toMatchObject({ name: 'NetworkError', left: false });
    });
  });

  it('that name a proxy which is not there end a call at once: nothing has left', async () => {
    const proxy = await tunnel(undefined);
    proxy.close();
    await withProxyVariables({ HTTP_PROXY: proxy.url }, async () => {
      expect(await rejection(client().promises.callTool('pay'))).toMatchObject({ name: 'NetworkError', left: false });
    });
  });

  it('are no concern of a fetch of the user’s own, which is honoured for everything', async () => {
    const server = await serve(peer({ era: 'legacy', session: () => 's1' }));
    const proxy = await tunnel(server);
    const seen: string[] = [];
    const fetch: typeof globalThis.fetch = (_input, init) => {
      seen.push(init?.method ?? '');
      return globalThis.fetch(server.url, init);
    };
    await withProxyVariables({ HTTP_PROXY: proxy.url }, async () => {
      const one = client({ fetch });
      await one.promises.callTool('pay');
      await one.close();
    });
    expect(proxy.asked).toEqual([]);
    expect(seen.length).toBe(server.received.length);
    expect(seen).toEqual(expect.arrayContaining(['POST', 'GET', 'DELETE']));
  });
});
