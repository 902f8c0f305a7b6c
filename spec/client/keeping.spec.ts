import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { EMPTY } from 'rxjs';
import { type CacheEntry, type CacheStore, type Connector, MemoryCacheStore } from '../../src/index.js';
import { cacheOf } from '../../src/client/keeping.js';
import type { ResultCache } from '../../src/client/result-cache.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const VERSION = '2026-07-28';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const opened = (members: Partial<Connector>, store?: CacheStore): ResultCache => {
  const connector: Connector = Object.assign(() => EMPTY, members);
  const [cache] = watch(cacheOf(connector, store)).values;
  if (cache === undefined) throw new Error('there is none');
  return cache;
};

/** Keeps a result under its scope. */
const keep = (cache: ResultCache, cacheScope: string, method: string = cacheScope): void => {
  cache.set(VERSION, method, {}, { result: { resultType: 'complete', ttlMs: 9, cacheScope }, receivedAt: 0 });
};

const has = (cache: ResultCache, method: string): boolean =>
  watch(cache.get(VERSION, method, {})).values[0] !== undefined;

/** What one client has kept, and of that another one finds. */
const sharing = (store: CacheStore, one: Partial<Connector>, other: Partial<Connector> = one): unknown => {
  const [mine, theirs] = [opened(one, store), opened(other, store)];
  keep(mine, 'public');
  keep(mine, 'private');
  return { mine: [has(mine, 'public'), has(mine, 'private')], theirs: [has(theirs, 'public'), has(theirs, 'private')] };
};

const ALL = { mine: [true, true], theirs: [true, true] };
const PUBLIC = { mine: [true, true], theirs: [true, false] };
const NONE = { mine: [true, true], theirs: [false, false] };

const by = (token: string | undefined): Partial<Connector> => ({
  ...{ identity: 'i', address: 'https://mcp.example/?a' },
  credentials: () => (token === undefined ? undefined : { token, tenant: 'blue' }),
});

describe.each<[string, () => Map<string, CacheEntry> | MemoryCacheStore]>([
  ['a Map', () => new Map<string, CacheEntry>()],
  ['a MemoryCacheStore', () => new MemoryCacheStore()],
])('two clients on %s', (_what, storeOf) => {
  it('find each other’s private results where they have the same credentials on the same server', () => {
    inVirtualTime(() => {
      expect(sharing(storeOf(), by('secret'))).toEqual(ALL);
      expect(sharing(storeOf(), { identity: 'i', partition: 'p' })).toEqual(ALL);
      expect(sharing(storeOf(), { ...by('secret'), partition: 'p' }, { ...by('other'), partition: 'p' })).toEqual(ALL);
      expect(sharing(storeOf(), { identity: 'i', credentials: () => ({ token: 'secret' }) })).toEqual(ALL);
    });
  });

  it('find the public ones alone where they have others, or some without a name', () => {
    inVirtualTime(() => {
      expect(sharing(storeOf(), by('secret'), by('other'))).toEqual(PUBLIC);
      expect(sharing(storeOf(), by(undefined))).toEqual(PUBLIC);
      expect(sharing(storeOf(), { identity: 'i' })).toEqual(PUBLIC);
      expect(sharing(storeOf(), { identity: 'i', partition: 'p' }, { identity: 'i', partition: 'q' })).toEqual(PUBLIC);
    });
  });

  it('find none where the server is another, or has no name', () => {
    inVirtualTime(() => {
      expect(sharing(storeOf(), by('secret'), { ...by('secret'), address: 'https://mcp.example/?b' })).toEqual(NONE);
      expect(sharing(storeOf(), { partition: 'p' })).toEqual(NONE);
      expect(sharing(storeOf(), { credentials: () => ({ token: 'secret' }) })).toEqual(NONE);
    });
  });
});

describe('a store that others share', () => {
  it('is given nothing that nobody could read again', () => {
    inVirtualTime(() => {
      const store = new Map<string, CacheEntry>();
      sharing(store, by(undefined));
      sharing(store, { identity: 'i' });
      sharing(store, {});
      expect([...store.keys()].map((key) => (JSON.parse(key) as unknown[])[3])).toEqual(['public', 'public']);
    });
  });

  it('is told no secret: a digest of url and credentials is in the keys', () => {
    inVirtualTime(() => {
      const store = new Map<string, CacheEntry>();
      keep(opened(by('secret'), store), 'private');
      const server = sha256('https://mcp.example/?a');
      const partition = sha256(JSON.stringify(['https://mcp.example/?a', '[["tenant","blue"],["token","secret"]]']));
      expect([...store.keys()]).toEqual([JSON.stringify(['rx-mcp', server, VERSION, 'private', {}, partition])]);
    });
  });

  it.each<[string, () => { token: string } | undefined]>([
    ['are not known', () => undefined],
    ['are others', () => ({ token: 'another' })],
    [
      'cannot be sent',
      () => {
        throw new Error('two lines');
      },
    ],
  ])('is given no private results any longer once the credentials %s, and gives none', (_how, now) => {
    inVirtualTime(() => {
      const store = new Map<string, CacheEntry>();
      const known = { token: 'secret' };
      let changed = (): typeof known | undefined => known;
      const cache = opened({ ...by(undefined), credentials: () => changed() }, store);
      keep(cache, 'private', 'before');
      changed = now;
      expect([store.size, has(cache, 'before')]).toEqual([1, false]);
      keep(cache, 'private', 'after');
      expect([store.size, has(cache, 'after')]).toEqual([1, true]);
      cache.spoil(VERSION, 'after', {});
      expect(watch(cache.get(VERSION, 'after', {})).values[0]?.freshUntil).toBe(0);
    });
  });

  describe('is asked by a page', () => {
    afterEach(() => {
      delete (globalThis as { location?: unknown }).location;
    });

    it.each([
      ['https://mcp.example', PUBLIC],
      ['https://mcp.example:8443', ALL],
      ['https://app.example', ALL],
      ['null', ALL],
    ])('and given private results unless cookies go along: %s', (origin, expected) => {
      Object.assign(globalThis, { location: { origin } });
      inVirtualTime(() => {
        expect(sharing(new Map<string, CacheEntry>(), by('secret'))).toEqual(expected);
        expect(sharing(new Map<string, CacheEntry>(), { identity: 'i', credentials: () => ({}) })).toEqual(ALL);
      });
    });
  });

  it('loses what is replaced by a private result of nobody known', () => {
    inVirtualTime(() => {
      const store = new Map<string, CacheEntry>();
      const cache = opened(by(undefined), store);
      keep(cache, 'public', 'm');
      keep(cache, 'private', 'm');
      expect([store.size, has(cache, 'm')]).toEqual([0, true]);
      keep(cache, 'public', 'm');
      expect([store.size, has(opened(by(undefined), store), 'm')]).toEqual([1, true]);
    });
  });
});

it('what one client has kept for itself is found by no other', () => {
  inVirtualTime(() => {
    const [one, other] = [opened(by('secret')), opened(by('secret'))];
    keep(one, 'public');
    expect([has(one, 'public'), has(other, 'public')]).toEqual([true, false]);
  });
});
