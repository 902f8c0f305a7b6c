import { describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import type { HttpParameters } from '../../../src/transport/http/options.js';
import { Credentials } from '../../../src/transport/http/credentials.js';
import { checkHttp } from '../../../src/transport/http/parameters.js';
import { thrownBy } from '../../support/client/watch.js';

const URL_OF = 'https://mcp.example/mcp';

const credentialsOf = (parameters: Partial<HttpParameters>): Credentials =>
  new Credentials(checkHttp({ url: URL_OF, ...parameters }));

const fieldsOf = (parameters: Partial<HttpParameters>) => credentialsOf(parameters).fields;

const authorization = 'Bearer one';

describe('who asks is told by fields that are given beforehand', () => {
  it('whatever they are called, and wherever they are', () => {
    const fields = { authorization, 'x-tenant': 'blue' };
    expect(fieldsOf({ headers: fields })).toEqual(fields);
    expect(fieldsOf({ headers: { 'X-Tenant': 'blue', Authorization: authorization } })).toEqual(fields);
    expect(fieldsOf({ headers: new Headers(fields) })).toEqual(fields);
  });

  it('and by none at all', () => {
    expect(fieldsOf({})).toEqual({});
    expect(fieldsOf({ headers: {} })).toEqual({});
  });
});

describe('who asks is not known beforehand', () => {
  it.each<[string, Partial<HttpParameters>]>([
    ['by a provider', { authProvider: { token: () => 'one', onUnauthorized: () => false } }],
    ['by a function', { headers: () => ({ authorization }) }],
    ['by an Observable', { headers: of({ authorization }) }],
    ['by a fetch of the caller’s own, which may add what it likes', { headers: { authorization }, fetch }],
  ])('where fields are given %s', (_how, parameters) => {
    expect(fieldsOf(parameters)).toBeUndefined();
  });

  it('any longer where they were changed, also where they are as they were again', () => {
    const headers: Record<string, string> = { authorization };
    const credentials = credentialsOf({ headers });
    expect(credentials.fields).toBeDefined();
    headers['authorization'] = 'Bearer two';
    expect(credentials.fields).toBeUndefined();
    headers['authorization'] = authorization;
    expect(credentials.fields).toBeUndefined();
  });

  it('any longer where others went out meanwhile', () => {
    const credentials = credentialsOf({ headers: { authorization } });
    expect(credentials.fields).toBeDefined();
    credentials.sends({ authorization });
    expect(credentials.fields).toBeDefined();
    credentials.sends({ authorization: 'Bearer two' });
    expect(credentials.fields).toBeUndefined();
  });

  it('where they were changed to what cannot be sent', () => {
    const headers: Record<string, string> = { authorization };
    const credentials = credentialsOf({ headers });
    headers['authorization'] = 'two\nlines';
    expect(thrownBy(() => credentials.fields)).toMatchObject({ name: 'OptionError', option: 'headers' });
  });

  it('before they are asked for: what they were until then is nobody’s business', () => {
    const headers: Record<string, string> = { authorization };
    const credentials = credentialsOf({ headers });
    credentials.sends({ authorization });
    headers['authorization'] = 'Bearer two';
    expect(credentials.fields).toEqual({ authorization: 'Bearer two' });
  });
});
