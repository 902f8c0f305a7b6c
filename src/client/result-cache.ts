import { catchError, concatMap, defaultIfEmpty, EMPTY, finalize, map, type Observable, of, timeout } from 'rxjs';
import { isObject } from '../jsonrpc/index.js';
import { jsonCopy } from '../jsonrpc/json-copy.js';
import type { Result } from '../protocol/index.js';
import { answerOf, quietly, Reach, STORE_PATIENCE_MS } from '../rx/index.js';
import type { Params } from '../session/index.js';
import { type CacheEntry, type CacheStore, MemoryCacheStore } from './cache.js';
import { DAY_MS, freshMsOf, leftOf, type Received, ttlOf } from './freshness.js';
import { freshUntilThen, isTextEntry, textEntry } from './text-entry.js';

/** How many entries are made stale at once. */
const SPOILING_AT_ONCE = 16;
/** How many wait for that, and how long their keys may be together. */
const SPOILING_CAP = 5_000;
const SPOILING_TEXT = 5_000_000;

/** Whose results they are. */
export interface CacheOwner {
  /** Names the server. */
  readonly server: string;
  /**
   * Names the credentials that are used with it: private results go to no other. Looked at each time, and nothing where they
   * have no name, or none any longer: then private results are this client's alone, and stay in this process.
   */
  readonly partition: string | undefined;
}

/** How keys begin: of what goes into the store, and of what no other client could find there. */
const [SHARED, OWN] = ['rx-mcp', 'own'];
const OWN_KEY = `["${OWN}"`;

const isEntry = (value: unknown): value is CacheEntry =>
  isObject(value) && (isTextEntry(value) || isObject(value['result'])) && typeof value['freshUntil'] === 'number';

/** A copy. A store of another kind, or one that was changed, is given plain objects. */
const entryFor = (store: CacheStore, entry: CacheEntry): CacheEntry => {
  if (store.constructor === MemoryCacheStore) return textEntry(entry);
  // It came as JSON, and is copied as such at a fraction of the cost.
  return { ...entry, result: jsonCopy(entry.result) as Result };
};

/**
 * The results of one client in a store that others may share. A key says everything a result depends on; a result that
 * is not said to be public is kept under the credentials as well, and where these have no name outside of the store. What
 * goes in and comes out is a copy: an application may change what it was given. Never errors. MCP 2026-07-28 server/utilities/caching.
 */
export class ResultCache {
  readonly #store: CacheStore;
  /** What is private where nobody knows whose it is. */
  readonly #own = new MemoryCacheStore();
  readonly #owner: CacheOwner;
  /** Keys whose entries are being made stale. Until the store has done so they are not read. */
  readonly #spoiling = new Set<string>();
  /** Those among them whose turn has not come, the oldest first, and how long they are together. */
  readonly #toSpoil = new Set<string>();
  #toSpoilText = 0;
  #spoilsNow = 0;
  /** Part of every key since so much changed at once that all that had been kept was given up. */
  #epoch: string | undefined;
  readonly #reach = new Reach();
  /** Keys that are being written, and those among them that changed meanwhile. */
  readonly #writing = new Map<string, object>();
  readonly #outdated = new Set<string>();

  constructor(store: CacheStore, owner: CacheOwner) {
    this.#store = store;
    this.#owner = owner;
  }

  /** Emits what is kept, fresh or not, or `undefined`, and completes. */
  get(version: string, method: string, params: Params): Observable<CacheEntry | undefined> {
    return this.#reach.atHand(
      this.#read(this.#key(version, method, params, true)).pipe(
        concatMap((entry) => (entry === undefined ? this.#read(this.#key(version, method, params, false)) : of(entry))),
      ),
    );
  }

