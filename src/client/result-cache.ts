import { asyncScheduler, catchError, concatMap, map, type Observable, of } from 'rxjs';
import { isObject, type Result } from '../protocol/index.js';
import { answerOf } from '../rx/index.js';
import type { Params } from '../session/index.js';
import type { CacheEntry, CacheStore } from './cache.js';

/** No result is kept longer, whatever its server says. */
const DAY_MS = 86_400_000;

/** Whose results they are. */
export interface CacheOwner {
  /** Names the server. */
  readonly server: string;
  /** Names the credentials that are used with it: private results go to no other. */
  readonly partition: string;
}

/** How long a result is fresh, in ms: what is no positive number counts as not at all. MCP 2026-07-28 server/utilities/caching. */
export const ttlOf = ({ ttlMs }: Result): number =>
  typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(ttlMs, DAY_MS) : 0;

const isEntry = (value: unknown): value is CacheEntry =>
  isObject(value) && isObject(value['result']) && typeof value['freshUntil'] === 'number';

/**
 * The results of one client in a store that others may share. A key says everything a result depends on; a result that
 * is not said to be public is kept under the credentials as well. Never errors. MCP 2026-07-28 server/utilities/caching.
 */
export class ResultCache {
  readonly #store: CacheStore;
  readonly #owner: CacheOwner;

  constructor(store: CacheStore, owner: CacheOwner) {
    this.#store = store;
    this.#owner = owner;
  }

  /** Emits what is kept, fresh or not, or `undefined`, and completes. */
  get(version: string, method: string, params: Params): Observable<CacheEntry | undefined> {
    return this.#read(this.#key(version, method, params, true)).pipe(
      concatMap((entry) => (entry === undefined ? this.#read(this.#key(version, method, params, false)) : of(entry))),
    );
  }

  /** Keeps a result as long and as widely as its server permits, and throws away what it replaces. */
  set(version: string, method: string, params: Params, result: Result, chain?: string): void {
    const shared = result['cacheScope'] === 'public';
    const ttlMs = ttlOf(result);
    this.#delete(this.#key(version, method, params, shared));
    const key = this.#key(version, method, params, !shared);
    if (ttlMs === 0) this.#delete(key);
    else {
      const entry: CacheEntry = {
        result,
        freshUntil: asyncScheduler.now() + ttlMs,
        ...(chain === undefined ? undefined : { chain }),
      };
      // Kept past its freshness: a stale result may be asked for when the server fails.
      this.#quietly(() => this.#store.set(key, entry, DAY_MS));
    }
  }

  /** Throws away what is kept under either scope. */
  delete(version: string, method: string, params: Params): void {
    this.#delete(this.#key(version, method, params, true));
    this.#delete(this.#key(version, method, params, false));
  }

  #key(version: string, method: string, params: Params, isPrivate: boolean): string {
    const { server, partition } = this.#owner;
    return JSON.stringify(['rx-mcp', server, version, method, params, isPrivate ? partition : null]);
  }

  #read(key: string): Observable<CacheEntry | undefined> {
    return answerOf<unknown>(() => this.#store.get(key)).pipe(
      map((entry) => (isEntry(entry) ? entry : undefined)),
      catchError(() => of(undefined)),
    );
  }

  #delete(key: string): void {
    this.#quietly(() => this.#store.delete(key));
  }

  #quietly(work: () => unknown): void {
    answerOf(work).subscribe({ error: () => undefined });
  }
}

/** Whether an entry is still as good as new. */
export const isFresh = ({ freshUntil }: CacheEntry): boolean => asyncScheduler.now() < freshUntil;
