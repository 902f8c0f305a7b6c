import { describe, expect, it } from '@jest/globals';
import { type Distance, distanceOf, distanceOfAddress } from '../../../src/transport/http/addresses.js';

/** Each block of IPv4 that is not public, by its first and last address, and what stands beside it. */
const BLOCKS: readonly (readonly [string, string, string, string, Distance])[] = [
  ['0.0.0.0', '0.255.255.255', '1.0.0.0', '1.0.0.0', 'private'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0', 'private'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0', 'private'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0', 'loopback'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0', 'private'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0', 'private'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0', 'private'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0', 'private'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0', 'private'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0', 'private'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', '223.255.255.255', 'private'],
];

describe('the distance of an IPv4 address', () => {
  it.each(BLOCKS)('is not public from %s to %s, and is so beside that', (first, last, below, above, distance) => {
    expect([first, last].map(distanceOfAddress)).toEqual([distance, distance]);
    expect([below, above].map(distanceOfAddress)).toEqual(['public', 'public']);
  });

  it.each([
    // Each has the numbers of a block, in another place.
    '8.10.0.0',
    '8.168.0.0',
    '8.254.0.0',
    '8.64.0.0',
    '8.18.0.0',
    '8.19.0.0',
    '8.16.0.0',
    '8.0.0.0',
    '8.0.2.0',
    '192.8.0.1',
    '192.8.2.1',
  ])('is public where a block has its numbers elsewhere: %s', (address) => {
    expect(distanceOfAddress(address)).toBe('public');
  });

  it.each(['', 'localhost', '127.0.0', '127.0.0.1.example', 'a127.0.0.1', '1.2.3.4.5', '127.0.0.x'])(
    'is that of four numbers and of nothing else: %j',
    (address) => {
      expect(distanceOfAddress(address)).toBeUndefined();
    },
  );
});

describe('the distance of an IPv6 address', () => {
  it.each<readonly [Distance, readonly string[]]>([
    ['loopback', ['::1', '0:0:0:0:0:0:0:1', '::0.0.0.1', '::ffff:127.0.0.1', '::FFFF:7F00:1', '::ffff:7fff:ffff']],
    ['private', ['::', '::2', '::1:0', '1::', '::127.0.0.1', '::7f00:1', '1::1', '::1:1']],
    ['private', ['fc00::1', 'fd12::1', 'fe80::1', 'ff02::1', 'FE80::1', '100::1', '1fff::1', '4000::', 'ffff::']],
    ['public', ['2000::', '2606:4700::1111', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::1']],
    ['private', ['fe80::1%eth0', '2606:4700::1%1', '::1%lo']],
  ])('is %s by its first numbers: %j', (distance, addresses) => {
    expect(addresses.map(distanceOfAddress)).toEqual(addresses.map(() => distance));
  });

  it.each<readonly [string, Distance]>([
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:a00:1', 'private'],
    ['::ffff:192.168.17.18', 'private'],
    ['::ffff:192.0.2.1', 'private'],
    ['::ffff:192.0.1.1', 'public'],
    ['::ffff:172.31.255.255', 'private'],
    ['::ffff:172.32.0.0', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['::ffff:808:808', 'public'],
    ['::ffff:0:8.8.8.8', 'private'],
    ['::fffe:8.8.8.8', 'private'],
    ['1::ffff:8.8.8.8', 'private'],
    ['0:0:0:0:ffff:8:8:8', 'private'],
  ])('is that of the IPv4 address that is mapped: %s is %s', (address, distance) => {
    expect(distanceOfAddress(address)).toBe(distance);
  });

  it.each<readonly [string, Distance]>([
    ['64:ff9b::8.8.8.8', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['64:ff9b::127.0.0.1', 'private'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::', 'private'],
    ['64:ff9b:1::8.8.8.8', 'private'],
    ['64:ff9b:0:0:0:1:808:808', 'private'],
    ['64:ff9a::8.8.8.8', 'private'],
    ['65:ff9b::8.8.8.8', 'private'],
    ['2002:808:808::1', 'public'],
    ['2002:808:808:7f00:1::', 'public'],
    ['2002:7f00:1::', 'private'],
    ['2002:a00:1::8.8.8.8', 'private'],
  ])('is never this machine where it is translated on the way: %s is %s', (address, distance) => {
    expect(distanceOfAddress(address)).toBe(distance);
  });

  it.each<readonly [string, Distance]>([
    ['2001::1', 'private'],
    ['2001:1ff::1', 'private'],
    ['2001:200::1', 'public'],
    ['2001:db7::1', 'public'],
    ['2001:db8::1', 'private'],
    ['2001:db9::1', 'public'],
    ['2003:db8::1', 'public'],
    ['2004:1::1', 'public'],
  ])('is not public where it leads elsewhere or nowhere: %s is %s', (address, distance) => {
    expect(distanceOfAddress(address)).toBe(distance);
  });
});

describe('the distance of a URL', () => {
  const all = (hosts: readonly string[]): readonly Distance[] =>
    hosts.map((host) => distanceOf(new URL(`https://${host}/a`)));

  it.each<readonly [Distance, readonly string[]]>([
    ['loopback', ['localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'a.localhost', 'a.b.localhost']],
    ['loopback', ['127.0.0.1', '127.1', '0x7f000001', '[::1]', '127.0.0.1.']],
    ['private', ['printer', 'notlocalhost', 'intranet', '10.0.0.1', '[fd12::1]']],
    ['private', ['a.local', 'a.internal', 'a.lan', 'a.home.arpa', 'a.intranet', 'a.corp', 'a.home', 'a.private']],
    ['private', ['kubernetes.default.svc', 'Printer.LOCAL.', 'a.b.corp..']],
    ['public', ['as.example', 'a.local.example', 'local.example', 'alocal.example', 'localhost.example']],
    ['public', ['a.homearpa', 'a.xlocal', 'a.notlocalhost', '8.8.8.8', '[2606:4700::1]', 'as.example.']],
  ])('is %s: %j', (distance, hosts) => {
    expect(all(hosts)).toEqual(hosts.map(() => distance));
  });
});
