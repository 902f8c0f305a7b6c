import type { Result } from '../protocol/index.js';
import type { Answer } from '../rx/index.js';
import { checkOptions, whole } from '../jsonrpc/checks.js';
import { entryLength } from './text-entry.js';

/** A result that is kept. Plain JSON, so that any store can hold it. */
export interface CacheEntry {
  readonly result: Result;
  /** When it stops being fresh, in ms since the epoch. */
  readonly freshUntil: number;
  /** What ties the pages of one list together: a page goes only with the first page it was read after. */
  readonly chain?: string | undefined;
}

/**
 * Where results are kept: a `Map`, a Keyv, or anything like them. Answers may be Promises or Observables. A store that
 * fails, or has not answered after a second, is a store that has nothing: no call fails over it. Share one between
 * clients, or between processes.
 */
export interface CacheStore {
  /** What is kept under a key; nothing if nothing is. */
  get(key: string): Answer<CacheEntry | undefined>;
  /**
   * Keeps an entry under a key, in place of the one before.
   * @param ttlMs when the store may throw the entry away, in ms from now
   */
  set(key: string, entry: CacheEntry, ttlMs: number): unknown;
  /** Forgets what is kept under a key. */
  delete(key: string): unknown;
}

/** Bounds of a {@link MemoryCacheStore}. */
export interface MemoryCacheOptions {
  /** How many entries are kept. Default 1 000. */
  readonly maxEntries?: number | undefined;
  /** How many bytes of JSON, counted as UTF-16 code units. Default 32 MiB (33 554 432). */
  readonly maxBytes?: number | undefined;
}

const BOUNDS = { maxEntries: whole(0), maxBytes: whole(0) };

/** A store in this process that throws away what was not asked for longest when it is full. */
export class MemoryCacheStore implements CacheStore {
  /** In order of use, the latest last. */
  readonly #entries = new Map<string, { readonly entry: CacheEntry; readonly bytes: number }>();
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  #bytes = 0;

  /** Throws `OptionError`. */
  constructor(options: MemoryCacheOptions = {}) {
    checkOptions(options, BOUNDS, 'options');
    const { maxEntries = 1_000, maxBytes = 33_554_432 } = options;
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** How many entries there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** What is kept under a key; asking makes it the last to be thrown away. */
  get(key: string): CacheEntry | undefined {
    const held = this.#entries.get(key);
    if (held === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, held);
    return held.entry;
  }

  /** Keeps an entry. One larger than the whole store is not kept. */
  set(key: string, entry: CacheEntry): void {
    this.delete(key);
    const bytes = key.length + entryLength(entry);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(key, { entry, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  /** Throws an entry away. */
  delete(key: string): void {
    const held = this.#entries.get(key);
    if (held === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= held.bytes;
  }
}
