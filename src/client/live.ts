import {
  catchError,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  map,
  merge,
  type Observable,
  of,
  ReplaySubject,
  retry,
  share,
  Subject,
  switchMap,
  take,
  takeUntil,
  tap,
  throttleTime,
  throwError,
  timer,
} from 'rxjs';
import { sameJson } from '../jsonrpc/same-json.js';
import { Backoff } from '../rx/index.js';
import { coalesceMap } from '../rx/coalesce-map.js';
import type { Signal } from './wants.js';

/** How long the first read waits for the subscription, so that no change falls between the two. */
const PATIENCE_MS = 2_000;
/** A storm of notices causes one read in this time. */
const STORM_MS = 400;
/** No list is read again sooner because it aged, whatever its server says. */
const LEAST_AGE_MS = 1_000;

/** A value, and how long it is fresh. */
export interface Reading<T> {
  readonly value: T;
  readonly ttlMs: number;
}

export interface LiveTerms<T> {
  /** What is heard of changes; subscribed once for all who look. Errors where there will never be anything to hear. */
  readonly signals$: Observable<Signal>;
  /** Reads the value from the server, whatever is kept. */
  readonly read: () => Observable<Reading<T>>;
  /** What stands for a value that was never read, where reading it fails in this way; `undefined` if that is an error. */
  readonly instead?: ((reason: unknown) => T | undefined) | undefined;
  /** The part of a value by which it is told whether it differs. Default: all of it. */
  readonly essence?: ((value: T) => unknown) | undefined;
  /** Completes the stream when it emits. */
  readonly closed$: Observable<unknown>;
  /** Whether the client is closed: what fails then is no failure. */
  readonly isClosed?: (() => boolean) | undefined;
  readonly warn: (reason: unknown) => void;
}

/**
 * A value that follows its server: emits it now and after each change, only where it differs, and replays the latest
 * to those who come later. All who look share one read and one subscription, which end with the last of them. The
 * first read's failure is the error; a later one is a warning and a retry with growing delays. Where the server does
 * not tell of changes the value is read again when it has aged.
 */
export const live = <T>({ signals$, read, instead, essence, closed$, warn, isClosed }: LiveTerms<T>): Observable<T> =>
  defer((): Observable<T> => {
    const backoff = new Backoff();
    const essenceOf = essence ?? ((value: T): unknown => value);
    // What a reading says of its age comes back as a reason to read: a loop no operator closes.
    const ages = new Subject<number>();
    let succeeded = false;
    // Whether there is a value, be it only one that stands for it.
    let known = false;
    let served = true;

    const heard$ = signals$.pipe(
      tap((signal) => {
        if (signal === 'ready') served = true;
        if (signal === 'unserved') served = false;
      }),
      share(),
    );
    const reading$: Observable<Reading<T>> = defer(read).pipe(
      tap(() => {
        succeeded = true;
        backoff.succeeded();
      }),
      catchError((reason: unknown) => {
        const value = succeeded ? undefined : instead?.(reason);
        if (value === undefined) return throwError(() => reason);
        warn(reason);
        return of({ value, ttlMs: 0 });
      }),
      tap(() => {
        known = true;
      }),
      retry({
        delay: (reason: unknown) => {
          if (!known) return throwError(() => reason);
          warn(reason);
          // News end the wait: they are what it waits for.
          const news$ = heard$.pipe(filter((signal) => signal === 'changed' || signal === 'ready'));
          return merge(backoff.next(), news$).pipe(take(1));
        },
      }),
    );

    const triggers$ = merge(
      heard$.pipe(filter((signal) => signal === 'ready' || signal === 'unserved')),
      heard$.pipe(
        filter((signal) => signal === 'changed'),
        throttleTime(STORM_MS, undefined, { leading: true, trailing: true }),
      ),
      // Nobody will say 'ready' where the connection broke before that: the read itself tells why.
      heard$.pipe(filter((signal) => signal === 'lost' && !known)),
      // Where none could be had it is known why: a read would start the server once more to say the same.
      heard$.pipe(
        concatMap((signal) => {
          const isVain = typeof signal === 'object' && !known;
          return isVain ? throwError(() => signal.unreachable) : EMPTY;
        }),
      ),
      timer(PATIENCE_MS).pipe(takeUntil(heard$)),
      ages.pipe(
        switchMap((ttlMs) => timer(Math.max(LEAST_AGE_MS, ttlMs) * (1 + Math.random() / 10))),
        filter(() => !served),
      ),
    );
    return triggers$.pipe(
      coalesceMap(() => reading$),
      tap(({ ttlMs }) => {
        if (!served && ttlMs > 0) ages.next(ttlMs);
      }),
      map(({ value }) => value),
      distinctUntilChanged((before, after) => sameJson(essenceOf(before), essenceOf(after))),
      // The end of the client is no failure of the list.
      catchError((reason: unknown) => (isClosed?.() === true ? EMPTY : throwError(() => reason))),
    );
  }).pipe(takeUntil(closed$), share({ connector: () => new ReplaySubject<T>(1), resetOnRefCountZero: true }));
