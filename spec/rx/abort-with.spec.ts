import { describe, expect, it } from '@jest/globals';
import { concat, firstValueFrom, NEVER, of, tap, throwError, timer } from 'rxjs';
import { abortWith } from '../../src/rx/index.js';
import { marbles } from '../support/marbles.js';

const given = (reason: unknown): unknown => ({ given: reason });

/** A controller whose signal counts the listeners it has. */
const counted = (): { readonly controller: AbortController; readonly listeners: () => number } => {
  const controller = new AbortController();
  const { signal } = controller;
  const on = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    on.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    on.delete(args[1]);
    remove(...args);
  };
  return { controller, listeners: () => on.size };
};

describe('abortWith', () => {
  it('mirrors its source when nobody aborts', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(' -a-b|');
      expectObservable(source$.pipe(abortWith(new AbortController().signal, given))).toBe('-a-b|');
      expectSubscriptions(source$.subscriptions).toBe('^---!');
    });
  });

  it("mirrors its source's error", () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(' -a#');
      expectObservable(source$.pipe(abortWith(new AbortController().signal, given))).toBe('-a#');
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    });
  });

  it('errors with what is made of the reason, and lets go of the source, at the moment of the abort', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const { controller, listeners } = counted();
      const source$ = cold(' -a-b-c-d|');
      timer(4).subscribe(() => controller.abort('enough'));
      expectObservable(source$.pipe(abortWith(controller.signal, given))).toBe('-a-b#', undefined, { given: 'enough' });
      expectSubscriptions(source$.subscriptions).toBe('^---!');
      timer(5).subscribe(() => expect(listeners()).toBe(0));
    });
  });

  it('has nothing left to abort, where the source has one value, once that is emitted', () => {
    const controller = new AbortController();
    const seen: unknown[] = [];
    of('a')
      .pipe(abortWith(controller.signal, given, true))
      .subscribe({
        next: (value) => {
          seen.push(value);
          controller.abort();
        },
        error: (reason: unknown) => seen.push(reason),
        complete: () => seen.push('done'),
      });
    expect(seen).toEqual(['a', 'done']);
  });

  it('never subscribes to the source when the signal was aborted beforehand', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(' -a|');
      expectObservable(source$.pipe(abortWith(AbortSignal.abort('before'), given))).toBe('#', undefined, {
        given: 'before',
      });
      expectSubscriptions(source$.subscriptions).toBe([]);
    });
  });

  it('lets go of the source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(' -a-b|');
      expectObservable(source$.pipe(abortWith(new AbortController().signal, given)), '^-!').toBe('-a-');
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    });
  });

  it('emits nothing more when the abort comes from within an emission', () => {
    marbles(({ expectObservable }) => {
      const controller = new AbortController();
      const aborting$ = concat(of('a', 'b', 'c'), NEVER).pipe(
        tap((value) => {
          if (value === 'b') controller.abort('inside');
        }),
        abortWith(controller.signal, given),
      );
      expectObservable(aborting$).toBe('(a#)', undefined, { given: 'inside' });
    });
  });

  it.each([
    ['has completed', of('a')],
    ['has failed', throwError(() => new Error('x'))],
    ['was left after its first value', concat(of('a'), NEVER)],
  ])('leaves no listener on the signal when the stream %s', async (_how, source$) => {
    const { controller, listeners } = counted();
    await firstValueFrom(source$.pipe(abortWith(controller.signal, given))).catch(() => undefined);
    expect(listeners()).toBe(0);
  });

  it('listens while the stream is open', () => {
    const { controller, listeners } = counted();
    const subscription = NEVER.pipe(abortWith(controller.signal, given)).subscribe();
    expect(listeners()).toBe(1);
    subscription.unsubscribe();
    expect(listeners()).toBe(0);
  });
});
