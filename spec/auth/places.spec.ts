import { describe, expect, it } from '@jest/globals';
import { Places, told } from '../../src/auth/places.js';

const may = (server: string, url: string, allowPrivate = false): boolean => {
  try {
    new Places(new URL(server), allowPrivate).require(url, 'it');
    return true;
  } catch (reason) {
    expect(reason).toMatchObject({ name: 'AuthorizationError', problem: 'url' });
    return false;
  }
};

const PUBLIC = 'https://mcp.example/mcp';
const PRIVATE = [
  ...[
    '127.0.0.1',
    '127.9.9.9',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
  ],
  ...['100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '0x7f000001', '2130706433', '127.1', '0177.0.0.1'],
  ...['[::]', '[::1]', '[fc00::1]', '[fd12::1]', '[fe80::1]', '[ff02::1]', '[::ffff:192.168.0.1]', '[64:ff9b::7f00:1]'],
  ...['192.0.0.192', '[::7f00:1]', '[::127.0.0.1]', '[::ffff:0:7f00:1]', '[64:ff9b::]', '[64:ff9b:1::7f00:1]', '[::2]'],
  ...['[2002:7f00:1::]', '[2002:a00:1::]', '[fee0::1]', '[100::1]', '[2001::1]', '[2001:db8::1]', '[4000::1]'],
  ...['１２７。0。0。1', '0', '[0:0:0:0:0:0:0:1]', 'localhost..', 'ip6-localhost', 'kubernetes.default.svc'],
  ...['localhost', 'LOCALHOST.', 'a.localhost', 'printer', 'printer.local', 'vault.internal', 'nas.home.arpa'],
];
const OPEN = [
  'as.example',
  '8.8.8.8',
  '172.32.0.1',
  '192.169.0.1',
  '100.128.0.1',
  '[2606:4700::1]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::808:808]',
  '[2002:808:808::1]',
  '[2001:4860:4860::8888]',
  '[3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]',
  '192.0.1.1',
];

describe('where an authorization may lead', () => {
  it.each(PRIVATE)('a public server may not name %s, unless that is allowed', (host) => {
    expect(may(PUBLIC, `https://${host}/as`)).toBe(false);
    expect(may(PUBLIC, `https://${host}/as`, true)).toBe(true);
    expect(may('https://192.168.1.2/mcp', `https://${host}/as`)).toBe(true);
  });

  it.each(OPEN)('anybody may name %s', (host) => {
    expect(may(PUBLIC, `https://${host}/as`)).toBe(true);
    expect(may('http://localhost:3000/mcp', `https://${host}/as`)).toBe(true);
  });

  it.each([
    ...['http://as.example', 'http://192.168.0.1', 'javascript:alert(1)', 'data:text/html,a', 'file:///etc/passwd'],
    ...['ftp://as.example', 'https://a:b@as.example', 'as.example', ''],
  ])('nobody may name %j', (url) => {
    expect(may('http://localhost:3000/mcp', url, true)).toBe(false);
  });

  it('is loopback by http for a server there', () => {
    expect(may('http://localhost:3000/mcp', 'http://127.0.0.1:4000/as')).toBe(true);
  });

  it.each(['http://[64:ff9b::7f00:1]:4000', 'http://[2002:7f00:1::]:4000'])(
    'is not loopback where somebody in between would send it on: %s',
    (url) => {
      expect(may('http://localhost:3000/mcp', url)).toBe(false);
    },
  );

  it.each([
    ['https://as.example/a?key=secret#b', 'https://as.example/a'],
    ['javascript:alert("secret")', 'a javascript: URL'],
    ['secret', 'what is no URL'],
  ])('is told without what may be secret: %s', (url, expected) => {
    expect(told(url)).toBe(expected);
  });
});
