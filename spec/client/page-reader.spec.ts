import { describe, expect, it } from '@jest/globals';
import { concat, map, Observable, of, throwError, timer } from 'rxjs';
import { readPages } from '../../src/client/page-reader.js';
import type { PageSource } from '../../src/client/pages.js';
import { type CacheEntry, CancelledError, InvalidMessageError, ProtocolError } from '../../src/index.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

type Result = CacheEntry['result'];

const page = (name: string, nextCursor?: string, ttlMs = 1_000): Result => ({
  resultType: 'complete',
  name,
  ttlMs,
  ...(nextCursor === undefined ? undefined : { nextCursor }),
});

/** A page whose reading fails. */
const failing = (reason: unknown): Observable<Result> => throwError(() => reason);

const refused = (): Observable<Result> => failing(new ProtocolError(-32602, 'no such cursor'));

/** A list as a server has it, by cursor, and a place to keep it. */
const source = (pages: Record<string, Result | (() => Observable<Result>)>) => {
  const asked: string[] = [];
  const kept = new Map<string, CacheEntry>();
  const name = (cursor: string | undefined): string => (cursor === undefined ? 'first' : `:${cursor}`);
  const made: PageSource = {
    method: 'tools/list',
    fetch: (cursor) => {
      asked.push(name(cursor));
      const answer = pages[name(cursor)];
      if (answer === undefined) return failing(new ProtocolError(-32603, `no page ${name(cursor)}`));
      return typeof answer === 'function' ? answer() : of(answer);
    },
    kept: (cursor) => of(kept.get(name(cursor))),
    keep: (cursor, result, receivedAt, chain) => {
      const freshMs = result['ttlMs'] as number;
      kept.set(name(cursor), { result, freshUntil: receivedAt + freshMs, chain });
      return freshMs;
    },
  };
  return { asked, kept, pages, source: made };
};

let chains = 0;
const chain = (): string => String((chains += 1));

const read = (from: ReturnType<typeof source>, how: { refresh?: boolean; staleOnError?: boolean } = {}) =>
  watch(
    readPages(from.source, { refresh: how.refresh === true, staleOnError: how.staleOnError === true }, chain).pipe(
      map((pages) => pages.map(({ result }) => result['name'])),
    ),
  );

const TWO = { first: page('a', '2'), ':2': page('b') };

describe('reading the pages of a list', () => {
  it('asks for each by the cursor of the one before, and emits all of them once', () => {
    const list = source({ first: page('a', ''), ':': page('b', '3'), ':3': page('c') });
    const seen = read(list);
    expect(seen.values).toEqual([['a', 'b', 'c']]);
    expect(seen.completed).toBe(true);
    expect(list.asked).toEqual(['first', ':', ':3']);
  });

  it('takes the kept pages while all of them are fresh, and says how much longer they are', () => {
    inVirtualTime(({ at }) => {
      const list = source({ first: page('a', '2', 500), ':2': page('b', undefined, 800) });
      read(list);
      at(499, () => {
        const options = { refresh: false, staleOnError: false };
        const [pages] = watch(readPages(list.source, options, chain)).values;
        expect(pages?.map(({ result, freshMs }) => [result['name'], freshMs])).toEqual([
          ['a', 1],
          ['b', 301],
        ]);
        expect(list.asked).toHaveLength(2);
      });
    });
  });

  it.each([
    ['the first', 500, 800],
    ['a later one', 800, 500],
  ])('reads all of them anew, from the first, once %s has aged', (_which, firstMs, secondMs) => {
    inVirtualTime(({ at }) => {
      const list = source({ first: page('a', '2', firstMs), ':2': page('b', undefined, secondMs) });
      read(list);
      at(500, () => {
        list.pages['first'] = page('A', '2', 9);
        list.pages[':2'] = page('B', undefined, 9);
        expect(read(list).values).toEqual([['A', 'B']]);
        expect(list.asked).toEqual(['first', ':2', 'first', ':2']);
      });
    });
  });

  it('never mixes pages of two readings, whoever made them', () => {
    inVirtualTime(() => {
      const list = source({ ...TWO });
      read(list);
      const other = source({ first: page('A', '2'), ':2': page('B') });
      read(other);
      list.kept.set('first', other.kept.get('first')!);
      expect(read(list).values).toEqual([['a', 'b']]);
      expect(list.asked).toHaveLength(4);
      list.kept.delete(':2');
      expect(read(list).values).toEqual([['a', 'b']]);
      expect(list.asked).toHaveLength(6);
    });
  });

  it('asks the server, whatever is kept, for a refresh, and keeps what it has then', () => {
    inVirtualTime(() => {
      const list = source({ ...TWO });
      read(list);
      list.pages[':2'] = page('B');
      expect(read(list, { refresh: true }).values).toEqual([['a', 'B']]);
      expect(read(list).values).toEqual([['a', 'B']]);
      expect(list.asked).toHaveLength(4);
    });
  });

  it('starts anew where a cursor is refused that had just been given, once', () => {
    inVirtualTime(() => {
      const list = source({ ...TWO });
      let refusals = 1;
      list.pages[':2'] = () => {
        if (refusals === 0) return of(page('B'));
        refusals -= 1;
        return refused();
      };
      expect(read(list).values).toEqual([['a', 'B']]);
      expect(list.asked).toEqual(['first', ':2', 'first', ':2']);
      refusals = 2;
      const seen = read(list, { refresh: true });
      expect(seen.error).toEqual(new ProtocolError(-32602, 'no such cursor'));
      expect(list.asked).toHaveLength(8);
    });
  });

  it('does not take the refusal of the first page, which has no cursor, for one of a cursor', () => {
    const list = source({ first: refused });
    expect(read(list).error).toEqual(new ProtocolError(-32602, 'no such cursor'));
    expect(list.asked).toEqual(['first']);
  });

  it('keeps the pages once all of them are there, each with the time it came', () => {
    inVirtualTime(({ at }) => {
      const slowly = (result: Result) => (): Observable<Result> => timer(100).pipe(map(() => result));
      const list = source({ first: slowly(page('a', '2')), ':2': slowly(page('b')) });
      read(list);
      at(199, () => expect(list.kept.size).toBe(0));
      at(201, () => expect([...list.kept.values()].map(({ freshUntil }) => freshUntil)).toEqual([1_100, 1_200]));
    });
  });
});

