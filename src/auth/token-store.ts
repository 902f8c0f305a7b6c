import { type Observable, Observable as Stream } from 'rxjs';
import type { Answer } from '../rx/index.js';

/** What is kept under one key: an object that JSON can hold. It contains secrets. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/**
 * Where tokens and client ids are kept. Keys are texts that hold no secret; they name an issuer, a client and a resource.
 * Implement it to keep them elsewhere: in the keychain of the system, say. One that has not answered within a
 * minute, or has not handed out its lock, has failed, and is asked again by whoever comes next.
 */
export interface TokenStore {
  /** What is kept under a key; `undefined` if nothing is. */
  get(key: string): Answer<StoredRecord | undefined>;
  /** Keeps a record, in place of the one before, whole or not at all. */
  set(key: string, record: StoredRecord): Answer<unknown>;
  /** Forgets what is kept under a key, if anything is. */
  delete(key: string): Answer<unknown>;
  /**
   * Cold. Emits once when nobody else holds the lock of that key, holds it until it is unsubscribed, and does not complete.
   * Whoever else uses the same store waits for it; a holder that died holds nothing. Without it two processes may refresh at once.
   */
  lock?(key: string): Observable<unknown>;
}

/** Keeps records in memory, as long as the store lives. */
export class MemoryTokenStore implements TokenStore {
  readonly #records = new Map<string, StoredRecord>();
  /** Those who wait for the lock of a key; the first one holds it. */
  readonly #queues = new Map<string, (() => void)[]>();

  /** What is kept under a key. */
  get(key: string): StoredRecord | undefined {
    return this.#records.get(key);
  }

  /** Keeps a record. */
  set(key: string, record: StoredRecord): void {
    this.#records.set(key, record);
  }

  /** Forgets a record. */
  delete(key: string): void {
    this.#records.delete(key);
  }

  /** Emits once when the lock is held, in the order of asking; unsubscribing lets go. */
  lock(key: string): Observable<unknown> {
    return new Stream((subscriber) => {
      const queue = this.#queues.get(key) ?? [];
      this.#queues.set(key, queue);
      const enter = (): void => {
        subscriber.next(undefined);
      };
      queue.push(enter);
      if (queue.length === 1) enter();
      return () => {
        const wasFirst = queue[0] === enter;
        queue.splice(queue.indexOf(enter), 1);
        if (queue.length === 0) this.#queues.delete(key);
        else if (wasFirst) queue[0]?.();
      };
    });
  }
}
