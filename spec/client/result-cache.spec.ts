import { afterEach, describe, expect, it, jest } from '@jest/globals';
import Keyv from 'keyv';
import { delay, EMPTY, firstValueFrom, NEVER, of, tap, throwError } from 'rxjs';
import { freshMsOf, isServersFailure, ttlOf } from '../../src/client/freshness.js';
import { type CacheOwner, ResultCache } from '../../src/client/result-cache.js';
import {
  type CacheEntry,
  type CacheStore,
  CancelledError,
  InvalidMessageError,
  MemoryCacheStore,
  OptionError,
  ProtocolError,
  TimeoutError,
  TransportClosedError,
  UnsupportedFeatureError,
} from '../../src/index.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const DAY_MS = 86_400_000;
const VERSION = '2026-07-28';
const OWNER: CacheOwner = { server: 'server', partition: 'mine' };

const result = (more: object): CacheEntry['result'] => ({ resultType: 'complete', ...more });

const keep = (cache: ResultCache, params: object, more: object, receivedAt = 0): number =>
  cache.set(VERSION, 'm', params as Record<string, unknown>, { result: result(more), receivedAt });

const read = (cache: ResultCache, params: object): Promise<CacheEntry | undefined> =>
  firstValueFrom(cache.get(VERSION, 'm', params as Record<string, unknown>));

/** What a synchronous store has at this moment. */
const now = (cache: ResultCache, params: object): CacheEntry | undefined => {
  const { values, completed } = watch(cache.get(VERSION, 'm', params as Record<string, unknown>));
  expect([values.length, completed]).toEqual([1, true]);
  return values[0];
};

describe('how long a result is fresh', () => {
  it.each([
    [{ ttlMs: 1 }, 1],
    [{ ttlMs: 60_000.5 }, 60_000.5],
    [{ ttlMs: DAY_MS + 1 }, DAY_MS],
    [{ ttlMs: Infinity }, DAY_MS],
    [{ ttlMs: 0 }, 0],
    [{ ttlMs: -5 }, 0],
    [{}, 0],
    [{ ttlMs: null }, 0],
    [{ ttlMs: '60000' }, 0],
    [{ ttlMs: Number.NaN }, 0],
  ])('is what its server says, as far as that is a time: %j is %p ms', (more, expected) => {
    expect(ttlOf(result(more))).toBe(expected);
  });

  it('is counted from its receipt, to the millisecond, and a day at most', () => {
    inVirtualTime(({ at }) => {
      const cache = new ResultCache(new MemoryCacheStore(), OWNER);
      const fresh = (key: string): number => freshMsOf(now(cache, { key })!);
      at(1_000, () => {
        expect(keep(cache, { key: 'short' }, { ttlMs: 500 }, 900)).toBe(400);
        expect(keep(cache, { key: 'long' }, { ttlMs: 10 * DAY_MS }, 1_000)).toBe(DAY_MS);
        expect([fresh('short'), fresh('long')]).toEqual([400, DAY_MS]);
      });
      at(1_399, () => expect(fresh('short')).toBe(1));
      at(1_400, () => expect(fresh('short')).toBe(0));
      at(1_000 + DAY_MS - 1, () => expect(fresh('long')).toBe(1));
      at(1_000 + DAY_MS, () => expect(fresh('long')).toBe(0));
    });
  });

  it('is nothing where an entry claims more than a day: somebody’s clock is wrong', () => {
    inVirtualTime(() => {
      const held = (freshUntil: number): CacheEntry => ({ result: result({}), freshUntil });
      expect(freshMsOf(held(DAY_MS))).toBe(DAY_MS);
      expect(freshMsOf(held(DAY_MS + 1))).toBe(0);
      expect(freshMsOf(held(Number.NaN))).toBe(0);
    });
  });
});

