import { describe, expect, it } from '@jest/globals';
import { REDACTED } from '../../../src/rx/known-secrets.js';
import { redactText } from '../../../src/testing/recording/redact-text.js';
import { redactValue, REDACTED_NUMBER } from '../../../src/testing/recording/redact.js';
import { SECRET_NAMES, textsWith } from '../../support/secrets.js';

const S = 'SECRETxyz';
const LONG = `${S}abcdefghijklmnopqrstuvwxyz0`;

const VALUES: readonly unknown[] = [
  ...SECRET_NAMES.flatMap((name) => [{ [name]: S }, { [name]: { nested: [S] } }]),
  { credentials: { type: 'basic', username: 'u', value: S }, access_token: { type: 'Bearer', value: S } },
  { secret: { enum: 1, v: S }, secrets: { properties: { a: S } }, token: { $ref: S }, cookie: { anyOf: [S] } },
  { properties: { password: S, token: { type: 'string', description: S } } },
  { schema: { properties: { password: S, a: { type: 'x', apiKey: S } } } },
  { inputSchema: { type: 'object', properties: { password: { type: 'string', default: S, examples: [S], x: S } } } },
  { tokens: { [`sk-${LONG}`]: 1 }, [`sk-${LONG}`]: 2 },
  { env: [{ name: 'API_KEY', value: S }], headers: [['Authorization', S]], also: { key: 'password', default: S } },
  {
    fields: [
      { type: 'password', value: S },
      { id: 'password', value: S },
      { label: 'Password', text: S },
    ],
  },
  {
    form: [
      { label: 'API key:', content: [S] },
      { title: 'Password', default: S },
      { kind: 'DB_PASSWORD', value: S },
    ],
  },
  { inputSchema: { type: 'object', properties: { a: { type: 'string', format: 'password', default: S } } } },
  {
    keys: [
      { kty: 'oct', k: S },
      { kty: 'RSA', n: 'n', e: 'AQAB', d: S, p: S, q: S, dp: S, dq: S, qi: S },
    ],
  },
  { run: ['curl', '-u', `me:${S}`, 'https://h.example'] },
  { args: ['serve', '--token', S], rawHeaders: ['Host', 'h', 'Cookie', `a=${S}`] },
  { content: [{ type: 'text', text: JSON.stringify({ user: 'u', password: S }) }] },
  { content: [{ type: 'text', text: JSON.stringify([{ body: JSON.stringify({ pin: 1, jwt: S }) }], undefined, 2) }] },
];

describe('a recorded text', () => {
  it.each(textsWith(S))('has no secret in it: %s', (text) => {
    expect(redactText(text)).not.toMatch(/SECRET/);
    expect(redactText(text)).toContain(REDACTED);
  });

  it.each([
    'the password is wrong, and so is the token',
    'invalid token: null',
    'max_tokens=4096, total tokens: 512',
    'https://h.example:8080/@scope/name@1.2.3?email=a@b.example&page=2',
    'bearer authentication failed',
    'const key = other; the code: 7; session opened',
    'task-management-and-other-things',
    'npm_config_registry hf_hub_download',
    'private: true',
    'Put <token> in the header, and <password> into the form.',
    'the default password is odd; machine learning, login with password or key',
    'docker run -u 1000:1000 image; git push -u origin main; -u https://h.example',
    'tokens.map((token) => token.trim()).filter((key) => key)',
    '<input type="text" value="a"><option id="b">text</option><p>text</p>',
    'a table | password > 3 | of words',
    '{ name: "Ada", value: 7 } { id: 3, text: "password" }',
    'the key: 7; a code: x; the word: y',
    'at 1700000000:12 and hvs.short, dp.pt. and hooks.slack.com/services',
    'https://discord.com/api/webhooks/123456',
    '{"kind":"math","d":"M0 0","k":"v"}',
  ])('is left as it is where nothing in it is secret: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('keeps what stands beside a secret', () => {
    expect(redactText(`https://me:${S}@h.example/a?token=${S}&page=2`)).toBe(
      `https://${REDACTED}@h.example/a?token=${REDACTED}&page=2`,
    );
  });
});

describe('a recorded value', () => {
  it.each(VALUES.map((value) => [JSON.stringify(value), value]))('has no secret in it: %s', (_text, value) => {
    expect(JSON.stringify(redactValue(value))).not.toMatch(/SECRET/);
  });

  it('has no number that is a secret by its name, and those that count tokens', () => {
    expect(
      redactValue({ password: 8_675_309, pin: [1234], maxTokens: 100, usage: { input_tokens: 7 }, isPrivate: true }),
    ).toEqual({
      ...{ password: REDACTED_NUMBER, pin: [REDACTED_NUMBER], maxTokens: 100 },
      ...{ usage: { input_tokens: 7 }, isPrivate: true },
    });
  });

  it.each<readonly [unknown]>([
    [{ type: 'text', text: 'the password is in the safe' }],
    [{ title: 'Your password', text: 'how to choose one' }],
    [{ name: 'tokenizer.py', content: 'def tokens(): ...' }],
    [{ id: 'tokenizer', value: 7 }],
    [{ label: 'How to reset a password here', text: 'so' }],
    [{ id: 'max_tokens', value: 4096, name: 'tokenLimit' }],
    [{ d: 'M0 0', k: 'v', p: 1, type: 'path' }],
    [['docker', '-u', '1000:1000', '-u', 'https://h.example', '-u', 'main']],
  ])('is left as it is where nothing in it is secret: %j', (value) => {
    expect(redactValue(value)).toEqual(value);
  });

  it('has its schemas, and says the same of what is secret', () => {
    const tool = {
      name: 'log-in',
      inputSchema: {
        type: 'object',
        required: ['token', 'user'],
        properties: {
          token: { type: 'string', title: 'Token', description: 'of the API', minLength: 3, pattern: '^a' },
          credentials: { anyOf: [{ $ref: '#/$defs/secret' }, { type: 'null' }] },
        },
        $defs: { secret: { type: 'object', properties: { name: { type: 'string', enum: ['a'] } } } },
      },
    };
    const parameters = { type: 'object', properties: { password: { type: 'string' } } };
    expect(redactValue({ tools: [tool], function: { parameters } })).toEqual({
      tools: [tool],
      function: { parameters },
    });
  });

  it('has every member, in its place, whatever it is called', () => {
    const value = JSON.parse(
      `{"__proto__":{"a":1},"sk-${LONG}":1,"sk-${LONG}2":2,"progressToken":"t","z":[null,true]}`,
    );
    const clean = redactValue(value) as object;
    expect(Object.entries(clean)).toEqual([
      ['__proto__', { a: 1 }],
      [REDACTED, 1],
      [`${REDACTED} 1`, 2],
      ['progressToken', 't'],
      ['z', [null, true]],
    ]);
  });

  it('has JSON in its texts as it was indented, and as it was where nothing is redacted', () => {
    const text = JSON.stringify({ a: 1, password: S }, undefined, 4);
    expect(redactValue([text, '{ "a" :  1 }'])).toEqual([text.replace(S, REDACTED), '{ "a" :  1 }']);
  });

  it('may be of any depth', () => {
    const deep = `${'{"a":['.repeat(20_000)}{"password":"${S}"}${']}'.repeat(20_000)}`;
    let at = redactValue(JSON.parse(deep)) as { a: [never] };
    for (let depth = 0; depth < 20_000; depth += 1) at = at.a[0];
    expect(at).toEqual({ password: REDACTED });
  });
});
