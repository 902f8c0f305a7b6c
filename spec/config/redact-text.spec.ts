import { describe, expect, it } from '@jest/globals';
import { redactText } from '../../src/config/redact-text.js';
import { textsWith } from '../support/secrets.js';

const R = '[redacted]';

describe('redactText', () => {
  it.each([
    ['Authorization: Bearer abcdefg1', `Authorization: Bearer ${R}`],
    ['api_key=abc, "password": "abc"', `api_key=${R}, "password": "${R}"`],
    ['stderr: token=abc1, then', `stderr: token=${R}, then`],
    ['level=info msg=login password=abc', `level=info msg=login password=${R}`],
    ['sent sk-abcdefghijklmnop0123 to it', `sent ${R} to it`],
    ['eyJhbGciOiJI.eyJzdWIi.c2ln', R],
    ['GET https://u:p@h/a?key=1&n=2 failed', `GET https://${R}@h/a?key=${R}&n=${R} failed`],
  ])('knows secrets by their looks: %s', (text, told) => {
    expect(redactText(text)).toBe(told);
  });

  // In a sentence, what follows `password:` is a word of it unless it looks like none.
  it.each(textsWith('SECRETxyz7').filter((text) => !text.includes('correct horse')))(
    'knows whatever a recording would not keep: %s',
    (text) => {
      expect(redactText(text)).not.toMatch(/SECRET/);
      expect(redactText(text)).toContain(R);
    },
  );

  it.each([
    'Error: listen EADDRINUSE: address already in use 127.0.0.1:3000',
    'the variable GITHUB_TOKEN is not set: set it, or give a default with ${GITHUB_TOKEN:-…}',
    'Cannot find module /srv/app/server.js',
    'MCP tool call timed out after 5 s',
    'Error: invalid token: expired',
    'the bearer authentication was refused, a token required here is missing',
    'SOME_API_KEY: missing',
    'authorization: is required here, and the cookie: too',
    'use --token to give one',
    'PWD=/srv/app',
  ])('leaves alone what is none: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('takes time linear in the length of a text', () => {
    for (const part of [
      'a',
      'key=',
      '://',
      'eyJ',
      '?a=b&',
      ' ',
      '=',
      '"',
      'a=',
      'token:',
      'token://',
      'key:a ',
      'cookie: a ',
      '://a@',
    ]) {
      expect(typeof redactText(part.repeat(20_000))).toBe('string');
    }
  }, 5_000);
});
