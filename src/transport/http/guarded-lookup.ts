import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { distanceOfAddress, PRIVATE_ADDRESS } from './addresses.js';

/**
 * Which hosts were found at public addresses, and which at private ones alone, the latest found last. Once public is public: names
 * may change their minds.
 */
const found = new Map<string, 'public' | 'private'>();

/** How many are remembered: servers name hosts, and may name ever others. Whoever is forgotten counts as one that was never looked up. */
const MOST = 10_000;

const remember = (hostname: string, what: 'public' | 'private'): void => {
  found.delete(hostname);
  found.set(hostname, what);
  if (found.size > MOST) {
    for (const [oldest] of found) {
      found.delete(oldest);
      break;
    }
  }
};

/** Whether connections to a host went to private addresses alone. */
export const isFoundPrivate = (hostname: string): boolean => found.get(hostname) === 'private';

const isPublic = ({ address }: dns.LookupAddress): boolean => distanceOfAddress(address) === 'public';

/**
 * The look-up of connections, which takes note of what it finds. With `guards` it gives no private address away, and fails
 * where there is no other: it is the connection's own, so that a name cannot mean one address when it is looked at, and
 * another one when it is used.
 */
export const lookupWith =
  (guards: boolean): LookupFunction =>
  (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const isOpen = error === null && addresses.some(isPublic);
      if (isOpen) remember(hostname, 'public');
      else if (error === null) remember(hostname, found.get(hostname) ?? 'private');
      const given = error === null && guards ? addresses.filter(isPublic) : addresses;
      const [first] = given ?? [];
      if (error !== null) callback(error, '');
      else if (first === undefined)
        callback(Object.assign(new Error('a private address'), { code: PRIVATE_ADDRESS }), '');
      else if (options.all === true) callback(null, given);
      else callback(null, first.address, first.family);
    });
  };
