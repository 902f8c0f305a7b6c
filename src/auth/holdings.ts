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
  readonly #held = new Map<string, Tokens>();

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
  }

  /** The tokens for a server, as far as they are at hand. */
  held(url: string): Tokens | undefined {
    return this.#held.get(url);
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

  /** The tokens for a server as the store has them now. */
  async load(url: string): Promise<Held | undefined> {
    const lead = await this.leadOf(url);
    const tokens = lead === undefined ? undefined : readTokens(await this.#store.get(lead.key));
    if (lead === undefined || tokens === undefined) {
      this.#held.delete(url);
      return undefined;
    }
    this.#held.set(url, tokens);
    return { key: lead.key, tokens };
  }

  /** Has tokens used for a server from now on. That the way to them cannot be kept is no reason not to. */
  async take(url: string, { key, tokens }: Held): Promise<void> {
    this.#held.set(url, tokens);
    const { issuer } = tokens.server;
    const lead = await this.leadOf(url);
    if (lead?.key === key && lead.issuer === issuer) return;
    await this.#store.set(await this.#leadKey(url), { key, issuer }).catch(() => undefined);
  }

  /** Has none used. */
  drop(url: string): void {
    this.#held.delete(url);
  }

  /** Forgets what led to them. */
  async forget(url: string): Promise<void> {
    this.#held.delete(url);
    await this.#store.delete(await this.#leadKey(url));
  }

  async #leadKey(url: string): Promise<string> {
    return `server ${await placeOf(url)} ${this.#name}`;
  }
}
