import { describe, expect, it } from '@jest/globals';
import { isSecretName } from '../../src/rx/secret-names.js';
import { withoutPairs } from '../../src/rx/secret-pairs.js';

const R = '[redacted]';

describe('what is named by what stands around it', () => {
  it.each([
    ['<password>a b</password>', `<password>${R}</password>`],
    ['<api-key id="1">a</api-key><a>b</a>', `<api-key id="1">${R}</api-key><a>b</a>`],
    ['<key>token</key> <string>a</string>', `<key>token</key> <string>${R}</string>`],
    ['<add value="a" key="Password"/>', `<add value="${R}" key="Password"/>`],
    ['{"id":"password","value":"a","b":"c"}', `{"id":"password","value":"${R}","b":"c"}`],
    ['{"a":{"type":"token","text":"b"},"text":"c"}', `{"a":{"type":"token","text":"${R}"},"text":"c"}`],
    ['curl -u me:a b', `curl -u me:${R} b`],
    [`curl --user='me:a b'`, `curl --user='me:${R}'`],
    ['machine h login me password a', `machine h login me password ${R}`],
  ])('is taken out, and nothing else: %s', (text, clean) => {
    expect(withoutPairs(text, isSecretName)).toBe(clean);
    expect(withoutPairs(clean, isSecretName)).toBe(clean);
  });

  it.each([
    '<password/>a</b>',
    '<password> </password>',
    '<token> is put here <b>',
    '<max_tokens>100</max_tokens>',
    '<input name="a" value="b">',
    '{"id":"max_tokens","value":100}',
    '-u a, -u 1:2',
    'login me password',
  ])('is left where it is none: %s', (text) => {
    expect(withoutPairs(text, isSecretName)).toBe(text);
  });
});
