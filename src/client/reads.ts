import { AsyncSubject, catchError, concatMap, defer, finalize, type Observable, of, share, throwError } from 'rxjs';
import { type Agreement, isObject, type Result } from '../protocol/index.js';
import type { Params } from '../session/index.js';
import type { ReadOptions } from './call-options.js';
import { readPages } from './page-reader.js';
import type { Requests } from './requests.js';
import { isFresh, type ResultCache } from './result-cache.js';

/** A read that may be served from the cache. */
export interface Read {
  readonly method: string;
  readonly params: Params;
  readonly options: ReadOptions | undefined;
  /** Throws where the server cannot be asked such a thing. */
  readonly check: (agreement: Agreement) => void;
}

/** Says that nothing is asked for but freshness, so that the answer to another such read will do. */
const isPlain = (options: ReadOptions | undefined): boolean =>
  options === undefined ||
  (isObject(options) &&
    Object.entries(options).every(
      ([name, value]) => value === undefined || name === 'refresh' || name === 'staleOnError',
    ));

let chains = 0;

/**
 * Reads lists and resources: from the cache, as far as a modern server permits and never for a legacy one, and the
 * same read only once at a time. MCP 2026-07-28 server/utilities/caching.
 */
export class Reads {
  readonly #requests: Requests;
  readonly #cache: ResultCache;
  readonly #underWay = new Map<string, Observable<unknown>>();

  constructor(requests: Requests, cache: ResultCache) {
    this.#requests = requests;
    this.#cache = cache;
  }

  /** All pages of a list. Emits them once, in order, and completes. */
  pages(read: Read): Observable<Result[]> {
    const { method, params, options } = read;
    return this.#once(read, () =>
      this.#withVersion(read, (version) => {
        const fetch = (cursor: string | undefined): Observable<Result> => this.#fetch(read, { ...params, cursor });
        const keyOf = (cursor: string | undefined): Params => ({ ...params, cursor: cursor ?? null });
        return readPages(
          {
            method,
            fetch,
            kept: (cursor) => (version === undefined ? of(undefined) : this.#cache.get(version, method, keyOf(cursor))),
            keep: (cursor, page, chain) => {
              if (version !== undefined) this.#cache.set(version, method, keyOf(cursor), page, chain);
            },
          },
          { refresh: options?.refresh === true, staleOnError: options?.staleOnError === true },
          () => {
            chains += 1;
            return `${chains}.${Math.random().toString(36).slice(2)}`;
          },
        );
      }),
    );
  }

  /**
   * One result by its params. `ask` makes the request, and tells whether the result came without the application's
   * help: what depends on its answers is never kept.
   */
  result(
    read: Read,
    ask: () => Observable<{ readonly result: Result; readonly retried: boolean }>,
  ): Observable<Result> {
    const { method, params, options } = read;
    return this.#once(read, () =>
      this.#withVersion(read, (version) => {
        const asked$ = ask().pipe(
          concatMap(({ result, retried }) => {
            if (version !== undefined && !retried) this.#cache.set(version, method, params, result);
            return of(result);
          }),
        );
        if (version === undefined) return asked$;
        const kept$ = this.#cache.get(version, method, params);
        const patient$ = asked$.pipe(
          catchError((reason: unknown) => {
            if (options?.staleOnError !== true) return throwError(() => reason);
            return kept$.pipe(
              concatMap((entry) => (entry === undefined ? throwError(() => reason) : of(entry.result))),
            );
          }),
        );
        if (options?.refresh === true) return patient$;
        return kept$.pipe(concatMap((entry) => (entry !== undefined && isFresh(entry) ? of(entry.result) : patient$)));
      }),
    );
  }

  /** Throws away what a change notice makes stale. */
  forget(version: string, method: string, params: Params): void {
    this.#cache.delete(version, method, params);
  }

  #fetch({ method, options, check }: Read, params: Params): Observable<Result> {
    const given = params['cursor'] === undefined ? undefined : params;
    return this.#requests.run({ method, params: given, options, check, repeatable: () => true });
  }

  /** The version results are kept under; `undefined` where they are not kept. */
  #withVersion<T>(
    { method, options, check }: Read,
    next: (version: string | undefined) => Observable<T>,
  ): Observable<T> {
    return this.#requests.ready(method, options).pipe(
      concatMap(({ agreement }) => {
        check(agreement);
        const { era, protocolVersion } = agreement.server;
        return next(era === 'modern' ? protocolVersion : undefined);
      }),
    );
  }

  /** Identical reads that are under way are one. It ends when nobody waits for it any longer. */
  #once<T>({ method, params, options }: Read, start: () => Observable<T>): Observable<T> {
    if (!isPlain(options)) return start();
    return defer(() => {
      const key = JSON.stringify([method, params, options?.refresh === true, options?.staleOnError === true]);
      const known = this.#underWay.get(key) as Observable<T> | undefined;
      if (known !== undefined) return known;
      const shared$ = defer(start).pipe(
        finalize(() => {
          if (this.#underWay.get(key) === shared$) this.#underWay.delete(key);
        }),
        share({ connector: () => new AsyncSubject<T>(), resetOnRefCountZero: true }),
      );
      this.#underWay.set(key, shared$);
      return shared$;
    });
  }
}
