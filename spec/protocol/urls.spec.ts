import { describe, expect, it } from '@jest/globals';
import { factsOf } from '../../src/protocol/urls.js';

const PUNYCODE = 'its host is written in Punycode and may look like another';
const USER = 'it carries a user name before the host';

describe('factsOf()', () => {
  it.each([
    ['https://example.com/connect?id=1#a', 'example.com'],
    ['HTTPS://Example.COM/', 'example.com'],
    ['https://example.com', 'example.com'],
    ['https://example.com:8443/', 'example.com:8443'],
    ['https://localhost/', 'localhost'],
    ['http://localhost:3000/callback', 'localhost:3000'],
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://127.8.9.10:1/', '127.8.9.10:1'],
    ['http://[::1]:8080/', '[::1]:8080'],
  ])('tells the host of %s, and nothing to worry about', (url, host) => {
    expect(factsOf(url)).toEqual({ host });
  });

  it.each([
    ['https://xn--pple-43d.com/', 'xn--pple-43d.com', PUNYCODE],
    ['https://аpple.com/', 'xn--pple-43d.com', PUNYCODE],
    ['https://login.xn--80ak6aa92e.com:444/', 'login.xn--80ak6aa92e.com:444', PUNYCODE],
    ['https://bank.example@evil.example/', 'evil.example', USER],
    ['https://:secret@evil.example/', 'evil.example', USER],
    ['https://a:b@xn--pple-43d.com/', 'xn--pple-43d.com', `${PUNYCODE}; ${USER}`],
  ])('warns of %s', (url, host, warning) => {
    expect(factsOf(url)).toEqual({ host, warning });
  });

  it.each([
    'http://example.com/',
    'http://localhost.example.com/',
    'http://notlocalhost/',
    'http://example.localhost/',
    'http://127.0.0.1.example.com/',
    'http://0.0.0.0/',
    'http://[::2]/',
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'ftp://example.com/',
    'custom-app://open',
    'ws://localhost/',
    'about:blank',
  ])('has %s opened by nobody', (url) => {
    expect(factsOf(url)).toBe('it is neither https nor http on loopback');
  });

  it.each([
    undefined,
    null,
    5,
    {},
    ['https://example.com/'],
    '',
    'example.com',
    '/path',
    'https://',
    'https://exa mple.com/',
    'not a url',
  ])('takes %p for no URL', (url) => {
    expect(factsOf(url)).toBe('it is not a URL');
  });
});

describe('a URL that reads differently from where it leads', () => {
  it.each([
    ['https://good.com\\@evil.com', 'https://good.com/@evil.com'],
    ['https:evil.com', 'https://evil.com/'],
    ['https://evil.com/\na', 'https://evil.com/a'],
  ])('%j comes with where it leads', (url, href) => {
    expect(factsOf(url)).toMatchObject({ warning: `it leads to ${href}` });
  });
});
