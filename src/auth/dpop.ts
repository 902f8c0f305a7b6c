import type { DPoPHandle, JWK } from 'oauth4webapi';
import { AuthorizationError } from './authorization-error.js';
import type { Discovered } from './discover.js';
import { anyScheme, library, type Library } from './library.js';

/** A key that tokens are bound to, and what makes proofs with it. */
export interface DpopKey {
  readonly handle: DPoPHandle;
  readonly jwk: JWK;
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' };

/** What proofs are signed with. */
const ALGORITHM = 'ES256';

/**
 * Throws where tokens are to be bound to a key and would not be, or the other way round, as far as the servers say it: nobody
 * is to agree to what is of no use. RFC 9449, section 5.1; RFC 9728, section 2.
 * @param binds whether tokens are to be bound
 */
export const requireBinding = ({ issuer, metadata, mustBind = false }: Discovered, binds: boolean): void => {
  if (!binds) {
    if (!mustBind) return;
    throw new AuthorizationError(
      'dpop',
      'the server takes no tokens but those that are bound to a key: give dpop: true',
      {
        issuer,
      },
    );
  }
  const algorithms = metadata.dpop_signing_alg_values_supported;
  const isNamed = Array.isArray(algorithms);
  if (isNamed ? algorithms.includes(ALGORITHM) : mustBind) return;
  const what = isNamed
    ? `takes no proofs by ${ALGORITHM}`
    : 'does not say that it binds tokens to keys (dpop_signing_alg_values_supported)';
  throw new AuthorizationError('dpop', `${issuer} ${what}, and dpop is true: nobody is asked to go there`, { issuer });
};

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
    const pair = await oauth.generateKeyPair(ALGORITHM, { extractable: true });
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
