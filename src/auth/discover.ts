import type { AuthorizationServer } from 'oauth4webapi';
import { isObject } from '../jsonrpc/index.js';
import { AuthorizationError } from './authorization-error.js';
import type { Wanted } from './challenges.js';
import { told } from './places.js';
import { standsFor } from './resource.js';
import type { Web } from './web.js';

/** What was found out about the authorization of a server. */
export interface Discovered {
  readonly issuer: string;
  readonly metadata: AuthorizationServer;
  /** The resource identifier, as the server writes it; none where it does not say (MCP 2025-03-26). */
  readonly resource: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** The authorization server says nothing of itself: its endpoints are where MCP 2025-03-26 has them. */
  readonly isAssumed: boolean;
  /** The server takes no other tokens than those that are bound to a key. RFC 9728, section 2. */
  readonly mustBind?: boolean | undefined;
}

/** Why there is no document. */
interface Absent {
  readonly absent: string;
  /** It may be there another time. */
  readonly broken: boolean;
}

type Document = { readonly document: Readonly<Record<string, unknown>> } | Absent;

const documentAt = async (web: Web, url: string, what: string, signal: AbortSignal): Promise<Document> => {
  const { status, text, redirected } = await web.send(
    { method: 'GET', url, headers: { accept: 'application/json' } },
    what,
    signal,
  );
  const absent = (why: string): Absent => ({ absent: `${told(url)} ${why}`, broken: status >= 500 || status === 429 });
  if (redirected !== undefined) return absent(`redirects to ${redirected}, which is not followed`);
  if (status !== 200) return absent(`answered ${status}`);
  try {
    const document: unknown = JSON.parse(text);
    if (isObject(document)) return { document };
  } catch {
    // Where there is no metadata a site may answer with a page.
  }
  return absent('is no JSON object');
};

/** The first document there is at one of some URLs; else why there is none at the last one that was to be asked. */
const firstOf = async (web: Web, urls: readonly string[], what: string, signal: AbortSignal): Promise<Document> => {
  const reasons: string[] = [];
  let broken = false;
  for (const url of new Set(urls)) {
    const found = await documentAt(web, url, what, signal);
    if ('document' in found) return found;
    reasons.push(found.absent);
    broken ||= found.broken;
  }
  return { absent: reasons.join('; '), broken };
};

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

/** A path without the slash that ends it. */
const pathOf = ({ pathname }: URL): string => (pathname === '/' ? '' : pathname);

/** What a server says of itself: where the challenge points, then below its path, then at its root. RFC 9728, section 3. */
const resourceMetadata = async (web: Web, server: URL, wanted: Wanted, signal: AbortSignal): Promise<Document> => {
  const named = wanted.resourceMetadata;
  const { origin, search } = server;
  const urls = [`${origin}${RESOURCE}${pathOf(server)}${search}`, `${origin}${RESOURCE}`];
  return firstOf(web, named === undefined ? urls : [named, ...urls], 'the metadata of the resource', signal);
};

/** Where an authorization server may say what it is, best first. RFC 8414, section 3.1; OpenID Connect Discovery 1.0. */
const serverUrls = (issuer: URL): readonly string[] => {
  const { origin } = issuer;
  const path = pathOf(issuer).replace(/\/$/, '');
  if (path === '') return [`${origin}${SERVER}`, `${origin}${OPENID}`];
  return [`${origin}${SERVER}${path}`, `${origin}${OPENID}${path}`, `${origin}${path}${OPENID}`];
};

const metadataOf = (
  document: Readonly<Record<string, unknown>>,
  expected: readonly string[],
): { readonly issuer: string; readonly metadata: AuthorizationServer } => {
  const { issuer } = document;
  if (typeof issuer !== 'string' || !expected.includes(issuer)) {
    // A string comparison and nothing else: RFC 8414, section 3.3.
    const said = typeof issuer === 'string' ? told(issuer) : 'nobody';
    throw new AuthorizationError(
      'issuer',
      `the metadata of ${expected[0] ?? ''} says that its issuer is ${said}: it is not used`,
      { issuer: expected[0] },
    );
  }
  return { issuer, metadata: { ...document, issuer } };
};

const noMetadata = (issuer: string, why: string): AuthorizationError =>
  new AuthorizationError('discovery', `the authorization server ${issuer} says nothing of itself: ${why}`, { issuer });

