import { describe, expect, it } from '@jest/globals';
import { REDACTED, withoutKnownSecrets } from '../../src/rx/known-secrets.js';

describe('withoutKnownSecrets', () => {
  it.each([
    ['Bearer abcdefg1', 'Bearer [redacted]'],
    ['basic dXNlcjpwYXNz0', 'basic [redacted]'],
    ['authorization: token 0123456789abcdef', 'authorization: token [redacted]'],
    ['sent sk-abcdefghijklmnop0123 to it', 'sent [redacted] to it'],
    ['ghp_abcdefghijklmnop0123', '[redacted]'],
    ['eyJhbGciOiJI.eyJzdWIi.c2ln', '[redacted]'],
    ['https://u:p@h/a?key=1', 'https://[redacted]@h/a?key=1'],
  ])('knows %j', (text, told) => {
    expect(withoutKnownSecrets(text)).toBe(told);
  });

  it.each(['invalid token: expired', 'the bearer authentication was refused', 'a sketch of sk-8', ''])(
    'leaves alone %j',
    (text) => {
      expect(withoutKnownSecrets(text)).toBe(text);
    },
  );

  it('finds nothing in what it has made', () => {
    expect(withoutKnownSecrets(`Bearer ${REDACTED}`)).toBe(`Bearer ${REDACTED}`);
  });
});
