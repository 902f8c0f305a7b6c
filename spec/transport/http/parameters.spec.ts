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

  it.each<readonly [option: string, parameters: object, remedy: string]>([
    ['url', {}, 'give the URL of an MCP endpoint'],
    ['url', { url: '' }, 'give the URL of an MCP endpoint'],
    ['url', { url: 'http://' }, 'give the URL of an MCP endpoint'],
    ['url', { url: 5 }, 'give the URL of an MCP endpoint'],
    ['url', { url: '/mcp' }, 'give the URL of an MCP endpoint: did you forget http://?'],
    ['url', { url: 'mcp.example' }, 'give the URL of an MCP endpoint: did you forget http://?'],
    ['url', { url: 'ws://mcp.example' }, 'give an http: or https: URL'],
    ['url', { url: 'file:///mcp' }, 'give an http: or https: URL'],
    ['url', { url: 'https://user:secret@mcp.example' }, 'give them in headers or by an authProvider'],
    ['url', { url: 'https://user@mcp.example' }, 'give them in headers or by an authProvider'],
    ['url', { url: 'https://:secret@mcp.example' }, 'give them in headers or by an authProvider'],
    ['headers', { url, headers: 'a: b' }, 'or what answers with one'],
    ['headers', { url, headers: null }, 'or what answers with one'],
    ['headers', { url, headers: [['a', 'b']] }, 'makes one of a Map or of pairs'],
    ['headers', { url, headers: new Map([['a', 'b']]) }, 'makes one of a Map or of pairs'],
    ['headers', { url, headers: new Date(0) }, 'or what answers with one'],
    ['headers', { url, headers: { a: 1 } }, '"a" is not a string'],
    ['headers', { url, headers: { 'not a name': 'b' } }, '"not a name" is no name of a header'],
    ['headers', { url, headers: { a: 'two\nlines' } }, 'that no header can carry'],
    ['headers', { url, headers: { a: 'é漢' } }, 'that no header can carry'],
    ['fetch', { url, fetch: 'fetch' }, 'give a function'],
    ['authProvider', { url, authProvider: null }, 'give an object with token and onUnauthorized'],
    ['authProvider', { url, authProvider: { token: () => 'a' } }, 'give an object with token and onUnauthorized'],
    ['authProvider', { url, authProvider: { onUnauthorized: () => true } }, 'with token and onUnauthorized'],
    ['allowedHosts', { url, allowedHosts: 'mcp.example' }, 'give a list of hosts'],
    ['allowedHosts', { url, allowedHosts: [1] }, 'give a list of hosts'],
    ['allowedHosts', { url, allowedHosts: ['mcp.example', 1] }, 'give a list of hosts'],
    ['allowedHosts', { url, allowedHosts: [] }, '"mcp.example", the host of url, is not among them'],
    ['allowedHosts', { url, allowedHosts: ['other.example'] }, '"mcp.example", the host of url, is not among them'],
    [
      'allowedHosts',
      { url: 'https://mcp.example:8443', allowedHosts: ['mcp.example'] },
      '"mcp.example:8443", the host of url, is not among them',
    ],
    ['redirects', { url, redirects: 'follow' }, "give 'same-origin' or 'error'"],
    ['retry', { url, retry: 3 }, 'give an object'],
    ['retry', { url, retry: null }, 'give an object'],
    ['retry.delay', { url, retry: { delay: 5 } }, 'there is no such option'],
    ['retry.attempts', { url, retry: { attempts: -1 } }, 'give a number, at least 0'],
    ['retry.attempts', { url, retry: { attempts: 1.5 } }, 'give a whole number'],
    ['retry.firstDelayMs', { url, retry: { firstDelayMs: Number.NaN } }, 'give a number, at least 0'],
    ['retry.maxDelayMs', { url, retry: { maxDelayMs: '1s' } }, 'give a number, at least 0'],
    // What compares like a number is none.
    ['retry.maxDelayMs', { url, retry: { maxDelayMs: '1000' } }, 'give a number, at least 0'],
    ['keepAliveMs', { url, keepAliveMs: -1 }, 'give a number, at least 0'],
    ['keepAliveMs', { url, keepAliveMs: Number.POSITIVE_INFINITY }, 'give a number, at least 0'],
    ['keepAliveMs', { url, keepAliveMs: 2 ** 31 }, 'give a number, at least 0'],
    ['maxMessageBytes', { url, maxMessageBytes: 0 }, 'give a number, at least 1'],
    ['maxMessageBytes', { url, maxMessageBytes: 2 ** 40 }, 'give a number, at least 1'],
  ])('are refused, naming %s, with what to give instead: %j', (option, parameters, remedy) => {
    const thrown = thrownBy(() => checkHttp(parameters as HttpParameters)) as OptionError;
    expect(thrown).toBeInstanceOf(OptionError);
    expect(thrown.option).toBe(option);
    expect(thrown.message.slice(-remedy.length - 1)).toBe(` ${remedy}`);
  });

  it('are taken up to their bounds', () => {
    const bounds = { attempts: 2 ** 31 - 1, firstDelayMs: 0, maxDelayMs: 2 ** 31 - 1 };
    expect(checkHttp({ url, keepAliveMs: 2 ** 31 - 1, maxMessageBytes: 1, retry: bounds })).toMatchObject({
      keepAliveMs: 2 ** 31 - 1,
      maxMessageBytes: 1,
      retry: { attempts: 2 ** 31 - 1, firstMs: 0, maxMs: 2 ** 31 - 1 },
    });
  });

  it('never repeat a credential of the URL in what they say', () => {
    expect(String(thrownBy(() => checkHttp({ url: 'https://user:secret@mcp.example' })))).not.toContain('secret');
  });
});
