import { afterEach, describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import type { HttpParameters } from '../../../src/transport/http/options.js';
import { Credentials } from '../../../src/transport/http/credentials.js';
import { checkHttp } from '../../../src/transport/http/parameters.js';

const URL_OF = 'https://mcp.example/mcp';

const credentialsOf = (parameters: Partial<HttpParameters>): Credentials =>
  new Credentials(checkHttp({ url: URL_OF, ...parameters }));

const textOf = (parameters: Partial<HttpParameters>): string | undefined => credentialsOf(parameters).text;

const authorization = 'Bearer one';

describe('who asks is told by fields that are given beforehand', () => {
  it('the same by the same ones, in whatever order and spelling, and wherever they are', () => {
    const text = textOf({ headers: { authorization, 'x-tenant': 'blue' } });
    expect(text).toBe('[["authorization","Bearer one"],["x-tenant","blue"]]');
    expect(textOf({ headers: { 'X-Tenant': 'blue', Authorization: authorization } })).toBe(text);
    expect(textOf({ headers: new Headers({ authorization, 'x-tenant': 'blue' }) })).toBe(text);
  });

  it.each([
    { authorization: 'Bearer two' },
    { authorization, 'x-tenant': 'blue' },
    { 'x-authorization': authorization },
    {},
  ])('otherwise by others, whatever they are called: %j', (headers) => {
    expect(textOf({ headers })).not.toBe(textOf({ headers: { authorization } }));
  });

  it('and by none at all', () => {
    expect(textOf({})).toBe('[]');
    expect(textOf({ headers: {} })).toBe('[]');
  });
});

describe('who asks is not known beforehand', () => {
  it.each<[string, Partial<HttpParameters>]>([
    ['by a provider', { authProvider: { token: () => 'one', onUnauthorized: () => false } }],
    ['by a function', { headers: () => ({ authorization }) }],
    ['by an Observable', { headers: of({ authorization }) }],
    ['by a fetch of the caller’s own, which may add what it likes', { headers: { authorization }, fetch }],
  ])('where fields are given %s', (_how, parameters) => {
    expect(textOf(parameters)).toBeUndefined();
  });

  describe('where a page asks where it comes from', () => {
    afterEach(() => {
      delete (globalThis as { location?: unknown }).location;
    });

    it.each([
      ['https://mcp.example', undefined],
      ['https://mcp.example:8443', '[]'],
      ['https://app.example', '[]'],
      ['null', '[]'],
    ])('since cookies go along: %s', (origin, text) => {
      Object.assign(globalThis, { location: { origin } });
      expect(textOf({})).toBe(text);
    });
  });

  it('any longer where they were changed, also where they are as they were again', () => {
    const headers: Record<string, string> = { authorization };
    const credentials = credentialsOf({ headers });
    expect(credentials.text).toBeDefined();
    headers['authorization'] = 'Bearer two';
    expect(credentials.text).toBeUndefined();
    headers['authorization'] = authorization;
    expect(credentials.text).toBeUndefined();
  });

  it('any longer where others went out meanwhile', () => {
    const credentials = credentialsOf({ headers: { authorization } });
    expect(credentials.text).toBeDefined();
    credentials.sends({ authorization });
    expect(credentials.text).toBeDefined();
    credentials.sends({ authorization: 'Bearer two' });
    expect(credentials.text).toBeUndefined();
  });

  it('any longer where they were changed to what cannot be sent', () => {
    const headers: Record<string, string> = { authorization };
    const credentials = credentialsOf({ headers });
    expect(credentials.text).toBeDefined();
    headers['authorization'] = 'two\nlines';
    expect(credentials.text).toBeUndefined();
  });

  it('before they are asked for: what they were until then is nobody’s business', () => {
    const headers: Record<string, string> = { authorization };
    const credentials = credentialsOf({ headers });
    credentials.sends({ authorization });
    headers['authorization'] = 'Bearer two';
    expect(credentials.text).toBe('[["authorization","Bearer two"]]');
  });
});
