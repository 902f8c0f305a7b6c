import { describe, expect, it } from '@jest/globals';
import {
  connectHttp,
  EraCache,
  type HttpOptions,
  McpClient,
  MemoryCacheStore,
  OptionError,
} from '../../../src/index.js';
import { closing } from '../../support/client/connect.js';
import { thrownBy } from '../../support/client/watch.js';
import { json } from '../../support/http/web.js';

const url = 'https://mcp.example/mcp';

const refusal = (options: unknown): OptionError => {
  const thrown = thrownBy(() => connectHttp(options as HttpOptions));
  expect(thrown).toBeInstanceOf(OptionError);
  return thrown as OptionError;
};

describe('connectHttp()', () => {
  it('sends nothing before it is used', async () => {
    let requests = 0;
    const client = connectHttp({
      url,
      fetch: () => {
        requests += 1;
        return Promise.reject(new Error('not expected'));
      },
    });
    expect(client).toBeInstanceOf(McpClient);
    expect(client.alive).toBe(true);
    await client.close();
    expect([requests, client.alive]).toEqual([0, false]);
  });

  it('takes the options of the wire and those of the client in one object', async () => {
    const client = connectHttp({
      url: new URL(url),
      headers: { a: 'b' },
      fetch,
      authProvider: { token: () => undefined, onUnauthorized: () => false },
      allowedHosts: ['mcp.example'],
      redirects: 'error',
      retry: { attempts: 1 },
      keepAliveMs: 60_000,
      maxMessageBytes: 1_000,
      era: 'modern',
      logLevel: 'info',
      requestTimeoutMs: 5,
    });
    await client.close();
    expect(client.alive).toBe(false);
  });

  it('keeps what servers give apart by the whole of their URLs, in a store that clients share', async () => {
    const names: string[] = [];
    const fetch: NonNullable<HttpOptions['fetch']> = (input, init) => {
      const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string };
      const tenant = new URL(String(input)).searchParams.get('tenant') ?? '';
      const result =
        method === 'tools/list'
          ? { tools: [{ name: `of-${tenant}`, inputSchema: { type: 'object' } }], ttlMs: 60_000, cacheScope: 'public' }
          : { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 60_000, cacheScope: 'public' };
      return Promise.resolve(json({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }));
    };
    const cache = new MemoryCacheStore();
    for (const tenant of ['a', 'b', 'a']) {
      const client = closing(connectHttp({ url: `${url}?tenant=${tenant}`, fetch, cache, eraCache: new EraCache() }));
      names.push(...(await client.promises.listTools()).map(({ name }) => name));
    }
    expect(names).toEqual(['of-a', 'of-b', 'of-a']);
  });

  it.each<readonly [option: string, options: object]>([
    ['url', {}],
    ['url', { url: 'not a URL' }],
    ['headers', { url, headers: 5 }],
    ['retry', { url, retry: 3 }],
    ['allowedHosts', { url, allowedHosts: ['other.example'] }],
    ['maxMessageBytes', { url, maxMessageBytes: 0 }],
    ['requestTimeoutMs', { url, requestTimeoutMs: '1s' }],
    ['protocolVersions', { url, protocolVersions: ['2025-11-25'] }],
    ['command', { url, command: 'node' }],
    ['sessionId', { url, sessionId: 'a' }],
    ['wire', { url, wire: 'session.jsonl' }],
    ['wire', { url, wire: () => undefined }],
  ])('refuses at once, naming %s: %j', (option, options) => {
    expect(refusal(options).option).toBe(option);
  });

  it('names the options there are where one is unknown', () => {
    expect(refusal({ url, nope: {} }).message).toContain(
      'known are url, headers, fetch, authProvider, allowedHosts, redirects, retry, keepAliveMs, wire, clientInfo,',
    );
  });

  it.each([undefined, null, url, 5])('refuses %p in place of options', (options) => {
    expect(refusal(options).option).toBe('options');
    expect(refusal(options).message).toContain('give an object with a url');
  });

  it('repeats nothing by the word of a server that the user did not install', async () => {
    const requests: string[] = [];
    const client = closing(
      connectHttp({
        url,
        era: 'modern',
        fetch: (_input, init) => {
          const { id, method } = JSON.parse(init?.body as string) as { id: number; method: string };
          requests.push(method);
          if (method === 'tools/call') return Promise.reject(new Error('cut'));
          const annotations = { readOnlyHint: true, idempotentHint: true };
          const tools = [{ name: 'look', inputSchema: { type: 'object' }, annotations }];
          const result =
            method === 'tools/list'
              ? { tools }
              : { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, resultType: 'complete' };
          return Promise.resolve(json({ jsonrpc: '2.0', id, result }));
        },
      }),
    );
    await expect(client.promises.callTool('look')).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    expect(requests).toEqual(['server/discover', 'tools/list', 'tools/call']);
  });
});