describe('the cache of results', () => {
  it('has a result under the very server, version, method and params it was kept with', () => {
    inVirtualTime(() => {
      const store = new MemoryCacheStore();
      const cache = new ResultCache(store, OWNER);
      cache.set(VERSION, 'm', { cursor: null }, { result: result({ ttlMs: 9, a: 1 }), receivedAt: 0, chain: 'c' });
      const at = (other: ResultCache, version: string, method: string, params: object): unknown =>
        watch(other.get(version, method, params as Record<string, unknown>)).values[0];
      expect(at(cache, VERSION, 'm', { cursor: null })).toEqual({
        result: result({ ttlMs: 9, a: 1 }),
        freshUntil: 9,
        chain: 'c',
      });
      expect(at(cache, '2027-01-01', 'm', { cursor: null })).toBeUndefined();
      expect(at(cache, VERSION, 'n', { cursor: null })).toBeUndefined();
      expect(at(cache, VERSION, 'm', { cursor: '' })).toBeUndefined();
      expect(at(cache, VERSION, 'm', {})).toBeUndefined();
      expect(at(new ResultCache(store, { ...OWNER, server: 'other' }), VERSION, 'm', { cursor: null })).toBeUndefined();
    });
  });

  it('shows a public result to every credential, and any other to its own alone', () => {
    inVirtualTime(() => {
      const store = new MemoryCacheStore();
      const mine = new ResultCache(store, OWNER);
      const theirs = new ResultCache(store, { ...OWNER, partition: 'theirs' });
      const scopes = ['public', 'private', undefined, null, 'PUBLIC', ['public']];
      scopes.forEach((cacheScope, key) => keep(mine, { key }, { ttlMs: 9, cacheScope }));
      expect(scopes.map((_, key) => now(mine, { key }) !== undefined)).toEqual([true, true, true, true, true, true]);
      expect(scopes.map((_, key) => now(theirs, { key }) !== undefined)).toEqual([
        true,
        false,
        false,
        false,
        false,
        false,
      ]);
    });
  });

  it('drops what a result replaces, under the other scope as well, and keeps none that is not fresh', () => {
    inVirtualTime(() => {
      const store = new MemoryCacheStore();
      const cache = new ResultCache(store, OWNER);
      const other = new ResultCache(store, { ...OWNER, partition: 'other' });
      keep(cache, {}, { ttlMs: 9, cacheScope: 'public', a: 1 });
      keep(cache, {}, { ttlMs: 9, cacheScope: 'private', a: 2 });
      expect([now(cache, {})?.result['a'], now(other, {})]).toEqual([2, undefined]);
      keep(cache, {}, { ttlMs: 9, cacheScope: 'public', a: 3 });
      expect([now(cache, {})?.result['a'], now(other, {})?.result['a'], store.size]).toEqual([3, 3, 1]);
      expect(keep(cache, {}, { ttlMs: 0 })).toBe(0);
      expect(store.size).toBe(0);
      keep(cache, {}, { ttlMs: 9 }, -9);
      expect(store.size).toBe(0);
    });
  });

  it('makes stale, not nothing, of what has changed, under either scope', () => {
    inVirtualTime(() => {
      const cache = new ResultCache(new MemoryCacheStore(), OWNER);
      keep(cache, { a: 1 }, { ttlMs: 9, cacheScope: 'public' });
      keep(cache, { a: 2 }, { ttlMs: 9 });
      keep(cache, { a: 3 }, { ttlMs: 9 });
      cache.spoil(VERSION, 'm', { a: 1 });
      cache.spoil(VERSION, 'm', { a: 2 });
      cache.spoil(VERSION, 'm', { a: 4 });
      expect([1, 2, 3, 4].map((a) => now(cache, { a })?.freshUntil)).toEqual([0, 0, 9, undefined]);
    });
  });

  it('is changed by nobody who changes what went in or came out', () => {
    inVirtualTime(() => {
      const map = new Map<string, CacheEntry>();
      for (const store of [new MemoryCacheStore(), map]) {
        const cache = new ResultCache(store, OWNER);
        const given = result({ ttlMs: 9, tools: [{ name: 'a' }] });
        cache.set(VERSION, 'm', {}, { result: given, receivedAt: 0 });
        (given['tools'] as { name: string }[])[0]!.name = 'changed';
        const first = now(cache, {})!.result['tools'] as { name: string }[];
        expect(first).toEqual([{ name: 'a' }]);
        first[0]!.name = 'changed';
        expect(now(cache, {})!.result['tools']).toEqual([{ name: 'a' }]);
      }
    });
  });
});

