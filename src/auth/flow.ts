import { asyncScheduler, type Observable } from 'rxjs';
import type { Discovered } from './discover.js';
import type { Dpop, DpopKey } from './dpop.js';
import { answerFrom, failureOf, within } from './own-code.js';
import type { Pending } from './pending.js';
import { keptServer, type Tokens } from './records.js';
import type { AuthorizationState } from './states.js';
import type { StoredRecord, TokenStore } from './token-store.js';
import type { Asker, Granted } from './token-endpoint.js';
import type { Web } from './web.js';

/** What one flow works with. */
export interface Flow {
  /** The MCP server, and how it is told. */
  readonly server: URL;
  readonly told: string;
  readonly web: Web;
  readonly store: Store;
  /** What makes keys; none where tokens are not bound to any. */
  readonly dpop: Dpop | undefined;
  readonly signal: AbortSignal;
  readonly outcome$: Observable<'authorized' | 'failed'>;
  readonly tell: (state: AuthorizationState) => void;
}

/** What tokens are to be had for. */
export interface Goal {
  readonly discovered: Discovered;
  readonly scopes: readonly string[];
}

/** What of a goal is kept with its tokens. */
interface Kept {
  readonly discovered: Pick<Discovered, 'metadata' | 'resource'>;
  readonly scopes: readonly string[];
}

/** A way to tokens. */
export interface Grant {
  /** Names who the tokens are for, in the keys of the store. No secret. */
  readonly name: string;
  /** The issuer that the client belongs to, where that is known beforehand. */
  readonly issuer: string | undefined;
  /** Whether its credentials belong to one authorization server, and are told to no other. */
  readonly isBound: boolean;
  /** Whether somebody is asked. */
  readonly asks: boolean;
  /** False where somebody would have to be asked, and nobody is there. */
  readonly isReady: boolean;
  /** How long it may take, in ms, where somebody is asked. */
  readonly waitMs?: number | undefined;
  /** Whether it is worth asking for refresh tokens. */
  readonly refreshes: boolean;
  obtain(flow: Flow, goal: Goal): Promise<Tokens>;
  /** Goes on with what was begun before somebody left with the browser, by the answer they came back with. */
  finish?(flow: Flow, pending: Pending, answer: string | URL): Promise<Tokens>;
}

/** What a store did not keep, and what it has in its place. */
interface Unkept {
  readonly record: StoredRecord;
  readonly instead: string | undefined;
}

/**
 * How long a store may take to answer, in ms: a keychain may ask the person first, and others hold a lock for as long as a
 * refresh takes.
 */
const STORE_MS = 60_000;

/**
 * A token store, asked by promises. One that has not answered in time has failed, and whoever comes next asks again. What it
 * fails to keep is an error, and known here all the same: a refresh token that was used is of no use, and whoever agreed is
 * not to be asked again for want of space on a disk.
 */
export class Store {
  readonly #store: TokenStore;
  readonly #unkept = new Map<string, Unkept>();

  constructor(store: TokenStore) {
    this.#store = store;
  }

  /** Resolves to what is kept. */
  async get(key: string): Promise<StoredRecord | undefined> {
    const kept = await answerFrom('store.get', () => this.#store.get(key), STORE_MS);
    const unkept = this.#unkept.get(key);
    if (unkept === undefined) return kept;
    if (JSON.stringify(kept) === unkept.instead) return unkept.record;
    // Somebody else has kept something since.
    this.#unkept.delete(key);
    return kept;
  }

  /** Resolves when it is kept. */
  async set(key: string, record: StoredRecord): Promise<void> {
    try {
      await answerFrom('store.set', () => this.#store.set(key, record), STORE_MS);
      this.#unkept.delete(key);
    } catch (reason) {
      await this.#remember(key, record);
      throw reason;
    }
  }

  /** The same while nobody else has the lock of the key. */
  async keep(key: string, record: StoredRecord): Promise<void> {
    try {
      await this.locked(key, async () => this.set(key, record));
    } catch (reason) {
      await this.#remember(key, record);
      throw reason;
    }
  }

  /** Resolves when it is forgotten. */
  async delete(key: string): Promise<void> {
    this.#unkept.delete(key);
    await answerFrom('store.delete', () => this.#store.delete(key), STORE_MS);
  }

  /** Does some work while nobody else has the lock of a key. */
  async locked<T>(key: string, work: () => Promise<T>): Promise<T> {
    const store = this.#store;
    if (store.lock === undefined) return work();
    let release = (): void => undefined;
    try {
      await new Promise((resolve, reject) => {
        const holding = store
          .lock?.(key)
          .pipe(within(STORE_MS))
          .subscribe({ next: resolve, error: reject, complete: () => resolve(undefined) });
        release = () => {
          holding?.unsubscribe();
        };
      });
    } catch (reason) {
      throw failureOf('store.lock', reason);
    }
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #remember(key: string, record: StoredRecord): Promise<void> {
    const kept = await answerFrom('store.get', () => this.#store.get(key), STORE_MS).catch(() => undefined);
    this.#unkept.set(key, { record, instead: JSON.stringify(kept) });
  }
}

/** How long before their end tokens are refreshed, in ms: a tenth of their time, and this at most. */
const EARLY_MS = 60_000;

/** When tokens end, and from when on they are refreshed, if it was said how long they are good for (in seconds). */
export const timesOf = (expiresIn: number | undefined): Pick<Tokens, 'expiresAt' | 'refreshAt'> => {
  if (expiresIn === undefined) return {};
  const ms = expiresIn * 1_000;
  const expiresAt = asyncScheduler.now() + ms;
  // What is beyond all dates is for ever, and could not be kept.
  if (!Number.isSafeInteger(Math.floor(expiresAt))) return {};
  return { expiresAt, refreshAt: expiresAt - Math.min(EARLY_MS, ms / 10) };
};

/** What was granted, as it is kept. Scopes that are not named are those that were asked for. RFC 6749, section 5.1. */
export const tokensOf = ({ discovered, scopes }: Kept, { client, dpop }: Asker, granted: Granted): Tokens => ({
  server: keptServer(discovered.metadata),
  client,
  resource: discovered.resource,
  accessToken: granted.accessToken,
  scheme: granted.scheme,
  refreshToken: granted.refreshToken,
  ...timesOf(granted.expiresIn),
  asked: scopes,
  scopes: granted.scopes ?? scopes,
  dpopKey: dpop?.jwk,
});

/** The parameters that say what tokens are for. RFC 8707, section 2.2. */
export const parametersOf = ({ discovered, scopes }: Goal): Record<string, string> => ({
  ...(discovered.resource === undefined ? undefined : { resource: discovered.resource }),
  ...(scopes.length === 0 ? undefined : { scope: scopes.join(' ') }),
});

/** A key for the tokens of a flow, where they are bound to one. */
export const keyFor = async ({ dpop }: Flow): Promise<DpopKey | undefined> => dpop?.create();
