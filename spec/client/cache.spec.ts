import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CacheEntry, MemoryCacheStore, OptionError } from '../../src/index.js';
import { thrownBy } from '../support/client/watch.js';

/** An entry whose JSON has so many characters. */
const entry = (characters = 70): CacheEntry => {
  const bare = { result: { resultType: 'complete' as const, text: '' }, freshUntil: 1 };
  const padding = characters - JSON.stringify(bare).length;
  return { ...bare, result: { ...bare.result, text: 'x'.repeat(padding) } };
};

const keysIn = (store: MemoryCacheStore, ...keys: readonly string[]): string[] =>
  keys.filter((key) => store.get(key) !== undefined);

describe('a store in memory', () => {
  it('has what was put into it until it is taken out or replaced', () => {
    const store = new MemoryCacheStore();
    const [one, two] = [entry(), entry()];
    expect(store.get('a')).toBeUndefined();
    store.set('a', one);
    expect(store.get('a')).toBe(one);
    store.set('a', two);
    expect([store.get('a'), store.size]).toEqual([two, 1]);
    store.delete('a');
    store.delete('never there');
    expect([store.get('a'), store.size]).toEqual([undefined, 0]);
  });

  it('throws away what was not asked for longest when it has more entries than it may', () => {
    const store = new MemoryCacheStore({ maxEntries: 2 });
    store.set('a', entry());
    store.set('b', entry());
    store.get('a');
    store.set('c', entry());
    expect(keysIn(store, 'a', 'b', 'c')).toEqual(['a', 'c']);
    store.set('a', entry());
    store.set('d', entry());
    expect(keysIn(store, 'a', 'b', 'c', 'd')).toEqual(['a', 'd']);
  });

  it('throws away as many as it takes when it has more bytes than it may, keys counted', () => {
    const store = new MemoryCacheStore({ maxBytes: 303 });
    for (const key of ['a', 'b', 'c']) store.set(key, entry(100));
    expect(keysIn(store, 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
    store.set('d', entry(101));
    expect(keysIn(store, 'a', 'b', 'c', 'd')).toEqual(['c', 'd']);
    store.set('e', entry(202));
    expect(keysIn(store, 'c', 'd', 'e')).toEqual(['e']);
  });

  it('keeps none that is larger than all of it, and loses nothing else over it', () => {
    const store = new MemoryCacheStore({ maxBytes: 202 });
    store.set('a', entry(100));
    store.set('b', entry(100));
    store.set('c', entry(203));
    expect(keysIn(store, 'a', 'b', 'c')).toEqual(['a', 'b']);
    store.set('a', entry(203));
    expect(keysIn(store, 'a', 'b')).toEqual(['b']);
  });

  it('has room again for what was replaced or taken out', () => {
    const store = new MemoryCacheStore({ maxBytes: 202 });
    for (let times = 0; times < 50; times += 1) {
      store.set('a', entry(100));
      store.set('b', entry(100));
      store.delete('b');
    }
    store.set('b', entry(100));
    expect(keysIn(store, 'a', 'b')).toEqual(['a', 'b']);
  });

  it('keeps a thousand entries unless told otherwise, and nothing where it may keep nothing', () => {
    const store = new MemoryCacheStore();
    for (let key = 0; key <= 1_000; key += 1) store.set(String(key), entry());
    expect([store.size, store.get('0')]).toEqual([1_000, undefined]);
    const none = new MemoryCacheStore({ maxEntries: 0 });
    none.set('a', entry());
    expect(none.size).toBe(0);
  });

  it.each([
    ['maxEntries', { maxEntries: -1 }],
    ['maxEntries', { maxEntries: 1.5 }],
    ['maxBytes', { maxBytes: Number.NaN }],
    ['maxBytes', { maxBytes: '1' }],
    ['maxEntires', { maxEntires: 5 }],
    ['options', null],
  ])('refuses %s as in %j', (option, options) => {
    const error = thrownBy(() => new MemoryCacheStore(options as object));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toHaveProperty('option', option);
  });

  it('is the store it was asked to be, whatever is done to it', () => {
    const step = fc.record({
      what: fc.constantFrom('set', 'get', 'delete'),
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      size: fc.integer({ min: 70, max: 400 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 0, max: 900 }),
        (steps, maxEntries, maxBytes) => {
          const store = new MemoryCacheStore({ maxEntries, maxBytes });
          // The same by hand: the latest last.
          let model: (readonly [string, CacheEntry])[] = [];
          const bytes = (): number =>
            model.reduce((sum, [key, held]) => sum + key.length + JSON.stringify(held).length, 0);
          for (const { what, key, size } of steps) {
            const held = model.find(([name]) => name === key);
            const others = model.filter(([name]) => name !== key);
            if (what === 'get') {
              expect(store.get(key)).toBe(held?.[1]);
              if (held !== undefined) model = [...others, held];
            } else if (what === 'delete') {
              store.delete(key);
              model = others;
            } else {
              const made = entry(size);
              store.set(key, made);
              model = size + 1 > maxBytes ? others : [...others, [key, made]];
              while (model.length > maxEntries || bytes() > maxBytes) model = model.slice(1);
            }
            expect(store.size).toBe(model.length);
          }
        },
      ),
    );
  });
});
