import {
  asyncScheduler,
  AsyncSubject,
  catchError,
  concatMap,
  defer,
  finalize,
  isObservable,
  map,
  type Observable,
  of,
  share,
  tap,
  throwError,
} from 'rxjs';
import { ProtocolError } from '../errors/index.js';
import { CODES, isObject } from '../jsonrpc/index.js';
import { type Agreement, MODERN_VERSIONS, type Result } from '../protocol/index.js';
import type { Params } from '../session/index.js';
import type { CacheEntry } from './cache.js';
import type { ReadOptions } from './call-options.js';
import { freshMsOf, isServersFailure, leftOf, type Received } from './freshness.js';
import { keeping } from './keeping-part.js';
import { readPages } from './page-reader.js';
import type { Page } from './pages.js';
import type { Requests } from './requests.js';
import type { ResultCache } from './result-cache.js';
import { readsOf, type Want } from './wants.js';

/** A read that may be served from the cache. */
export interface Read {
  readonly method: string;
  readonly params: Params;
  readonly options: ReadOptions | undefined;
  /** Throws where the server cannot be asked such a thing. */
  readonly check: (agreement: Agreement) => void;
  /** Whether something in a store can be such a result. */
  readonly fits: (result: Result) => boolean;
}

/** The server does not know a list. Only its own answer says so: a refused handshake is another matter. */
export class UnknownList extends Error {}

/** A read that is under way. */
interface Flight {
  readonly read: Read;
  /** What it reads changed after it began: nobody joins it any longer, and its result is not kept. */
  outdated: boolean;
}

/** Says that nothing is asked for but freshness, so that the answer to another such read will do. */
const isPlain = (options: ReadOptions | undefined): boolean =>
  options === undefined ||
  (isObject(options) &&
    Object.entries(options).every(
      ([name, value]) => value === undefined || name === 'refresh' || name === 'staleOnError',
    ));

let chains = 0;

const newChain = (): string => {
  chains += 1;
  return `${chains}.${Math.random().toString(36).slice(2)}`;
};

/**
 * Reads lists and resources: from the cache, as far as a modern server permits and never for a legacy one, and the
 * same read only once at a time. MCP 2026-07-28 server/utilities/caching.
 */
export class Reads {
  readonly #requests: Requests;
  readonly #makeCache: (() => Observable<ResultCache>) | undefined;
  #made: ResultCache | undefined;
  /** Whether there may be something in the cache: what others keep there, or what was kept here. */
  #mayHold: boolean;
  readonly #flights = new Set<Flight>();
  readonly #shared = new Map<string, { readonly read: Read; readonly answer$: Observable<unknown> }>();
  #seen: WeakSet<Result> | undefined;
  /** The version results were last kept under. */
  #version = MODERN_VERSIONS[0];

  /**
   * @param cache makes the cache, when it is needed first: emits it once; absent where nothing is to be kept
   * @param isShared whether others may keep something there, too
   */
  constructor(requests: Requests, cache: (() => Observable<ResultCache>) | undefined, isShared: boolean) {
    this.#requests = requests;
    this.#makeCache = cache;
    this.#mayHold = isShared && cache !== undefined;
  }