/** A server that says nothing, and has nothing where MCP 2025-03-26 has it. */
const nothingThere = (issuer: string, why: string): AuthorizationError =>
  new AuthorizationError(
    'discovery',
    `the server wants an authorization and does not say where it is given: neither it (RFC 9728) nor ${issuer} (RFC 8414) has metadata, and ${why}. ` +
      'If it takes a key or a token of its own, give that in headers; else ask who runs it for the issuer, and give client with it',
    { issuer },
  );

/** Whether an answer is none of an authorization server: those give their refusals a code. RFC 6749, section 5.2. */
const isNobodys = (reason: unknown): reason is AuthorizationError =>
  reason instanceof AuthorizationError &&
  (reason.problem === 'redirect' ||
    (['client', 'response', 'token'].includes(reason.problem) && (reason.code ?? '') === ''));

/** What an endpoint answered; where nothing but MCP 2025-03-26 says that it is one, what is no answer of one says that there is none. */
export const orNothingThere = async <T>(
  { issuer, isAssumed }: { readonly issuer: string; readonly isAssumed?: boolean | undefined },
  asking: Promise<T>,
): Promise<T> => {
  try {
    return await asking;
  } catch (reason) {
    throw isAssumed === true && isNobodys(reason) ? nothingThere(issuer, reason.message) : reason;
  }
};

/** An authorization server by its issuer, as its own metadata has it. */
export const knownServer = async (
  web: Web,
  issuer: string,
  signal: AbortSignal,
): Promise<Pick<Discovered, 'issuer' | 'metadata' | 'isAssumed'>> => {
  const url = web.places.require(issuer, 'the issuer');
  // It is shown to people, and a part of keys: as RFC 8414, section 2, has it, and without what URLs drop or hide.
  if (/[?#\p{C}\p{Z}]/u.test(issuer))
    throw new AuthorizationError('url', `the issuer, ${told(issuer)}, is not used: it has what no issuer may have`);
  const found = await firstOf(web, serverUrls(url), 'the metadata of the authorization server', signal);
  if ('absent' in found) throw noMetadata(issuer, found.absent);
  return { ...metadataOf(found.document, [issuer]), isAssumed: false };
};

/** The authorization server of MCP 2025-03-26: the origin of the server, with metadata or without. */
const ownServer = async (
  web: Web,
  server: URL,
  signal: AbortSignal,
): Promise<Pick<Discovered, 'issuer' | 'metadata' | 'isAssumed'>> => {
  const { origin } = server;
  const urls = serverUrls(new URL(origin));
  const found = await firstOf(web, urls, 'the metadata of the authorization server', signal);
  if ('document' in found) return { ...metadataOf(found.document, [origin, `${origin}/`]), isAssumed: false };
  if (found.broken) throw noMetadata(origin, found.absent);
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  };
  return { issuer: origin, metadata, isAssumed: true };
};

/**
 * Finds a server's resource identifier and its authorization server, anew each time: one that has moved is followed.
 * @param preferred issuers, best first: where the server names several, the first of these that is among them is taken
 * @param preset an issuer to use where the server names none
 * MCP 2026-07-28 basic/authorization/authorization-server-discovery.
 */
export const discover = async (
  web: Web,
  server: URL,
  wanted: Wanted,
  preferred: readonly string[],
  preset: string | undefined,
  signal: AbortSignal,
): Promise<Discovered> => {
  const found = await resourceMetadata(web, server, wanted, signal);
  if ('absent' in found) {
    if (found.broken) throw new AuthorizationError('discovery', `the server says nothing of itself: ${found.absent}`);
    const own = preset === undefined ? ownServer(web, server, signal) : knownServer(web, preset, signal);
    return { ...(await own), resource: undefined, scopes: undefined };
  }
  const { resource, authorization_servers: servers, scopes_supported: scopes } = found.document;
  const mustBind = found.document['dpop_bound_access_tokens_required'] === true;
  if (typeof resource !== 'string' || !standsFor(resource, server)) {
    const said = typeof resource === 'string' ? told(resource) : 'nothing';
    throw new AuthorizationError(
      'resource',
      `the metadata of ${told(server)} is about another resource (${said}): no token is asked for it`,
    );
  }
  const issuers = texts(servers) ?? [];
  const issuer = preferred.find((one) => issuers.includes(one)) ?? issuers[0];
  const known = issuer === undefined ? ownServer(web, server, signal) : knownServer(web, issuer, signal);
  return { ...(await known), resource, scopes: texts(scopes), mustBind };
};
