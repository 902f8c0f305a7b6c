import dns from 'node:dns';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { firstValueFrom, type Observable } from 'rxjs';
import { oauth } from '../../../src/auth/index.js';
import { isFoundPrivate, lookupWith } from '../../../src/transport/http/guarded-lookup.js';
import { createEngine } from '../../../src/transport/http/undici-engine.js';
import { openHeadless, REDIRECT } from '../../support/auth/headless.js';
import { rejection, watch } from '../../support/client/watch.js';
import { reply, serve } from '../../support/http/loopback.js';
import { tunnel, withProxyVariables } from '../../support/http/tunnel.js';

/** What names lead to: a system that resolves them is not to be had in a spec. */
const { lookup } = dns;
let addresses: Record<string, readonly string[]> = {};

beforeEach(() => {
  jest
    .spyOn(dns, 'lookup')
    .mockImplementation(
      (hostname: string, options: unknown, callback?: (error: Error | null, found?: readonly object[]) => void) => {
        // Servers of this spec look up where they listen.
        if (callback === undefined) {
          lookup(hostname, options as never);
          return;
        }
        const known = addresses[hostname];
        const found = (known ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const error = known === undefined ? Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }) : null;
        // As the platform does: with no list at all where there is an error.
        setImmediate(callback, error, error === null ? found : undefined);
      },
    );
});
afterEach(() => {
  jest.restoreAllMocks();
});

const lookedUp = (guards: boolean, hostname: string, all: boolean): Promise<unknown> =>
  new Promise((resolve) => {
    lookupWith(guards)(hostname, { all }, (error, address, family) => {
      resolve(error === null ? [address, family] : (error as { code?: unknown }).code);
    });
  });

describe('the look-up of connections', () => {
  it('gives no private address away where it guards', async () => {
    addresses = {
      'mixed.example': ['10.0.0.1', '8.8.8.8', 'fd00::1', '::ffff:127.0.0.1', '2606:4700::1'],
      'inner.example': ['192.168.0.1', 'fe80::1'],
      'none.example': [],
    };
    expect(await lookedUp(true, 'mixed.example', true)).toEqual([
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
      undefined,
    ]);
    expect(await lookedUp(true, 'mixed.example', false)).toEqual(['8.8.8.8', 4]);
    expect(await lookedUp(true, 'inner.example', true)).toBe('ERR_PRIVATE_ADDRESS');
    expect(await lookedUp(true, 'inner.example', false)).toBe('ERR_PRIVATE_ADDRESS');
    expect(await lookedUp(false, 'inner.example', false)).toEqual(['192.168.0.1', 4]);
    for (const guards of [true, false]) {
      expect(await lookedUp(guards, 'missing.example', true)).toBe('ENOTFOUND');
      expect(await lookedUp(guards, 'none.example', true)).toBe('ERR_PRIVATE_ADDRESS');
    }
    expect(['mixed.example', 'inner.example', 'missing.example'].map(isFoundPrivate)).toEqual([false, true, false]);
  });

  it('asks for all addresses, of the family that is wanted, and says what is wrong with them', async () => {
    addresses = { 'inner.example': ['10.0.0.1'] };
    const error = await new Promise((resolve) => {
      lookupWith(true)('inner.example', { family: 4, all: false }, resolve);
    });
    expect(error).toEqual(new Error('a private address'));
    expect(dns.lookup).toHaveBeenLastCalledWith('inner.example', { family: 4, all: true }, expect.any(Function));
  });

  it('takes a name for public for good that was public once', async () => {
    addresses = { 'changing.example': ['10.0.0.1'], 'steady.example': ['10.0.0.1'] };
    await lookedUp(false, 'changing.example', true);
    await lookedUp(false, 'steady.example', true);
    expect([isFoundPrivate('changing.example'), isFoundPrivate('unheard.example')]).toEqual([true, false]);
    addresses = { ...addresses, 'changing.example': ['8.8.8.8'] };
    await lookedUp(false, 'changing.example', true);
    addresses = { ...addresses, 'changing.example': ['10.0.0.1'] };
    await lookedUp(false, 'changing.example', true);
    expect([isFoundPrivate('changing.example'), isFoundPrivate('steady.example')]).toEqual([false, true]);
  });
});