describe('a list that fails to be read again', () => {
  it('is the stale one, whole, where that will do, and the error where it will not', () => {
    inVirtualTime(({ at }) => {
      const list = source({ ...TWO });
      read(list);
      at(5_000, () => {
        list.pages['first'] = page('A', '2');
        list.pages[':2'] = () => failing(new Error('down'));
        expect(read(list).error).toEqual(new Error('down'));
        expect(read(list, { refresh: true, staleOnError: true }).values).toEqual([['a', 'b']]);
        expect(read(list, { staleOnError: true }).values).toEqual([['a', 'b']]);
      });
    });
  });

  it('is the error where nothing, or not all of it, is kept', () => {
    inVirtualTime(() => {
      const down = (): Observable<Result> => failing(new Error('down'));
      expect(read(source({ first: down }), { staleOnError: true }).error).toEqual(new Error('down'));
      const half = source({ ...TWO });
      read(half);
      half.kept.delete(':2');
      half.pages['first'] = down;
      expect(read(half, { staleOnError: true }).error).toEqual(new Error('down'));
    });
  });

  it('is the server’s own refusal where a cursor was refused twice and nothing is kept', () => {
    const list = source({ first: page('a', '2'), ':2': refused });
    expect(read(list, { staleOnError: true }).error).toEqual(new ProtocolError(-32602, 'no such cursor'));
  });

  it('is no stale one where the caller itself gave it up', () => {
    inVirtualTime(() => {
      const list = source({ ...TWO });
      read(list);
      list.pages['first'] = () => failing(new CancelledError('tools/list', 1, 'enough'));
      expect(read(list, { refresh: true, staleOnError: true }).error).toBeInstanceOf(CancelledError);
    });
  });
});

describe('a list without end', () => {
  const loop = (): ReturnType<typeof source> =>
    source({ first: page('a', 'x'), ':x': page('b', 'y'), ':y': page('c', 'x') });

  it('is an InvalidMessageError where a cursor comes twice, and is not kept', () => {
    inVirtualTime(() => {
      const list = loop();
      const { error } = read(list);
      expect(error).toBeInstanceOf(InvalidMessageError);
      expect(error).toMatchObject({ method: 'tools/list', reason: 'the cursor "x" came twice' });
      expect(list.kept.size).toBe(0);
    });
  });

  it('that somebody kept is as if it were not kept', () => {
    inVirtualTime(() => {
      const list = source({ ...TWO });
      for (const [key, result] of Object.entries(loop().pages)) {
        list.kept.set(key, { result: result as Result, freshUntil: 1_000, chain: 'c' });
      }
      expect(read(list).values).toEqual([['a', 'b']]);
    });
  });
});

describe('leaving', () => {
  it('ends the page that is being read, and asks for no other', () => {
    inVirtualTime(({ at }) => {
      let left = 0;
      const never = new Observable<Result>(() => () => {
        left += 1;
      });
      const list = source({ first: page('a', '2'), ':2': () => concat(never) });
      const seen = read(list);
      at(10, () => {
        seen.subscription.unsubscribe();
        expect([left, list.asked, list.kept.size]).toEqual([1, ['first', ':2'], 0]);
      });
    });
  });
});