describe('a store of one’s own', () => {
  it('may be a Map', () => {
    inVirtualTime(() => {
      const map = new Map<string, CacheEntry>();
      const cache = new ResultCache(map, OWNER);
      keep(cache, {}, { ttlMs: 9, a: 1 });
      expect([map.size, now(cache, {})?.result['a']]).toEqual([1, 1]);
      cache.spoil(VERSION, 'm', {});
      expect(now(cache, {})?.freshUntil).toBe(0);
      keep(cache, {}, {});
      expect(map.size).toBe(0);
    });
  });

  it('may be a Keyv, which keeps JSON and answers with Promises', async () => {
    const keyv = new Keyv<CacheEntry>();
    const cache = new ResultCache(keyv, OWNER);
    const receivedAt = Date.now();
    keep(cache, {}, { ttlMs: 60_000, list: [{ a: [1] }] }, receivedAt);
    const until = async (isSo: (entry: CacheEntry | undefined) => boolean): Promise<CacheEntry | undefined> => {
      for (;;) {
        const entry = await read(cache, {});
        if (isSo(entry)) return entry;
      }
    };
    expect(await until((entry) => entry !== undefined)).toEqual({
      result: result({ ttlMs: 60_000, list: [{ a: [1] }] }),
      freshUntil: receivedAt + 60_000,
    });
    cache.spoil(VERSION, 'm', {});
    expect(await read(cache, {})).toBeUndefined();
    expect(await until((entry) => entry !== undefined)).toHaveProperty('freshUntil', 0);
    keep(cache, {}, {});
    expect(await until((entry) => entry === undefined)).toBeUndefined();
  });

  it('is told for how long to keep an entry: a day, for one that is stale may still be of use', () => {
    const told: unknown[] = [];
    const store: CacheStore = {
      get: () => undefined,
      set: (_key, _entry, ttlMs) => told.push(ttlMs),
      delete: () => undefined,
    };
    inVirtualTime(() => {
      keep(new ResultCache(store, OWNER), {}, { ttlMs: 5 });
    });
    expect(told).toEqual([DAY_MS]);
  });

  const answering = (get: () => unknown): CacheStore => ({
    get: get as CacheStore['get'],
    set: () => undefined,
    delete: () => undefined,
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['errors', () => throwError(() => new Error('down'))],
    ['answers with an Observable that completes empty', () => EMPTY],
    ['has null', () => Promise.resolve(null)],
    ['has a text', () => '{"result":{},"freshUntil":1}'],
    ['has a list', () => [1]],
    ['has an entry without a result', () => ({ freshUntil: 9 })],
    ['has a result that is a list', () => ({ result: [], freshUntil: 9 })],
    ['has a result that is null', () => ({ result: null, freshUntil: 9 })],
    ['has an entry without a time', () => ({ result: {} })],
    ['has a time that is a text', () => ({ result: {}, freshUntil: '9' })],
    ['has what cannot be copied', () => ({ result: { a: () => 1 }, freshUntil: 9 })],
  ])('has nothing where it %s', async (_how, get) => {
    const cache = new ResultCache(answering(get), OWNER);
    expect(await read(cache, {})).toBeUndefined();
    cache.spoil(VERSION, 'm', {});
    expect(await read(cache, {})).toBeUndefined();
  });

  it('that fails to keep or to drop fails no call', async () => {
    const failing: CacheStore[] = [
      {
        get: () => undefined,
        set: () => {
          throw new Error('full');
        },
        delete: () => {
          throw new Error('locked');
        },
      },
      {
        get: () => undefined,
        set: () => Promise.reject(new Error('full')),
        delete: () => throwError(() => new Error('locked')),
      },
    ];
    for (const store of failing) {
      const cache = new ResultCache(store, OWNER);
      expect(keep(cache, {}, { ttlMs: 5 }, Date.now())).toBeGreaterThan(0);
      keep(cache, {}, {});
      cache.spoil(VERSION, 'm', {});
      expect(await read(cache, {})).toBeUndefined();
    }
  });

  it('that never answers has nothing after a second', () => {
    inVirtualTime(({ at }) => {
      const seen = watch(
        new ResultCache(
          answering(() => NEVER),
          OWNER,
        ).get(VERSION, 'm', {}),
      );
      at(1_001, () =>
        expect(seen.marks).toEqual([
          [1_000, undefined],
          [1_000, '|'],
        ]),
      );
    });
  });

  describe('that is slow', () => {
    /** Answers after 10 ms, and keeps in the order in which it was told. */
    const slow = (): { store: CacheStore; gets: () => number; map: Map<string, CacheEntry> } => {
      const map = new Map<string, CacheEntry>();
      let asked = 0;
      const store: CacheStore = {
        get: (key) => {
          asked += 1;
          return of(map.get(key)).pipe(delay(10));
        },
        set: (key, kept) => map.set(key, kept),
        delete: (key) => map.delete(key),
      };
      return { store, map, gets: () => asked };
    };

    it('has nothing fresh from the moment of a change on', () => {
      inVirtualTime(({ at }) => {
        const cache = new ResultCache(slow().store, OWNER);
        keep(cache, {}, { ttlMs: 5_000 });
        at(100, () => {
          cache.spoil(VERSION, 'm', {});
          const seen = watch(cache.get(VERSION, 'm', {}));
          at(50, () => expect(seen.values).toEqual([undefined]));
        });
        at(200, () => {
          const seen = watch(cache.get(VERSION, 'm', {}));
          at(50, () => expect(seen.values).toEqual([expect.objectContaining({ freshUntil: 0 })]));
        });
      });
    });

    it('is asked once by a storm of changes', () => {
      inVirtualTime(({ at }) => {
        const { store, gets } = slow();
        const cache = new ResultCache(store, OWNER);
        for (let times = 0; times < 1_000; times += 1) cache.spoil(VERSION, 'm', {});
        at(50, () => expect(gets()).toBe(2));
      });
    });

    it('does not lose what is kept while a change is being noted', () => {
      inVirtualTime(({ at }) => {
        const { store } = slow();
        const cache = new ResultCache(store, OWNER);
        keep(cache, {}, { ttlMs: 5_000, a: 1 });
        at(100, () => {
          cache.spoil(VERSION, 'm', {});
          keep(cache, {}, { ttlMs: 5_000, a: 2 }, 100);
        });
        at(200, () => {
          const seen = watch(cache.get(VERSION, 'm', {}));
          at(50, () => expect(seen.values[0]).toMatchObject({ result: { a: 2 }, freshUntil: 5_100 }));
        });
      });
    });
  });
});

