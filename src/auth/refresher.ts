import { asyncScheduler } from 'rxjs';
import { asMcpError, type McpError } from '../errors/index.js';
import { AuthorizationError } from './authorization-error.js';
import { forgetUnknown } from './clients.js';
import type { Dpop } from './dpop.js';
import type { Store } from './flow.js';
import { timesOf } from './flow.js';
import type { ClientKey } from './options.js';
import { readTokens, toRecord, type Tokens } from './records.js';
import type { AuthorizationState } from './states.js';
import { TokenEndpoint } from './token-endpoint.js';
import type { Web } from './web.js';

/** What one refresh works with. */
export interface Refreshing {
  /** The MCP server, as it is told. */
  readonly told: string;
  readonly web: Web;
  readonly dpop: Dpop;
  readonly key: ClientKey | undefined;
  readonly tell: (state: AuthorizationState) => void;
  /** Told how a refresh that was begun here ended, where no flow says it: with tokens, with what it failed of, or with neither. */
  readonly ended?: ((tokens: Tokens | undefined, error: McpError | undefined) => void) | undefined;
}

/** Whether tokens are to be refreshed before they are used again. */
export const isStale = ({ refreshAt }: Tokens): boolean => refreshAt !== undefined && asyncScheduler.now() >= refreshAt;

/** Whether tokens are of no use any longer. */
export const isExpired = ({ expiresAt }: Tokens): boolean =>
  expiresAt !== undefined && asyncScheduler.now() >= expiresAt;

/** What authorization servers say of tokens, or of who has them; what else answers there knows nothing of either. RFC 6749, section 5.2. */
const OF_NO_USE: ReadonlySet<unknown> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

/** Whether it may succeed another time. */
const isAnotherTime = ({ problem }: AuthorizationError): boolean => problem === 'network' || problem === 'application';

/**
 * Refreshes tokens: one refresh at a time for each key of the store, in this process and, where the store has locks, in all.
 * A refresh that was sent is never given up: the authorization server may have taken the old token for used.
 */
export class Refresher {
  readonly #store: Store;
  readonly #running = new Map<string, Promise<Tokens | undefined>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Resolves to tokens other than `seen`: what somebody else has got since, or what a refresh gives. Resolves to nothing where
   * there is nothing to refresh with, or it was refused: then it is forgotten, unless it was replaced since. Rejects where it
   * may succeed another time.
   */
  async refresh(key: string, seen: Tokens, refreshing: Refreshing): Promise<Tokens | undefined> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const refresh = this.#begun(key, seen, refreshing).finally(() => this.#running.delete(key));
    this.#running.set(key, refresh);
    return refresh;
  }

  async #begun(key: string, seen: Tokens, refreshing: Refreshing): Promise<Tokens | undefined> {
    let error: McpError | undefined;
    const refused = (reason: McpError): void => {
      error = reason;
    };
    try {
      const fresh = await this.#store.locked(key, async () => this.#locked(key, seen, refreshing, refused));
      refreshing.ended?.(fresh, error);
      return fresh;
    } catch (reason) {
      refreshing.ended?.(undefined, asMcpError(reason));
      throw reason;
    }
  }

  async #locked(
    key: string,
    seen: Tokens,
    refreshing: Refreshing,
    refused: (reason: McpError) => void,
  ): Promise<Tokens | undefined> {
    const kept = readTokens(await this.#store.get(key));
    if (kept === undefined) return undefined;
    if (kept.accessToken !== seen.accessToken && !isStale(kept)) return kept;
    if (kept.refreshToken === undefined) return undefined;
    const { told, tell } = refreshing;
    tell({ status: 'refreshing', server: told, issuer: kept.server.issuer });
    try {
      const fresh = await this.#asked(kept, kept.refreshToken, refreshing);
      await this.#store.set(key, toRecord(fresh));
      return fresh;
    } catch (reason) {
      if (!(reason instanceof AuthorizationError) || isAnotherTime(reason)) throw reason;
      refused(reason);
      // Only the authorization server's own word says that they are good for nothing.
      return reason.problem === 'token' && OF_NO_USE.has(reason.code) ? this.#refused(key, kept, reason) : undefined;
    }
  }

  async #asked(kept: Tokens, refreshToken: string, { web, dpop, key }: Refreshing): Promise<Tokens> {
    const { client, server, resource, dpopKey } = kept;
    const asker = { client, key, dpop: dpopKey === undefined ? undefined : await dpop.of(dpopKey) };
    const granted = await new TokenEndpoint(web, server, asker).ask('refresh_token', {
      refresh_token: refreshToken,
      ...(resource === undefined ? undefined : { resource }),
    });
    const { expiresAt: _expiresAt, refreshAt: _refreshAt, ...lasting } = kept;
    return {
      ...lasting,
      ...timesOf(granted.expiresIn),
      accessToken: granted.accessToken,
      scheme: granted.scheme,
      // One that is not replaced stays good. RFC 6749, section 6.
      refreshToken: granted.refreshToken ?? refreshToken,
      scopes: granted.scopes ?? kept.scopes,
    };
  }

  /** Only what was refused is forgotten: somebody who does not know of the lock may have been faster. */
  async #refused(key: string, tried: Tokens, { code }: AuthorizationError): Promise<Tokens | undefined> {
    const now = readTokens(await this.#store.get(key));
    if (now !== undefined && now.refreshToken !== tried.refreshToken) return isExpired(now) ? undefined : now;
    await this.#store.delete(key);
    await forgetUnknown(this.#store, tried.server.issuer, tried.client, code);
    return undefined;
  }
}
