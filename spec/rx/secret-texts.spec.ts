import { describe, expect, it } from '@jest/globals';
import { type TextKind, withoutSecretTexts } from '../../src/rx/secret-texts.js';
import { textsWith } from '../support/secrets.js';

const R = '[redacted]';

describe('a text', () => {
  it.each(textsWith('SECRET'))('of a recording has no secret in it: %s', (text) => {
    expect(withoutSecretTexts(text, 'recording')).not.toMatch(/SECRET/);
  });

  it.each([
    ['Error: invalid token: expired', 'Error: invalid token: expired', `Error: invalid token: ${R}`],
    ['password: hunter2', `password: ${R}`, `password: ${R}`],
    ['start with --pin 1234, or --token to be asked', undefined, `start with --pin ${R} or --token ${R} be asked`],
    ['password=none123', `password=${R}`, `password=${R}`],
    ['password=none', 'password=none', 'password=none'],
    ['auth=basic', 'auth=basic', 'auth=basic'],
    [`got 'token=abc1', then`, `got 'token=${R}', then`, `got 'token=${R}', then`],
    [`Authorization: Bearer ${R}`, `Authorization: Bearer ${R}`, `Authorization: Bearer ${R}`],
    [`Cookie: a=1; token=${R}`, `Cookie: ${R}`, `Cookie: ${R}`],
    ['Cookie: a b cookie: c', 'Cookie: a b cookie: c', `Cookie: ${R}`],
    ['\npassword: one two', '\npassword: one two', `\npassword: ${R}`],
    ['?code=ab&state=c', `?code=${R}&state=c`, `?code=${R}&state=c`],
  ])('says %j to somebody as %j, and in a recording as %j', (text, message, recording) => {
    expect(withoutSecretTexts(text, 'message')).toBe(message ?? `start with --pin ${R} or --token to be asked`);
    expect(withoutSecretTexts(text, 'recording')).toBe(recording);
  });

  it.each<TextKind>(['message', 'recording'])('takes time linear in its length: a %s', (kind) => {
    for (const part of [
      'cookie: a ',
      'cookie:null ',
      `cookie: a ${R} `,
      '--token a ',
      '\ncookie: a',
      ':a@://',
      "token='",
      '<a>  ',
      '<token>  ',
      '{value: 1, ',
      'value=1 key=password ',
      '{',
      '<key>a</key> <string>',
      'default login ',
      'machine a login machine ',
      '-u a: ',
      '-u a:b ',
      'password: |\n ',
      'password: |\n\n',
      'API key: ',
      'kty: d="',
      '123456:',
    ]) {
      expect(typeof withoutSecretTexts(part.repeat(20_000), kind)).toBe('string');
    }
  });
});