describe('a stale result may stand in', () => {
  it.each([
    [true, new ProtocolError(-32603, 'no')],
    [true, new TimeoutError('m', 1, 5)],
    [true, new InvalidMessageError('m', 1, 'no')],
    [true, new Error('any')],
    [false, new CancelledError('m', 1, 'no')],
    [false, new OptionError('x', 'no')],
    [false, new TransportClosedError()],
    [false, new UnsupportedFeatureError('x', 'modern')],
  ])('%p: for %s', (expected, reason) => {
    expect(isServersFailure(reason)).toBe(expected);
  });
});

describe('a change while the store is still writing', () => {
  it('makes what arrives there stale, and a later result is kept as ever', () => {
    inVirtualTime(({ at }) => {
      const entries = new Map<string, CacheEntry>();
      const store: CacheStore = {
        get: (key) => of(entries.get(key)).pipe(delay(5)),
        set: (key, entry) =>
          of(undefined).pipe(
            delay(200),
            tap(() => void entries.set(key, entry)),
          ),
        delete: (key) =>
          of(undefined).pipe(
            delay(5),
            tap(() => void entries.delete(key)),
          ),
      };
      const cache = new ResultCache(store, OWNER);
      keep(cache, { a: 1 }, { ttlMs: 60_000 });
      at(100, () => {
        cache.spoil(VERSION, 'm', { a: 1 });
      });
      const seen: unknown[] = [];
      at(500, () => {
        cache.get(VERSION, 'm', { a: 1 }).subscribe({ next: (entry) => seen.push(entry), error: () => undefined });
      });
      at(600, () => {
        expect(seen).toEqual([undefined]);
        keep(cache, { a: 1 }, { ttlMs: 60_000 }, 600);
      });
      at(900, () => {
        cache.get(VERSION, 'm', { a: 1 }).subscribe({ next: (entry) => seen.push(entry), error: () => undefined });
      });
      at(1_000, () => expect(seen[1]).toMatchObject({ freshUntil: 60_600 }));
    });
  });
});

describe('a storm of changes', () => {
  afterEach(() => void jest.useRealTimers());

  /** A store that answers by hand, and how much it is asked at once. */
  const slow = () => {
    const asked: { readonly key: string; readonly answer: (entry: undefined) => void }[] = [];
    const store: CacheStore = {
      get: (key) => new Promise((answer) => asked.push({ key, answer })),
      set: () => undefined,
      delete: () => undefined,
    };
    return { asked, store };
  };

  it('asks the store sixteen questions at once, and the next as one is answered', async () => {
    const { asked, store } = slow();
    const cache = new ResultCache(store, OWNER);
    for (let at = 0; at < 100; at += 1) cache.spoil(VERSION, 'm', { uri: `r:${at}` });
    expect(asked).toHaveLength(16);
    for (let at = 0; at < asked.length; at += 1) {
      asked[at]!.answer(undefined);
      await new Promise(setImmediate);
      expect(asked.length).toBe(Math.min(200, 17 + at));
    }
    expect(new Set(asked.map(({ key }) => key)).size).toBe(200);
  });

  it('of more than 5 000 entries gives up everything that was kept, and keeps anew', async () => {
    // Or the store would be given up, on a machine that is slow enough.
    jest.useFakeTimers();
    const entries = new Map<string, CacheEntry>();
    let isSlow = false;
    const store: CacheStore = {
      get: (key) => (isSlow ? NEVER : entries.get(key)),
      set: (key, entry) => entries.set(key, entry),
      delete: (key) => entries.delete(key),
    };
    const cache = new ResultCache(store, OWNER);
    keep(cache, { uri: 'a' }, { ttlMs: 60_000 }, Date.now());
    expect(await read(cache, { uri: 'a' })).toBeDefined();
    isSlow = true;
    for (let at = 0; at < 3_000; at += 1) cache.spoil(VERSION, 'm', { uri: `r:${at}` });
    isSlow = false;
    expect(await read(cache, { uri: 'a' })).toBeUndefined();
    keep(cache, { uri: 'a' }, { ttlMs: 60_000 }, Date.now());
    expect(await read(cache, { uri: 'a' })).toBeDefined();
  });
});
