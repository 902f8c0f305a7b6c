import type { ClientAuth } from 'oauth4webapi';
import { OptionError } from '../errors/index.js';
import type { Library } from './library.js';
import type { ClientKey } from './options.js';
import type { ClientIdentity } from './records.js';

const ALGORITHMS: Readonly<Record<string, EcKeyImportParams | RsaHashedImportParams | Algorithm>> = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  ES512: { name: 'ECDSA', namedCurve: 'P-521' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  RS384: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  EdDSA: { name: 'Ed25519' },
  Ed25519: { name: 'Ed25519' },
};

/** The names of the algorithms that keys may be given for. */
export const KEY_ALGORITHMS: readonly string[] = /* @__PURE__ */ Object.keys(ALGORITHMS);

const importKey = async (pem: string, algorithm: string): Promise<CryptoKey> => {
  const parameters = ALGORITHMS[algorithm];
  const body = /-----BEGIN PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  if (parameters === undefined || body === undefined)
    throw new OptionError('client.privateKey', 'give a key in PKCS #8 (BEGIN PRIVATE KEY), with its algorithm');
  try {
    const bytes = Uint8Array.from(atob(body.replace(/\s/g, '')), (character) => character.charCodeAt(0));
    return await crypto.subtle.importKey('pkcs8', bytes, parameters, false, ['sign']);
  } catch {
    // What the platform says of it may quote it.
    throw new OptionError('client.privateKey', `it is no key for ${algorithm}`);
  }
};

/** As forms are encoded. RFC 6749, appendix B. */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** How a client says who it is to a token endpoint. */
export const clientAuth = async (
  library: Library,
  { clientSecret = '', method, clientId }: ClientIdentity,
  key: ClientKey | undefined,
): Promise<ClientAuth> => {
  if (clientId === '') return () => undefined;
  if (method === 'none') return library.None();
  if (method === 'client_secret_post') return library.ClientSecretPost(clientSecret);
  if (method === 'client_secret_basic') {
    // The library's own escapes more than forms do, and more than some servers read.
    const credentials = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    return (_server, _client, _body, headers) => {
      headers.set('authorization', `Basic ${btoa(credentials)}`);
    };
  }
  if (key === undefined) throw new OptionError('client.privateKey', 'the client says who it is with a key: give it');
  if (!('pem' in key)) return library.PrivateKeyJwt(key);
  const { pem, algorithm, keyId } = key;
  const imported = await importKey(pem, algorithm);
  return library.PrivateKeyJwt(keyId === undefined ? imported : { key: imported, kid: keyId });
};
