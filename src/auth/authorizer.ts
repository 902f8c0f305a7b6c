import type { AuthChallenge } from '../transport/http/options.js';
import type { Attempts } from './attempts.js';
import { AuthorizationError } from './authorization-error.js';
import { wantedOf } from './challenges.js';
import { requireIssuer } from './clients.js';
import { requireBinding } from './dpop.js';
import { discover } from './discover.js';
import type { Flow, Goal, Grant, Store } from './flow.js';
import type { Held, Holdings } from './holdings.js';
import type { ClientKey } from './options.js';
import { type Pending, pendingKey, readPending } from './pending.js';
import { readTokens, toRecord, type Tokens } from './records.js';
import { isStale, type Refresher, type Refreshing } from './refresher.js';
import { revoke } from './revoke.js';
import { scopesToAsk } from './scopes.js';

/** There are no tokens, and nobody who could be asked for some. */
export class NobodyToAsk extends AuthorizationError {}

const loggedOut = (issuer: string): AuthorizationError =>
  new AuthorizationError('cancelled', 'the authorization was given up: its tokens were to be forgotten', { issuer });

/** What authorizations are made with. */
export interface AuthorizerParts {
  readonly key: ClientKey | undefined;
  readonly grant: Grant;
  readonly store: Store;
  readonly holdings: Holdings;
  readonly refresher: Refresher;
  readonly attempts: Attempts;
  /** The scopes that are always asked for. */
  readonly scopes: readonly string[];
}

/** What an authorization is for. */
export interface Occasion {
  /** The server's URL. */
  readonly url: string;
  /** What the server refused; nothing where somebody asks for an authorization in person. */
  readonly refusal: AuthChallenge | undefined;
  readonly refreshing: Refreshing;
}

/** Brings tokens for a server that wants some: those that somebody else has got since, refreshed ones, or new ones. */
export class Authorizer {
  readonly #parts: AuthorizerParts;
  /** The grants under way, by the key of their tokens: two servers may belong to one resource. */
  readonly #obtaining = new Map<string, Promise<Tokens>>();
  /** Tokens that a refresh brought after a refusal: where they are refused, too, no refresh helps. */
  readonly #lastResort = new Map<string, string>();

  constructor(parts: AuthorizerParts) {
    this.#parts = parts;
  }