describe('what was looked up', () => {
  it('is forgotten when 10 000 others were since, and then counts as never looked up', async () => {
    addresses = Object.fromEntries(
      ['first.example', 'again.example', ...Array.from({ length: 10_000 }, (_, n) => `n${n}.example`)].map((name) => [
        name,
        ['10.0.0.1'],
      ]),
    );
    const [first = '', again = '', ...others] = Object.keys(addresses);
    await lookedUp(false, first, true);
    await lookedUp(false, again, true);
    await Promise.all(others.slice(100).map((name) => lookedUp(false, name, true)));
    await lookedUp(false, again, true);
    expect([isFoundPrivate(first), isFoundPrivate(again)]).toEqual([true, true]);
    await Promise.all(others.slice(0, 100).map((name) => lookedUp(false, name, true)));
    expect([isFoundPrivate(first), isFoundPrivate(again)]).toEqual([false, true]);
  });
});

describe('a connection to a host that another one named', () => {
  it('is made to no private address, unless that one is on such an address, too', async () => {
    const server = await serve((_received, response) => reply(response, 200, 'done'));
    addresses = { 'as.example': ['127.0.0.1'], 'near.example': ['127.0.0.1'], 'far.example': ['8.8.8.8'] };
    const engine = createEngine();
    const send = (namedBy?: string) =>
      firstValueFrom(
        engine.send({ method: 'GET', url: `http://as.example:${String(server.port)}/`, headers: {}, namedBy }),
      );
    (await send()).discard();
    await lookedUp(false, 'near.example', true);
    await lookedUp(false, 'far.example', true);
    expect(await rejection(send('far.example'))).toMatchObject({ code: 'ERR_PRIVATE_ADDRESS' });
    expect(await rejection(send('unheard.example'))).toMatchObject({ code: 'ERR_PRIVATE_ADDRESS' });
    (await send('near.example')).discard();
    expect(server.received).toHaveLength(2);
  });

  it('is left to a proxy where there is one, wherever that is', async () => {
    const proxy = await tunnel(await serve((_received, response) => reply(response, 200, 'done')));
    addresses = { 'proxy.example': ['127.0.0.1'], 'as.example': ['127.0.0.1'] };
    await withProxyVariables({ http_proxy: proxy.url.replace('127.0.0.1', 'proxy.example') }, async () => {
      const request = { method: 'GET', url: 'http://as.example/', headers: {}, namedBy: 'far.example' } as const;
      (await firstValueFrom(createEngine().send(request))).discard();
    });
    expect(proxy.asked).toEqual(['as.example:80']);
  });
});

describe('an authorization', () => {
  it('is not led to a private address by a public name', async () => {
    const inner = await serve((_received, response) => reply(response, 200, {}));
    addresses = { 'rebound.example': ['127.0.0.1'] };
    const authorized = async (allowPrivate: boolean): Promise<unknown> => {
      const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, allowPrivate });
      const url = 'https://8.8.8.8/mcp';
      const named = `Bearer resource_metadata="https://rebound.example:${String(inner.port)}/"`;
      const context = { url, target: url, method: 'POST', status: 401, token: undefined, challenge: named } as const;
      return watch(provider.onUnauthorized(context) as Observable<boolean>).end;
    };
    expect(await authorized(false)).toMatchObject({
      problem: 'url',
      message: expect.stringMatching(/rebound\.example.*allowPrivate/),
    });
    expect(inner.connections).toBe(0);
    // It speaks no TLS; that it was connected to is what was allowed.
    expect(await authorized(true)).toMatchObject({ problem: 'network' });
    expect(inner.connections).toBe(1);
  });
});
