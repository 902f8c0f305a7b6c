import { describe, expect, it } from '@jest/globals';
import { withoutSecrets } from '../../../src/transport/http/secrets.js';
import { madeResponse } from '../../support/http/responses.js';

const told = (said: string, fields: object): string =>
  withoutSecrets(said, { ...madeResponse(401), sent: fields as Record<string, string> });

describe('what a server says of what it was sent', () => {
  it.each([
    [{ authorization: 'Bearer abc/d+e=f' }, 'abc/d+e=f, abc%2Fd%2Be%3Df, abc%2fd%2be%3df', '[token], [token], [token]'],
    [{ authorization: 'Bearer abcdef' }, 'Bearer abcdef', '[token]'],
    [{ authorization: `Basic ${btoa('user:p4ssw0rd')}` }, `p4ssw0rd of ${btoa('user:p4ssw0rd')}`, '[token] of [token]'],
    [{ 'x-api-key': 'k3yk3y' }, 'k3yk3y', '[token]'],
    [{ 'x-tenant': 'somebody-else' }, 'somebody-else', '[token]'],
    [{ dpop: 'eyJ0.eyJq' }, 'proof="eyJ0.eyJq"', 'proof="[token]"'],
    [{ cookie: 'a=c00k1e; b=0ther' }, 'c00k1e 0ther', '[token] [token]'],
    [{ authorization: 'Bearer ABCdef' }, 'text/abcdef', 'text/[token]'],
  ] as const)('is told without it: %j', (fields, said, expected) => {
    expect(told(said, fields)).toBe(expected);
  });

  it.each([
    [{ 'content-type': 'application/json', accept: 'application/json' }, 'not application/json'],
    [{ 'x-tenant': 'acme' }, 'acme'],
    [{ authorization: 'abc' }, 'abc'],
  ] as const)('is told as it is, where that is no secret: %j', (fields, said) => {
    expect(told(said, fields)).toBe(said);
  });

  it('is told as it is where nothing is known to have been sent', () => {
    expect(withoutSecrets('abcdef', madeResponse(401))).toBe('abcdef');
  });
});
