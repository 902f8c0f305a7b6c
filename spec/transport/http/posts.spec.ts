import { describe, expect, it } from '@jest/globals';
import { NEVER, Subject, Subscription } from 'rxjs';
import { TimeoutError, UnsentError } from '../../../src/errors/index.js';
import { Posts } from '../../../src/transport/http/posts.js';
import { marbles } from '../../support/marbles.js';

/** So many exchanges that are worked by hand, and what became of each. */
const posting = (count: number) => {
  const posts = new Posts();
  const exchanges = Array.from({ length: count }, () => new Subject<string>());
  const ends: unknown[] = [];
  const all = exchanges.map((exchange) =>
    posts.one(exchange, 'notice').subscribe({
      error: (reason: unknown) => ends.push(reason),
      complete: () => ends.push('done'),
    }),
  );
  const out = (): number => exchanges.filter(({ observed }) => observed).length;
  return { exchanges, all, ends, out };
};

describe('Posts', () => {
  it('has 64 exchanges out at once, and begins the next, the oldest first, when one ends, fails or is given up', () => {
    const { exchanges, all, ends, out } = posting(70);
    expect([out(), exchanges[63]!.observed, exchanges[64]!.observed]).toEqual([64, true, false]);
    exchanges[0]!.complete();
    expect([out(), exchanges[64]!.observed]).toEqual([64, true]);
    exchanges[1]!.error('failed');
    all[2]!.unsubscribe();
    // One that waits leaves the line.
    all[67]!.unsubscribe();
    exchanges[3]!.complete();
    expect([out(), exchanges[67]!.observed, exchanges[68]!.observed]).toEqual([64, false, true]);
    expect(ends).toEqual(['done', 'failed', 'done']);
    for (const one of all) one.unsubscribe();
    expect(out()).toBe(0);
  });

  it('ends one that is not accepted within 30 s, counted from its turn', () => {
    marbles(({ expectObservable, cold }) => {
      const posts = new Posts();
      const others = new Subscription();
      for (let at = 0; at < 64; at += 1) others.add(posts.one(NEVER, 'other').subscribe({ error: () => undefined }));
      expectObservable(posts.one(NEVER, 'notifications/cancelled')).toBe(
        '60s #',
        undefined,
        new TimeoutError('notifications/cancelled', undefined, 30_000),
      );
      expectObservable(cold('1s (a|)')).toBe('1s (a|)');
    });
  });

  it('takes no more than a thousand that wait', () => {
    const { all, ends } = posting(64 + 1_001);
    expect(ends).toEqual([expect.any(UnsentError)]);
    for (const one of all) one.unsubscribe();
  });
});