  /** Resolves to tokens that are kept, and used for the server from now on. */
  async run(flow: Flow, { url, refusal, refreshing }: Occasion): Promise<Tokens> {
    const { grant, holdings, store, scopes } = this.#parts;
    const age = holdings.ageOf(url);
    flow.tell({ status: 'discovering', server: flow.told });
    const lead = await holdings.leadOf(url);
    const wanted = wantedOf(refusal?.challenge);
    const preferred = [grant.issuer, lead?.issuer].filter((issuer) => issuer !== undefined);
    const discovered = await discover(flow.web, flow.server, wanted, preferred, grant.issuer, flow.signal);
    const { issuer, resource } = discovered;
    if (grant.isBound) requireIssuer(grant.issuer ?? lead?.issuer, issuer);
    const key = await holdings.keyFor(url, issuer, resource);
    // Of the same issuer: what another one gave is nothing to this one.
    const kept = readTokens(await store.get(key));
    const fit = holdings.fit(kept);
    if (fit !== undefined && refusal !== undefined && refusal.status !== 403) {
      const renewed = await this.#renewed(key, fit, refusal, refreshing);
      if (renewed !== undefined) {
        if (await holdings.take(url, { key, tokens: renewed }, age)) return renewed;
        throw loggedOut(issuer);
      }
    }
    if (!grant.isReady)
      throw new NobodyToAsk('denied', `${flow.told} wants an authorization, and there is nobody to ask: give open`, {
        issuer,
      });
    requireBinding(discovered, flow.dpop !== undefined);
    if (!this.#parts.attempts.begin(url, refusal?.status === 403 ? (wanted.scopes ?? []) : undefined))
      throw new NobodyToAsk(
        'denied',
        `several authorizations in a row for ${flow.told} brought nothing, refused by it or by a person: only authorize(url) asks again`,
        { issuer },
      );
    const asked = scopesToAsk(wanted.scopes, kept?.asked, scopes, discovered, grant.refreshes);
    const isForgotten = (): boolean => holdings.ageOf(url) !== age;
    const tokens = await this.#obtained(key, flow, { discovered, scopes: asked }, isForgotten);
    return this.#taken(flow, url, { key, tokens }, age);
  }

  /** Whether there are other tokens than those that were refused, or refreshed ones: without a flow, and without anybody's consent. */
  async renew({ key, tokens }: Held, refusal: AuthChallenge, refreshing: Refreshing): Promise<boolean> {
    const { holdings } = this.#parts;
    const age = holdings.ageOf(refusal.url);
    const renewed = await this.#renewed(key, tokens, refusal, refreshing);
    return renewed !== undefined && holdings.take(refusal.url, { key, tokens: renewed }, age);
  }

  /** Resolves to what was begun, and is now answered; it is kept no longer. Rejects with an `AuthorizationError`. */
  async pending(answer: string | URL, store: Store): Promise<Pending> {
    const state = URL.canParse(String(answer)) ? new URL(answer).searchParams.get('state') : null;
    const key = pendingKey(state ?? '');
    const pending = readPending(await store.get(key));
    await store.delete(key);
    if (pending !== undefined) return pending;
    throw new AuthorizationError('response', 'nothing waits for this answer: it was used, or is too old, or another’s');
  }

  /** Resolves to the tokens that an answer brought. */
  async resume(flow: Flow, url: string, pending: Pending, answer: string | URL): Promise<Tokens> {
    const { grant, holdings, store } = this.#parts;
    const { issuer } = pending.metadata;
    const age = holdings.ageOf(url);
    if (grant.finish === undefined) throw new AuthorizationError('response', 'nobody is ever asked', { issuer });
    const tokens = await grant.finish(flow, pending, answer);
    const key = await holdings.keyFor(url, issuer, pending.resource);
    if (holdings.ageOf(url) === age) await store.keep(key, toRecord(tokens));
    return this.#taken(flow, url, { key, tokens }, age);
  }

  /** New tokens, in use from now on. Whoever logged out while they were on their way is logged out. */
  async #taken(flow: Flow, url: string, held: Held, age: number): Promise<Tokens> {
    const { key, tokens } = held;
    return (await this.#parts.holdings.take(url, held, age)) ? tokens : this.#discarded(flow, key, tokens);
  }

  /** Has new tokens revoked that are nobody's any longer. */
  async #discarded(flow: Flow, key: string, tokens: Tokens): Promise<never> {
    const { store, key: clientKey } = this.#parts;
    await store.locked(key, async () => {
      if (readTokens(await store.get(key))?.accessToken === tokens.accessToken) await store.delete(key);
    });
    await revoke(flow.web, tokens, clientKey).catch(() => undefined);
    throw loggedOut(tokens.server.issuer);
  }

  /** Tokens that need nobody's consent: those that have taken the place of the refused ones, or refreshed ones. */
  async #renewed(
    key: string,
    kept: Tokens,
    refusal: AuthChallenge,
    refreshing: Refreshing,
  ): Promise<Tokens | undefined> {
    const refused = refusal.token;
    if (refused !== `${kept.scheme} ${kept.accessToken}` && !isStale(kept)) return kept;
    if (kept.refreshToken === undefined || this.#lastResort.get(key) === refused) return undefined;
    const fresh = await this.#parts.refresher.refresh(key, kept, refreshing);
    if (fresh !== undefined) this.#lastResort.set(key, `${fresh.scheme} ${fresh.accessToken}`);
    return fresh;
  }

  /** One grant at a time for each issuer, client and resource. */
  async #obtained(key: string, flow: Flow, goal: Goal, isForgotten: () => boolean): Promise<Tokens> {
    for (let running = this.#obtaining.get(key); running !== undefined; running = this.#obtaining.get(key)) {
      try {
        return await running;
      } catch (reason) {
        // It was given up by those who waited for it; this one still does.
        const isOthers = reason instanceof AuthorizationError && reason.problem === 'cancelled' && !flow.signal.aborted;
        if (!isOthers) throw reason;
      }
    }
    const { grant, store } = this.#parts;
    const obtaining = (async (): Promise<Tokens> => {
      const tokens = await grant.obtain(flow, goal);
      if (!isForgotten()) await store.keep(key, toRecord(tokens));
      // Whoever joined asks on their own.
      return isForgotten() ? this.#discarded(flow, key, tokens) : tokens;
    })().finally(() => this.#obtaining.delete(key));
    this.#obtaining.set(key, obtaining);
    return obtaining;
  }
}
