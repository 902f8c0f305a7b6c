import { describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { OptionError } from '../../../src/errors/index.js';
import type { HttpParameters } from '../../../src/transport/http/options.js';
import { checkHttp } from '../../../src/transport/http/parameters.js';
import { thrownBy } from '../../support/client/watch.js';

const url = 'https://mcp.example/mcp';

describe('the parameters of a server over HTTP', () => {
  it('are complete with a URL alone', () => {
    expect(checkHttp({ url })).toEqual({
      url,
      headers: undefined,
      fetch: undefined,
      authProvider: undefined,
      allowedHosts: new Set(['mcp.example']),
      redirects: 'same-origin',
      retry: { attempts: 3, firstMs: 500, maxMs: 30_000 },
      keepAliveMs: 0,
      maxMessageBytes: 67_108_864,
    });
  });

  it('are taken as they are given', () => {
    const authProvider = { token: () => 'secret', onUnauthorized: () => false };
    const fetch = (): Promise<Response> => Promise.reject(new Error('never called'));
    const headers = { 'X-Tenant': 'a' };
    expect(
      checkHttp({
        url: new URL('http://127.0.0.1:3000/mcp?key=1'),
        headers,
        fetch,
        authProvider,
        allowedHosts: ['127.0.0.1:3000', 'other.example'],
        redirects: 'error',
        retry: { attempts: 0, firstDelayMs: 1, maxDelayMs: 2 },
        keepAliveMs: 90_000,
        maxMessageBytes: 1_024,
      }),
    ).toEqual({
      url: 'http://127.0.0.1:3000/mcp?key=1',
      headers,
      fetch,
      authProvider,
      allowedHosts: new Set(['127.0.0.1:3000', 'other.example']),
      redirects: 'error',
      retry: { attempts: 0, firstMs: 1, maxMs: 2 },
      keepAliveMs: 90_000,
      maxMessageBytes: 1_024,
    });
  });

  it('leave the fragment of the URL at home', () => {
    expect(checkHttp({ url: `${url}?a=b#here` }).url).toBe(`${url}?a=b`);
  });

  it.each(['127.0.0.1:4122/mcp', 'localhost:4122/mcp', 'mcp.example/mcp', 'mcp.example', '/mcp'])(
    'ask for the scheme where there is none: %s',
    (without) => {
      expect(thrownBy(() => checkHttp({ url: without }))).toMatchObject({
        option: 'url',
        message: expect.stringMatching(/did you forget http:\/\/\?$/),
      });
    },
  );

  it('take a Headers', () => {
    const headers = new Headers({ 'X-Tenant': 'a' });
    expect(checkHttp({ url, headers }).headers).toBe(headers);
  });

  it.each([[() => ({})], [() => Promise.resolve({})], [of({})]])('take headers that are asked for: %#', (headers) => {
    expect(checkHttp({ url, headers }).headers).toBe(headers);
  });

  it.each<readonly [option: string, parameters: object]>([
    ['url', {}],
    ['url', { url: '' }],
    ['url', { url: '/mcp' }],
    ['url', { url: 'mcp.example' }],
    ['url', { url: 'http://' }],
    ['url', { url: 5 }],
    ['url', { url: 'ws://mcp.example' }],
    ['url', { url: 'file:///mcp' }],
    ['url', { url: 'https://user:secret@mcp.example' }],
    ['url', { url: 'https://user@mcp.example' }],
    ['headers', { url, headers: 'a: b' }],
    ['headers', { url, headers: null }],
    ['headers', { url, headers: [['a', 'b']] }],
    ['headers', { url, headers: new Map([['a', 'b']]) }],
    ['headers', { url, headers: new Date(0) }],
    ['headers', { url, headers: { a: 1 } }],
    ['headers', { url, headers: { 'not a name': 'b' } }],
    ['headers', { url, headers: { a: 'two\nlines' } }],
    ['headers', { url, headers: { a: 'é漢' } }],
    ['fetch', { url, fetch: 'fetch' }],
    ['authProvider', { url, authProvider: null }],
    ['authProvider', { url, authProvider: { token: () => 'a' } }],
    ['authProvider', { url, authProvider: { onUnauthorized: () => true } }],
    ['allowedHosts', { url, allowedHosts: 'mcp.example' }],
    ['allowedHosts', { url, allowedHosts: [1] }],
    ['allowedHosts', { url, allowedHosts: [] }],
    ['allowedHosts', { url, allowedHosts: ['other.example'] }],
    ['allowedHosts', { url: 'https://mcp.example:8443', allowedHosts: ['mcp.example'] }],
    ['redirects', { url, redirects: 'follow' }],
    ['retry', { url, retry: 3 }],
    ['retry', { url, retry: null }],
    ['retry.delay', { url, retry: { delay: 5 } }],
    ['retry.attempts', { url, retry: { attempts: -1 } }],
    ['retry.attempts', { url, retry: { attempts: 1.5 } }],
    ['retry.firstDelayMs', { url, retry: { firstDelayMs: Number.NaN } }],
    ['retry.maxDelayMs', { url, retry: { maxDelayMs: '1s' } }],
    ['keepAliveMs', { url, keepAliveMs: -1 }],
    ['keepAliveMs', { url, keepAliveMs: Number.POSITIVE_INFINITY }],
    ['maxMessageBytes', { url, maxMessageBytes: 0 }],
    ['maxMessageBytes', { url, maxMessageBytes: 2 ** 40 }],
  ])('are refused, naming %s: %j', (option, parameters) => {
    const thrown = thrownBy(() => checkHttp(parameters as HttpParameters));
    expect(thrown).toBeInstanceOf(OptionError);
    expect((thrown as OptionError).option).toBe(option);
  });

  it('never repeat a credential of the URL in what they say', () => {
    expect(String(thrownBy(() => checkHttp({ url: 'https://user:secret@mcp.example' })))).not.toContain('secret');
  });
});
