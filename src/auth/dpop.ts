import type { DPoPHandle, JWK } from 'oauth4webapi';
import { anyScheme, library, type Library } from './library.js';

/** A key that tokens are bound to, and what makes proofs with it. */
export interface DpopKey {
  readonly handle: DPoPHandle;
  readonly jwk: JWK;
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' };

/** A request that needs a proof. */
export interface Proved {
  readonly method: string;
  readonly target: string;
  readonly accessToken: string;
}

/** Passes a request through the library without sending it: what it would have sent is the answer. */
const unsent = async (
  { handle }: DpopKey,
  { method, target, accessToken }: Proved,
  response: Response,
): Promise<string | undefined> => {
  const oauth: Library = await library();
  let proof: string | undefined;
  await oauth.protectedResourceRequest(accessToken, method, new URL(target), undefined, undefined, {
    DPoP: handle,
    ...anyScheme(oauth),
    [oauth.customFetch]: (_url, { headers }) => {
      proof = headers['dpop'];
      return Promise.resolve(response);
    },
  });
  return proof;
};

/** Keys and proofs of DPoP: one key for each authorization, kept with its tokens; the nonces of each origin, in memory. RFC 9449. */
export class Dpop {
  readonly #keys = new Map<string, Promise<DpopKey>>();
  readonly #nonces = new Map<string, string>();
  #learning: Promise<unknown> = Promise.resolve();

  /** A new key. */
  async create(): Promise<DpopKey> {
    const oauth = await library();
    const pair = await oauth.generateKeyPair('ES256', { extractable: true });
    const jwk = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JWK;
    const key = { handle: oauth.DPoP({}, pair), jwk };
    this.#keys.set(JSON.stringify(jwk.x), Promise.resolve(key));
    return key;
  }

  /** A key that was kept. */
  async of(jwk: JWK): Promise<DpopKey> {
    const id = JSON.stringify(jwk.x);
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const key = this.#import(jwk);
    this.#keys.set(id, key);
    return key;
  }

  async #import(jwk: JWK): Promise<DpopKey> {
    const { kty, crv, x, y, d } = jwk as JsonWebKey;
    const common = { kty, crv, x, y } as JsonWebKey;
    const privateKey = await crypto.subtle.importKey('jwk', { ...common, d } as JsonWebKey, ES256, false, ['sign']);
    const publicKey = await crypto.subtle.importKey('jwk', common, ES256, true, ['verify']);
    return { handle: (await library()).DPoP({}, { privateKey, publicKey }), jwk };
  }

  /** The proof for one request; with the nonce that its server gave last, if it gave one. */
  async proof(jwk: JWK, request: Proved): Promise<string | undefined> {
    await this.#learning;
    return unsent(await this.of(jwk), request, new Response(null));
  }

  /** Keeps a nonce that a server gave, for the next proof to it. */
  learn(jwk: JWK, request: Proved, nonce: string): void {
    const place = `${JSON.stringify(jwk.x)} ${new URL(request.target).origin}`;
    if (this.#nonces.get(place) === nonce) return;
    this.#nonces.set(place, nonce);
    const response = new Response(null, { headers: { 'dpop-nonce': nonce } });
    this.#learning = Promise.all([this.#learning, this.of(jwk).then((key) => unsent(key, request, response))]).catch(
      () => undefined,
    );
  }
}
