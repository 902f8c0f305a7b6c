import type { AuthorizationServer, JWK } from 'oauth4webapi';
import { asyncScheduler } from 'rxjs';
import { isObject } from '../jsonrpc/index.js';
import { type ClientIdentity, isClient } from './records.js';
import type { StoredRecord } from './token-store.js';

/** An authorization that somebody has been sent off for. */
export interface Pending {
  /** The URL of the MCP server. */
  readonly server: string;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly client: ClientIdentity;
  /** What the answer is compared with, and where it is exchanged. */
  readonly metadata: AuthorizationServer;
  readonly resource?: string | undefined;
  readonly scopes: readonly string[];
  readonly dpopKey?: JWK | undefined;
  /** The authorization server says nothing of itself. */
  readonly isAssumed?: boolean | undefined;
}

/** How long somebody may be away, in ms. */
const AWAY_MS = 3_600_000;

/** Where it is kept. */
export const pendingKey = (state: string): string => `pending ${state}`;

/** What of the metadata is needed for the answer. */
export const keptForAnswer = (metadata: AuthorizationServer): AuthorizationServer => ({
  issuer: metadata.issuer,
  ...(metadata.token_endpoint === undefined ? undefined : { token_endpoint: metadata.token_endpoint }),
  ...(metadata.revocation_endpoint === undefined ? undefined : { revocation_endpoint: metadata.revocation_endpoint }),
  ...(metadata.authorization_response_iss_parameter_supported === true
    ? { authorization_response_iss_parameter_supported: true }
    : undefined),
});

/** As a store keeps it. */
export const toPending = (pending: Pending): StoredRecord =>
  JSON.parse(JSON.stringify({ ...pending, until: asyncScheduler.now() + AWAY_MS })) as StoredRecord;

const TEXTS = ['server', 'state', 'verifier', 'redirectUri'];

/** One that was kept, and not for too long; nothing where something else was. */
export const readPending = (record: StoredRecord | undefined): Pending | undefined => {
  const fits =
    record !== undefined &&
    TEXTS.every((name) => typeof record[name] === 'string') &&
    isClient(record['client']) &&
    isObject(record['metadata']) &&
    typeof record['metadata']['issuer'] === 'string' &&
    Array.isArray(record['scopes']) &&
    typeof record['until'] === 'number' &&
    record['until'] > asyncScheduler.now();
  return fits ? (record as unknown as Pending) : undefined;
};
