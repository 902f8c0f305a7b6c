import { describe, expect, it, jest } from '@jest/globals';
import { connectHttp, EraCache } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';
import { messageOf, serve } from '../support/http/loopback.js';
import { webHandler } from '../support/http/web.js';
import { createOfficialHttp } from '../support/servers/official-http.mjs';
import { createAncestorHttp } from '../support/servers/sdk-1-http.mjs';

jest.setTimeout(30_000);

type Fetch = (request: Request) => Promise<Response>;

/** Servers of three kinds. */
const KINDS = {
  modern: () => createOfficialHttp('modern').fetch,
  dual: () => createOfficialHttp('dual').fetch,
  legacy: () => createAncestorHttp().fetch,
} as const;

const callOf = (kind: keyof typeof KINDS): readonly [string, Readonly<Record<string, unknown>>] =>
  kind === 'legacy' ? ['count', { to: 2 }] : ['journal', {}];

/** A port behind which the server can be another one from now on. */
const start = async (kind: keyof typeof KINDS) => {
  let fetch: Fetch = KINDS[kind]();
  const server = await serve(webHandler((request) => fetch(request)));
  const client = closing(connectHttp({ url: server.url, eraCache: new EraCache() }));
  return {
    server,
    client,
    become: (other: keyof typeof KINDS) => {
      fetch = KINDS[other]();
    },
  };
};

describe('a server that is replaced between two calls', () => {
  it.each([
    ['modern', 'legacy', 'legacy'],
    ['legacy', 'modern', 'modern'],
    ['dual', 'legacy', 'legacy'],
    // It takes the session for one of the old era that it does not keep.
    ['legacy', 'dual', 'legacy'],
    ['dual', 'modern', 'modern'],
    ['modern', 'dual', 'modern'],
  ] as const)('is found out: %s, then %s', async (before, after, era) => {
    const { server, client, become } = await start(before);
    const warnings = watch(client.warnings$).values;
    await client.promises.callTool(...callOf(before));
    become(after);
    await client.promises.callTool(...callOf(after));
    expect(await client.promises.era()).toBe(era);
    const calls = server.received.filter((one) => messageOf(one).method === 'tools/call');
    expect(calls.length).toBeLessThanOrEqual(3);
    expect(warnings).toEqual([]);
  });
});