  /** All pages of a list. Emits them once, in order, and completes. */
  pages(read: Read): Observable<Page[]> {
    const { method, params, options } = read;
    return this.#once(read, (flight) =>
      this.#withVersion(read, (version, unreachable$) => {
        const keyOf = (cursor: string | undefined): Params => ({ ...params, cursor: cursor ?? null });
        return readPages(
          {
            method,
            fetch: (cursor) => unreachable$ ?? this.#fetch(read, { ...params, cursor }),
            kept: this.#made && ((cursor) => this.#kept(read, version, keyOf(cursor))),
            keep: (cursor, result, receivedAt, chain) =>
              version === undefined || flight.outdated
                ? 0
                : this.#keep(version, method, keyOf(cursor), { result, receivedAt, chain }),
            within: (pages$) => this.#requests.within(pages$, method, options),
          },
          options ?? {},
          newChain,
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
    return this.#once(read, (flight) =>
      this.#withVersion(read, (version, unreachable$) => {
        const asked$ = (unreachable$ ?? ask()).pipe(
          map(({ result, retried }) => {
            if (version !== undefined && !retried && !flight.outdated) {
              this.#keep(version, method, params, { result, receivedAt: asyncScheduler.now() });
            }
            return result;
          }),
        );
        if (this.#made === undefined) return asked$;
        const kept = (fresh: boolean): Observable<Result | undefined> =>
          this.#kept(read, version, params).pipe(
            map((entry) => (entry === undefined || (fresh && freshMsOf(entry) === 0) ? undefined : entry.result)),
          );
        return keeping.use(({ keptOr }) => keptOr(kept, asked$, options ?? {}));
      }),
    );
  }

  /** True once for each page, or other result, that was fetched: what is odd about it is worth telling once. */
  isNews({ result }: Pick<Page, 'result'>): boolean {
    if (this.#seen?.has(result) === true) return false;
    this.#see(result);
    return true;
  }

  /** Something has changed: what is kept of it is stale, and so will be what is being read. */
  changed(version: string | undefined, want: Want): void {
    this.renew(want);
    if (version === undefined || !this.#mayHold) return;
    const spoil = (cache: ResultCache | undefined): void => {
      for (const { method, uri } of readsOf(want)) {
        // A list whose first page is stale is stale, whatever is kept of the others.
        cache?.spoil(version, method, uri === undefined ? { cursor: null } : { uri });
      }
    };
    // Without a cache nothing is read from it, either.
    this.#opened().subscribe({ next: spoil, error: () => undefined });
  }

  /** What is being read may be outdated: the next read of it starts anew. */
  renew(want: Want): void {
    for (const { method, uri } of readsOf(want)) {
      const isMeant = (read: Read): boolean =>
        read.method === method && (uri === undefined || read.params['uri'] === uri);
      for (const flight of this.#flights) if (isMeant(flight.read)) flight.outdated = true;
      for (const [key, { read }] of this.#shared) if (isMeant(read)) this.#shared.delete(key);
    }
  }

  /** Emits the cache where there may be something in it, else nothing; once. */
  #opened(): Observable<ResultCache | undefined> {
    if (this.#made !== undefined || !this.#mayHold || this.#makeCache === undefined) return of(this.#made);
    return this.#makeCache().pipe(map((cache) => (this.#made ??= cache)));
  }

  /** Keeps a result, where it may be kept at all. Returns how long it is fresh, in ms. */
  #keep(version: string, method: string, params: Params, received: Received): number {
    if (this.#made !== undefined) return this.#made.set(version, method, params, received);
    const freshMs = leftOf(received);
    if (freshMs > 0 && this.#makeCache !== undefined) {
      // Whoever reads from now on waits for the cache, and finds it there.
      this.#mayHold = true;
      this.#opened().subscribe({
        next: (cache) => cache?.set(version, method, params, received),
        error: () => {
          this.#mayHold = false;
        },
      });
    }
    return freshMs;
  }

  #see(result: Result): void {
    this.#seen ??= new WeakSet();
    this.#seen.add(result);
  }

  #kept(read: Read, version: string | undefined, params: Params): Observable<CacheEntry | undefined> {
    if (version === undefined || this.#made === undefined) return of(undefined);
    return this.#made.get(version, read.method, params).pipe(
      map((entry) => (entry !== undefined && read.fits(entry.result) ? entry : undefined)),
      tap((entry) => {
        if (entry !== undefined) this.#see(entry.result);
      }),
    );
  }

  #fetch({ method, options, check }: Read, params: Params): Observable<Result> {
    const given = params['cursor'] === undefined ? undefined : params;
    return this.#requests.run({ method, params: given, options, check, repeatable: () => true }).pipe(
      catchError((reason: unknown) => {
        const unknown = reason instanceof ProtocolError && reason.code === CODES.methodNotFound;
        return throwError(() => (unknown ? new UnknownList() : reason));
      }),
    );
  }

  /**
   * Goes on with the version results are kept under; `undefined` where they are not kept. Where the server cannot be
   * reached and a stale result will do, with the last one, and with the failure in place of what it would answer.
   */
  #withVersion<T>(
    { method, options, check }: Read,
    next: (version: string | undefined, unreachable$?: Observable<never>) => Observable<T>,
  ): Observable<T> {
    return this.#requests.ready(method, options).pipe(
      map(({ agreement }) => agreement),
      catchError((reason: unknown) => {
        const failure$ = throwError(() => reason);
        return options?.staleOnError === true && isServersFailure(reason) ? of(failure$) : failure$;
      }),
      concatMap((reached) => {
        if (isObservable(reached)) return this.#opened().pipe(concatMap(() => next(this.#version, reached)));
        check(reached);
        const { era, protocolVersion } = reached.server;
        if (era === 'legacy') return next(undefined);
        this.#version = protocolVersion;
        if (this.#made !== undefined || !this.#mayHold) return next(protocolVersion);
        return this.#opened().pipe(concatMap(() => next(protocolVersion)));
      }),
    );
  }

  /** Identical reads that are under way are one. It ends when nobody waits for it any longer. */
  #once<T>(read: Read, start: (flight: Flight) => Observable<T>): Observable<T> {
    const flight$ = defer(() => {
      const flight = { read, outdated: false };
      this.#flights.add(flight);
      return start(flight).pipe(finalize(() => this.#flights.delete(flight)));
    });
    const { method, params, options } = read;
    if (!isPlain(options)) return flight$;
    return defer(() => {
      const key = JSON.stringify([method, params, options?.refresh === true, options?.staleOnError === true]);
      const known = this.#shared.get(key);
      if (known !== undefined) return known.answer$ as Observable<T>;
      const answer$ = flight$.pipe(
        finalize(() => {
          if (this.#shared.get(key)?.answer$ === answer$) this.#shared.delete(key);
        }),
        share({ connector: () => new AsyncSubject<T>(), resetOnRefCountZero: true }),
      );
      this.#shared.set(key, { read, answer$ });
      return answer$;
    });
  }
}
