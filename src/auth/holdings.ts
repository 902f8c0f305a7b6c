import type { Store } from './flow.js';
import { told } from './places.js';
import { readTokens, type Tokens } from './records.js';

/** Tokens, with the key that they are kept under. */
export interface Held {
  readonly key: string;
  readonly tokens: Tokens;
}

/** A query may be a secret: in a key its digest stands for it. */
const placeOf = async (url: string): Promise<string> => {
  const { search } = new URL(url);
  if (search === '') return told(url);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(search));
  const bytes = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `${told(url)}?${bytes.join('').slice(0, 16)}`;
};

/** Which tokens go to which server: in memory, and by way of the store, where one record leads to the other. */
export class Holdings {
  readonly #store: Store;
  readonly #name: string;
  readonly #binds: boolean;
  readonly #held = new Map<string, Tokens>();
  /** How often the tokens for a server were forgotten: what was begun before that brings nothing. */
  readonly #ages = new Map<string, number>();

  /** @param binds whether tokens that are bound to no key are of no use */
  constructor(store: Store, name: string, binds: boolean) {
    this.#store = store;
    this.#name = name;
    this.#binds = binds;
  }

  /** The tokens for a server, as far as they are at hand. */
  held(url: string): Tokens | undefined {
    return this.#held.get(url);
  }

  /** Another one each time that the tokens for a server are forgotten. */
  ageOf(url: string): number {
    return this.#ages.get(url) ?? 0;
  }

  /** Tokens that are of use: none from a time when they were not to be bound to a key. */
  fit(tokens: Tokens | undefined): Tokens | undefined {
    return this.#binds && tokens?.scheme === 'Bearer' ? undefined : tokens;
  }

  /** Where tokens of an issuer for a resource are kept. */
  async keyFor(url: string, issuer: string, resource: string | undefined): Promise<string> {
    return `tokens ${issuer} ${this.#name} ${resource ?? (await placeOf(url))}`;
  }

  /** What leads from a server to its issuer. */
  async leadOf(url: string): Promise<{ readonly key: string; readonly issuer: string } | undefined> {
    const { key, issuer } = (await this.#store.get(await this.#leadKey(url))) ?? {};
    return typeof key === 'string' && typeof issuer === 'string' ? { key, issuer } : undefined;
  }

  /** What the store has for a server, of use or not. */
  async find(url: string): Promise<Held | undefined> {
    const lead = await this.leadOf(url);
    const tokens = lead === undefined ? undefined : readTokens(await this.#store.get(lead.key));
    return lead === undefined || tokens === undefined ? undefined : { key: lead.key, tokens };
  }

  /** The tokens for a server as the store has them now. */
  async load(url: string): Promise<Held | undefined> {
    const age = this.ageOf(url);
    const found = await this.find(url);
    // A store may take its time, and what it answers be forgotten by then.
    const isOfUse = age === this.ageOf(url) && this.fit(found?.tokens) !== undefined;
    if (found === undefined || !isOfUse) {
      this.#held.delete(url);
      return undefined;
    }
    this.#held.set(url, found.tokens);
    return found;
  }

  /**
   * Has tokens used for a server from now on; false where they were forgotten since it had that age. That the way to them
   * cannot be kept is no reason not to use them.
   */
  async take(url: string, { key, tokens }: Held, age: number): Promise<boolean> {
    const isForgotten = (): boolean => age !== this.ageOf(url);
    if (isForgotten()) return false;
    this.#held.set(url, tokens);
    const { issuer } = tokens.server;
    const lead = await this.leadOf(url);
    if (isForgotten()) return false;
    if (lead?.key === key && lead.issuer === issuer) return true;
    await this.#store.set(await this.#leadKey(url), { key, issuer }).catch(() => undefined);
    if (!isForgotten()) return true;
    await this.#store.delete(await this.#leadKey(url)).catch(() => undefined);
    return false;
  }

  /** Has none used, and nothing that was begun before bring any. */
  outdate(url: string): void {
    this.#held.delete(url);
    this.#ages.set(url, this.ageOf(url) + 1);
  }

  /** Forgets what led to them. */
  async forget(url: string): Promise<void> {
    await this.#store.delete(await this.#leadKey(url));
  }

  async #leadKey(url: string): Promise<string> {
    return `server ${await placeOf(url)} ${this.#name}`;
  }
}