  /**
   * Keeps a result as long and as widely as its server permits, and throws away what it replaces. Returns how long it
   * is fresh, in ms.
   */
  set(version: string, method: string, params: Params, { result, receivedAt, chain }: Received): number {
    const shared = result['cacheScope'] === 'public';
    const freshUntil = receivedAt + ttlOf(result);
    const freshMs = leftOf({ result, receivedAt });
    this.#delete(this.#key(version, method, params, shared));
    const key = this.#key(version, method, params, !shared);
    if (freshMs === 0) this.#delete(key);
    else {
      this.#spoiling.delete(key);
      this.#write(key, () => {
        const store = this.#storeOf(key);
        const entry = entryFor(store, { result, freshUntil, ...(chain === undefined ? undefined : { chain }) });
        // Kept past its freshness: a stale result may be asked for when the server fails.
        return store.set(key, entry, DAY_MS);
      });
    }
    return freshMs;
  }

  /** Makes what is kept under either scope stale, at once. */
  spoil(version: string, method: string, params: Params): void {
    for (const isPrivate of [true, false]) this.#spoil(this.#key(version, method, params, isPrivate));
  }

  #storeOf(key: string): CacheStore {
    return key.startsWith(OWN_KEY) ? this.#own : this.#store;
  }

  #key(version: string, method: string, params: Params, isPrivate: boolean): string {
    const { server, partition } = this.#owner;
    const begin = isPrivate && partition === undefined ? OWN : SHARED;
    const parts = [begin, server, version, method, params, isPrivate ? partition : null];
    return JSON.stringify(this.#epoch === undefined ? parts : [...parts, this.#epoch]);
  }

  #spoil(key: string): void {
    // What is on its way into the store is spoiled when it is there.
    if (this.#writing.has(key)) this.#outdated.add(key);
    // A storm of notices is no storm of questions to the store.
    if (this.#spoiling.has(key)) return;
    this.#spoiling.add(key);
    if (this.#spoilsNow < SPOILING_AT_ONCE) {
      this.#spoilNow(key);
      return;
    }
    this.#toSpoil.add(key);
    this.#toSpoilText += key.length;
    if (this.#toSpoil.size > SPOILING_CAP || this.#toSpoilText > SPOILING_TEXT) this.#forgetAll();
  }

  /** Gives up all that was kept: it is not found any longer, and grows old where it is. */
  #forgetAll(): void {
    this.#epoch = Math.random().toString(36).slice(2);
    for (const key of this.#toSpoil) this.#spoiling.delete(key);
    this.#toSpoil.clear();
    this.#toSpoilText = 0;
  }

  #spoilNext(): void {
    for (const key of this.#toSpoil) {
      if (this.#spoilsNow >= SPOILING_AT_ONCE) return;
      this.#toSpoil.delete(key);
      this.#toSpoilText -= key.length;
      // Meanwhile it may have been replaced.
      if (this.#spoiling.has(key)) this.#spoilNow(key);
    }
  }

  #spoilNow(key: string): void {
    this.#spoilsNow += 1;
    answerOf<unknown>(() => this.#storeOf(key).get(key))
      .pipe(
        concatMap((entry) => {
          // What was kept meanwhile is new.
          if (!this.#spoiling.has(key) || !isEntry(entry) || freshMsOf(entry) === 0) return EMPTY;
          return answerOf(() => this.#storeOf(key).set(key, freshUntilThen(entry, 0), DAY_MS));
        }),
        timeout({ first: STORE_PATIENCE_MS }),
        finalize(() => {
          this.#spoiling.delete(key);
          this.#spoilsNow -= 1;
          this.#spoilNext();
        }),
      )
      .subscribe({
        error: () => {
          this.#delete(key);
        },
      });
  }

  #read(key: string): Observable<CacheEntry | undefined> {
    if (this.#spoiling.has(key) || this.#outdated.has(key)) return of(undefined);
    return answerOf<unknown>(() => this.#storeOf(key).get(key)).pipe(
      map((entry) => {
        if (!isEntry(entry)) return undefined;
        return isTextEntry(entry) ? { ...entry } : { ...entry, result: structuredClone(entry.result) };
      }),
      defaultIfEmpty(undefined),
      catchError(() => of(undefined)),
    );
  }

  #delete(key: string): void {
    this.#spoiling.delete(key);
    quietly(() => this.#storeOf(key).delete(key));
  }

  /** Writes an entry; if it was outdated on the way, takes it back. */
  #write(key: string, work: () => unknown): void {
    this.#outdated.delete(key);
    const own = {};
    this.#writing.set(key, own);
    const written = (): void => {
      if (this.#writing.get(key) !== own) return;
      this.#writing.delete(key);
      if (this.#outdated.delete(key)) this.#delete(key);
    };
    answerOf(work).subscribe({ error: written, complete: written });
  }
}
