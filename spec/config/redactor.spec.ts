import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { redactorOf } from '../../src/config/redactor.js';

const R = '[redacted]';

describe('a redactor', () => {
  it('takes the values that are secret in a config out of any text', () => {
    const redact = redactorOf(
      {
        transport: 'stdio',
        command: 'x',
        args: ['--token', 'alpha-1', '--key=beta-22', 'plain-arg'],
        env: { SECRET: 'gam"ma', PORT: '3000', TINY_KEY: 'on' },
      },
      ['delta/4 4'],
    );
    expect(redact('alpha-1, beta-22 {"v":"gam\\"ma"} delta%2F4%204 plain-arg 3000 on')).toBe(
      `${R}, ${R} {"v":"${R}"} ${R} plain-arg 3000 on`,
    );
  });

  it('knows the token of a header without its scheme, and what is in a URL', () => {
    const redact = redactorOf({
      transport: 'http',
      url: 'https://user:pass-word@h/x?k=query-value',
      headers: { Authorization: 'Bearer abcdefgh1' },
    });
    expect(redact('bad abcdefgh1; query-value of user at pass-word')).toBe(`bad ${R}; query-value of user at ${R}`);
  });

  it('knows what is secret inside of URLs, headers and pairs among arguments and variables', () => {
    const redact = redactorOf({
      transport: 'stdio',
      command: 'x',
      args: ['-H', 'X-Any: in-a-header', '--url=https://in-a-user@h/?key=in-a-key', '--env=MY_TOKEN=in-a-pair'],
      env: { DATABASE_URL: 'postgres://me:in%2Ba%2Burl@h/db' },
    });
    for (const secret of ['in-a-header', 'in-a-user', 'in-a-key', 'in-a-pair', 'in+a+url', 'in%2Ba%2Burl']) {
      expect(redact(`refused ${secret} of me`)).toBe(`refused ${R} of me`);
    }
  });

  it('knows a secret in the forms of URLs, forms, JSON and what programs show', () => {
    const secret = 'p@ss "word!\\9\'';
    const redact = redactorOf({ transport: 'stdio', command: 'x', env: { PASSWORD: secret } });
    const form = new URLSearchParams([['', secret]]).toString().slice(1);
    const forms = [encodeURIComponent(secret), form, JSON.stringify(secret).slice(1, -1)];
    for (const one of [
      ...forms,
      ...forms.map((text) => text.replace(/%../g, (escape) => escape.toLowerCase())),
      JSON.stringify(JSON.stringify(secret)).slice(3, -3),
      inspect(secret).slice(1, -1),
    ]) {
      expect(redact(`it was ${one} then`)).toBe(`it was ${R} then`);
    }
  });

  it('knows a part of a secret where a text was cut', () => {
    const redact = redactorOf(undefined, ['swordfish-and-chips']);
    expect(redact('the key is swordfi')).toBe(`the key is ${R}`);
    expect(redact('the key is swordfish-and-chip…')).toBe(`the key is ${R}…`);
    expect(redact('and-chips, said the server')).toBe(`${R}, said the server`);
    expect(redact('rdfish-and')).toBe('rdfish-and');
    expect(redact('swordfish-and')).toBe(R);
    expect(redact('chips with a sword')).toBe('chips with a sword');
  });

  it('leaves the scheme of a header in the words of a server', () => {
    const server = { transport: 'http', url: 'http://h', headers: { Authorization: 'Bearer x-1' } } as const;
    expect(redactorOf(server)('wants authorization: Bearer')).toBe('wants authorization: Bearer');
  });

  it('sees through escape sequences, and leaves those alone that hide nothing', () => {
    const redact = redactorOf(undefined, ['swordfish-and-chips']);
    expect(redact('the key is sword\u001b[1mfish-and-\u0000chips\u001b[0m')).toBe(`the key is ${R}`);
    expect(redact('\u001b[31mred\u001b[0m')).toBe('\u001b[31mred\u001b[0m');
  });

  it('knows what looks like a secret where nothing is known of a server', () => {
    expect(redactorOf()('api_key=abc')).toBe(`api_key=${R}`);
  });
});
