import type { AuthorizationServer, JWK } from 'oauth4webapi';
import { isObject } from '../jsonrpc/index.js';
import type { StoredRecord } from './token-store.js';

/** How a client says who it is at the token endpoint. RFC 7591, section 2; RFC 7523. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

/** Who this client is to one authorization server. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly method: ClientAuthMethod;
}

/** A client that was registered with an authorization server. */
export interface Registration extends ClientIdentity {
  readonly redirectUri: string;
  /** In ms since the epoch. */
  readonly expiresAt?: number | undefined;
}

/** What of an authorization server's metadata is needed later. */
export interface KnownServer {
  readonly issuer: string;
  readonly token_endpoint?: string | undefined;
  readonly revocation_endpoint?: string | undefined;
}

/** Tokens, and all it takes to refresh them. */
export interface Tokens {
  readonly server: KnownServer;
  readonly client: ClientIdentity;
  readonly resource?: string | undefined;
  readonly accessToken: string;
  readonly scheme: 'Bearer' | 'DPoP';
  readonly refreshToken?: string | undefined;
  /** In ms since the epoch, where the authorization server said it. */
  readonly expiresAt?: number | undefined;
  /** From when on they are refreshed, a while before they expire. */
  readonly refreshAt?: number | undefined;
  /** The scopes that were asked for, and those that were given. */
  readonly asked: readonly string[];
  readonly scopes: readonly string[];
  /** The key that DPoP tokens are bound to. */
  readonly dpopKey?: JWK | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isMaybe = (value: unknown, type: 'string' | 'number'): boolean => value === undefined || typeof value === type;

const METHODS: ReadonlySet<unknown> = new Set(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']);

/** Whether a kept value says who a client is. */
export const isClient = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['clientId'] === 'string' &&
  isMaybe(value['clientSecret'], 'string') &&
  METHODS.has(value['method']);

const isServer = (value: unknown): boolean =>
  isObject(value) && isText(value['issuer']) && isMaybe(value['token_endpoint'], 'string');

/** A private key of P-256, as RFC 7518, section 6.2, has it. */
const isKey = (value: unknown): boolean =>
  isObject(value) &&
  value['kty'] === 'EC' &&
  value['crv'] === 'P-256' &&
  ['x', 'y', 'd'].every((name) => /^[\w-]{43}$/.test(String(value[name])));

/** Tokens as they were kept; nothing where something else is. */
export const readTokens = (record: StoredRecord | undefined): Tokens | undefined => {
  const fits =
    isObject(record) &&
    isServer(record['server']) &&
    isClient(record['client']) &&
    isMaybe(record['resource'], 'string') &&
    isText(record['accessToken']) &&
    (record['scheme'] === 'Bearer' || record['scheme'] === 'DPoP') &&
    isMaybe(record['refreshToken'], 'string') &&
    isMaybe(record['expiresAt'], 'number') &&
    isMaybe(record['refreshAt'], 'number') &&
    isTexts(record['asked']) &&
    isTexts(record['scopes']) &&
    (record['dpopKey'] === undefined ? record['scheme'] === 'Bearer' : isKey(record['dpopKey']));
  return fits ? (record as unknown as Tokens) : undefined;
};

/** A registration as it was kept; nothing where something else is. */
export const readRegistration = (record: StoredRecord | undefined): Registration | undefined =>
  isClient(record) && isText(record?.['redirectUri']) && isMaybe(record['expiresAt'], 'number')
    ? (record as unknown as Registration)
    : undefined;

/** As a store keeps it: without what is absent. */
export const toRecord = (value: Tokens | Registration): StoredRecord =>
  JSON.parse(JSON.stringify(value)) as StoredRecord;

/** What of the metadata goes with tokens. */
export const keptServer = ({ issuer, token_endpoint, revocation_endpoint }: AuthorizationServer): KnownServer => ({
  issuer,
  token_endpoint,
  revocation_endpoint,
});
