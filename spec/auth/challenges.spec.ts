import { describe, expect, it } from '@jest/globals';
import { challengesOf, scopesOf, wantedOf } from '../../src/auth/challenges.js';

describe('the challenges in a WWW-Authenticate', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['Bearer', [['bearer', {}]]],
    ['Bearer realm="a, b", scope="c d"', [['bearer', { realm: 'a, b', scope: 'c d' }]]],
    ['bearer Scope=c,error = "x"', [['bearer', { scope: 'c', error: 'x' }]]],
    ['Bearer a="q\\"uote\\\\"', [['bearer', { a: 'q"uote\\' }]]],
    ['Bearer a=1, a=2', [['bearer', { a: '1' }]]],
    [
      'Basic realm="x", DPoP algs="ES256", error="use_dpop_nonce"',
      [
        ['basic', { realm: 'x' }],
        ['dpop', { algs: 'ES256', error: 'use_dpop_nonce' }],
      ],
    ],
    [
      'Negotiate YWJj==, Bearer scope="s"',
      [
        ['negotiate', {}],
        ['bearer', { scope: 's' }],
      ],
    ],
    ['Bearer a="unended', [['bearer', {}]]],
    ['Bearer __proto__="x"', [['bearer', {}]]],
    [',,,', []],
  ])('are read: %j', (value, expected) => {
    expect(challengesOf(value).map(({ scheme, parameters }) => [scheme, { ...parameters }])).toEqual(expected);
  });

  it('are read in time that grows with their length alone', () => {
    const began = performance.now();
    challengesOf(`Bearer ${'a="b\\'.repeat(20_000)}`);
    challengesOf('a '.repeat(50_000));
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('what a server wants', () => {
  it('is in the first challenge of a scheme that is known', () => {
    expect(
      wantedOf('Basic scope="no", Bearer error="invalid_token", DPoP scope="a b a", resource_metadata="u"'),
    ).toEqual({
      resourceMetadata: 'u',
      scopes: ['a', 'b'],
      error: 'invalid_token',
    });
    expect(wantedOf(undefined)).toEqual({ resourceMetadata: undefined, scopes: undefined, error: undefined });
  });

  it.each([undefined, '', '  '])('is no scope where there is none: %j', (text) => {
    expect(scopesOf(text)).toBeUndefined();
  });
});
