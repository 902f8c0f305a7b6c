import type { Observable } from 'rxjs';
import { type Answer, answerOf, quietly, Reach } from '../rx/index.js';
import type { Era } from './versions.js';

/** What is remembered of one server. */
export interface EraVerdict {
  readonly era: Era;
  /** Over HTTP, the form of a legacy server that has only the oldest. */
  readonly form?: 'sse' | undefined;
}

/** Where verdicts are kept: a `Map`, or anything like it whose answers may be Promises or Observables. */
export interface EraStore {
  /** What is remembered of a server; nothing if nothing is. */
  get(key: string): Answer<EraVerdict | undefined>;
  /** Remembers a verdict, in place of the one before. */
  set(key: string, verdict: EraVerdict): unknown;
  /** Forgets a server. */
  delete(key: string): unknown;
}

/**
 * Remembers which era each server speaks, so that a connection after the first needs no probe. The keys
 * name a server by its command, arguments, directory and environment (hashed), or by its URL without the
 * query. Without a store it lives as long as the process. A store that fails, or has not answered after a
 * second, is a store that knows nothing (after such a second it is left alone for ten): no connection fails over it. MCP 2026-07-28 basic/versioning, "Backward Compatibility".
 */
export class EraCache {
  readonly #store: EraStore;
  readonly #reach = new Reach();

  /** @param store where the verdicts are kept; default a `Map` of its own */
  constructor(store: EraStore = new Map<string, EraVerdict>()) {
    this.#store = store;
  }

  /** Emits what is remembered of a server, or `undefined`, and completes. Never errors. */
  get(key: string): Observable<EraVerdict | undefined> {
    return this.#reach.atHand(answerOf(() => this.#store.get(key)));
  }

  /** Remembers a verdict. */
  set(key: string, verdict: EraVerdict): void {
    quietly(() => this.#store.set(key, verdict));
  }

  /** Forgets a verdict that proved wrong. */
  delete(key: string): void {
    quietly(() => this.#store.delete(key));
  }
}

/** The memory every client of this process shares unless it is given one of its own. */
export const processEraCache = /* @__PURE__ */ new EraCache();
