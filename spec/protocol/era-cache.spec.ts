import { describe, expect, it, jest } from '@jest/globals';
import { delay, EMPTY, firstValueFrom, map, NEVER, of, throwError, timer, toArray } from 'rxjs';
import { EraCache, type EraStore, type EraVerdict, processEraCache } from '../../src/protocol/index.js';
import { marbles } from '../support/marbles.js';

const legacy: EraVerdict = { era: 'legacy' };

const storeOf = (part: Partial<EraStore>): EraStore => ({
  get: () => undefined,
  set: () => undefined,
  delete: () => undefined,
  ...part,
});

const thrower = (): never => {
  throw new Error('disk');
};

describe('EraCache', () => {
  it('remembers what it is told, and forgets it', () => {
    marbles(({ expectObservable }) => {
      const cache = new EraCache();
      cache.set('a', legacy);
      cache.set('b', { era: 'modern' });
      expectObservable(cache.get('a')).toBe('(x|)', { x: legacy });
      expectObservable(cache.get('b')).toBe('(x|)', { x: { era: 'modern' } });
      expectObservable(cache.get('c')).toBe('(x|)', { x: undefined });
    });
    const cache = new EraCache();
    cache.set('a', legacy);
    cache.delete('a');
    marbles(({ expectObservable }) => {
      expectObservable(cache.get('a')).toBe('(x|)', { x: undefined });
    });
  });

  it('has a memory of its own unless it is given one', () => {
    new EraCache().set('a', legacy);
    const store = new Map<string, EraVerdict>();
    new EraCache(store).set('a', legacy);
    expect(store.get('a')).toBe(legacy);
    marbles(({ expectObservable }) => {
      expectObservable(new EraCache().get('a')).toBe('(x|)', { x: undefined });
      expectObservable(new EraCache(store).get('a')).toBe('(x|)', { x: legacy });
    });
  });

  it('waits for a store that answers with an Observable', () => {
    marbles(({ cold, expectObservable }) => {
      const answer$ = cold('                                               ---a|', { a: legacy });
      expectObservable(new EraCache(storeOf({ get: () => answer$ })).get('k')).toBe('----(a|)', { a: legacy });
    });
  });

  it('waits for a store that answers with a Promise', async () => {
    const cache = new EraCache(storeOf({ get: (key) => Promise.resolve(key === 'k' ? legacy : undefined) }));
    expect(await firstValueFrom(cache.get('k').pipe(toArray()))).toEqual([legacy]);
    expect(await firstValueFrom(cache.get('l').pipe(toArray()))).toStrictEqual([undefined]);
  });

  it.each<[string, EraStore['get']]>([
    ['throws', thrower],
    ['rejects', () => Promise.reject(new Error('disk'))],
    ['errors', () => throwError(() => new Error('disk'))],
    ['has no answer', () => EMPTY],
  ])('knows nothing where its store %s', async (_how, get) => {
    expect(await firstValueFrom(new EraCache(storeOf({ get })).get('k').pipe(toArray()))).toStrictEqual([undefined]);
  });

  it.each<[string, () => unknown]>([
    ['throws', thrower],
    ['rejects', () => Promise.reject(new Error('disk'))],
    ['errors', () => throwError(() => new Error('disk'))],
    ['answers', () => of('ok')],
  ])('goes on where its store %s as it is written to', async (_how, work) => {
    const set = jest.fn(work);
    const forget = jest.fn(work);
    const cache = new EraCache(storeOf({ set, delete: forget }));
    cache.set('k', legacy);
    cache.delete('k');
    await Promise.resolve();
    expect(set.mock.calls).toEqual([['k', legacy]]);
    expect(forget.mock.calls).toEqual([['k']]);
  });

  it('knows nothing where its store has not answered after a second, and hears no answer after that', () => {
    marbles(({ expectObservable }) => {
      const late$ = of(legacy).pipe(delay(1_001));
      expectObservable(new EraCache(storeOf({ get: () => NEVER })).get('k')).toBe('1s (x|)', { x: undefined });
      expectObservable(new EraCache(storeOf({ get: () => late$ })).get('k')).toBe('1s (x|)', { x: undefined });
    });
  });

  it.each<[string, () => unknown]>([
    ['never answers', () => NEVER],
    ['answers late', () => timer(5_000)],
  ])('waits for nothing where its store %s as it is written to', (_how, work) => {
    marbles(({ expectObservable }) => {
      const cache = new EraCache(storeOf({ get: () => legacy, set: work, delete: work }));
      cache.set('k', legacy);
      cache.delete('k');
      expectObservable(cache.get('k')).toBe('(x|)', { x: legacy });
    });
  });

  it('writes through a store that works by subscription', () => {
    marbles(({ expectObservable }) => {
      const written: string[] = [];
      const cache = new EraCache(
        storeOf({
          set: (key) => timer(3).pipe(map(() => written.push(key))),
          get: () => timer(4).pipe(map(() => (written.includes('k') ? legacy : undefined))),
        }),
      );
      cache.set('k', legacy);
      expectObservable(cache.get('k')).toBe('----(a|)', { a: legacy });
    });
  });
});

it('one memory is shared by the process', () => {
  expect(processEraCache).toBeInstanceOf(EraCache);
});
