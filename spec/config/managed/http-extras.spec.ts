import { describe, expect, it } from '@jest/globals';
import {
  hasAuthorization,
  httpExtrasOf,
  type HttpOption,
  httpOption,
} from '../../../src/config/managed/http-extras.js';
import { readConfig } from '../../../src/config/load-config.js';
import { openConfig } from '../../../src/config/index.js';
import { reply, serve } from '../../support/http/loopback.js';
import { peer } from '../../support/http/peer.js';
import { managed, stopping } from '../../support/config/managed.js';
import { thrownBy } from '../../support/client/watch.js';

const authProvider = { token: () => 'the-token', onUnauthorized: () => false };

const entryOf = (raw: object) => {
  const [entry] = readConfig({ mcpServers: { k: raw } }, { env: {}, projectDir: '/p' }).entries;
  if (entry === undefined) throw new Error('there is an entry');
  return entry;
};

/** A server that lets in who has this authorization. */
const guarded = async (wanted: string) => {
  const answer = peer({ era: 'modern' });
  return serve((received, response, request) =>
    received.headers['authorization'] === wanted
      ? answer(received, response, request)
      : reply(response, 401, '', { 'www-authenticate': 'Bearer' }),
  );
};

describe('the extras of servers behind URLs', () => {
  it.each([
    ['x', 'http'],
    [{ url: 'http://h' }, 'http.url'],
    [{ fetch: 5 }, 'http.fetch'],
    [{ authProvider: 'x' }, 'http.authProvider'],
    [{ redirects: 'all' }, 'http.redirects'],
    [{ retry: 3 }, 'http.retry'],
    [{ keepAliveMs: -1 }, 'http.keepAliveMs'],
  ])('are refused by name where they cannot be used: %j', (value, option) => {
    const error = { name: 'OptionError', option };
    expect(thrownBy(() => httpOption(value, 'http'))).toMatchObject(error);
    expect(thrownBy(() => httpExtrasOf(entryOf({ url: 'http://h' }), (() => value) as HttpOption))).toMatchObject(
      error,
    );
  });

  it('are asked for by key and URL, and only for what is behind one', () => {
    const asked: string[] = [];
    const option: HttpOption = (key, url) => {
      asked.push(`${key} ${url}`);
      return { redirects: 'error' };
    };
    expect(httpExtrasOf(entryOf({ url: 'http://h/' }), option)).toEqual({ redirects: 'error' });
    expect(httpExtrasOf(entryOf({ command: 'x' }), option)).toEqual({});
    expect(httpExtrasOf(entryOf({ url: 'http://h/', disabled: true }), option)).toEqual({});
    expect(asked).toEqual(['k http://h/']);
  });

  it('give way to an Authorization header of the entry', () => {
    const entry = entryOf({ url: 'http://h/', headers: { authorization: 'Bearer own' } });
    expect(httpExtrasOf(entry, { authProvider, keepAliveMs: 5 })).toEqual({ authProvider: undefined, keepAliveMs: 5 });
    expect(hasAuthorization({})).toBe(false);
  });

  it('reach the wire: a provider gives its token, and a header goes before it', async () => {
    const [byToken, byHeader] = [await guarded('Bearer the-token'), await guarded('Bearer own')];
    const one = managed('one', { url: byToken.url }, { http: { authProvider } });
    expect(await one.start()).toMatchObject({ status: 'connected' });
    const headers = { Authorization: 'Bearer own' };
    const two = managed('two', { url: byHeader.url, headers }, { http: () => ({ authProvider }) });
    expect(await two.start()).toMatchObject({ status: 'connected' });
  });

  it('that cannot be used for one server cost no other', async () => {
    const { url } = await guarded('Bearer the-token');
    const http: HttpOption = (key) => (key === 'bad' ? ({ nonsense: 1 } as object) : { authProvider });
    const servers = stopping(openConfig({ mcpServers: { good: { url }, bad: { url } } }, { http }));
    await servers.ready();
    expect(servers.status.get('good')).toMatchObject({ status: 'connected' });
    expect(servers.status.get('bad')).toMatchObject({ status: 'failed' });
    expect(servers.status.get('bad')?.reason).toContain('http.nonsense');
    const hosts = managed('k', { url }, { http: { allowedHosts: ['elsewhere'] } });
    expect(await hosts.start()).toMatchObject({ status: 'failed', reason: expect.stringContaining('allowedHosts') });
  });
});
