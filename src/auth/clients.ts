import type { AuthorizationServer } from 'oauth4webapi';
import { asyncScheduler } from 'rxjs';
import { isObject } from '../jsonrpc/index.js';
import { AuthorizationError } from './authorization-error.js';
import type { Discovered } from './discover.js';
import type { Store } from './flow.js';
import type { PreRegistered } from './options.js';
import { isLoopback } from './places.js';
import { type ClientAuthMethod, type ClientIdentity, readRegistration, type Registration } from './records.js';
import { quoted } from './token-endpoint.js';
import type { Web } from './web.js';

/** The methods that the token endpoint takes; by RFC 8414, section 2, one that does not say takes the first. */
const methodsOf = ({ token_endpoint_auth_methods_supported: methods }: AuthorizationServer): readonly string[] =>
  Array.isArray(methods) && methods.length > 0 ? methods : ['client_secret_basic', 'client_secret_post'];

const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'] as const;

/** Who a client is that was registered beforehand. */
export const preRegistered = (
  { clientId, clientSecret, privateKey, method }: PreRegistered,
  metadata: AuthorizationServer,
): ClientIdentity => {
  if (method !== undefined) return { clientId, clientSecret, method };
  if (privateKey !== undefined) return { clientId, method: 'private_key_jwt' };
  if (clientSecret === undefined) return { clientId, method: 'none' };
  const methods = methodsOf(metadata);
  const fits = SECRET_METHODS.find((one) => methods.includes(one));
  return { clientId, clientSecret, method: fits ?? 'client_secret_basic' };
};

/** Throws where credentials belong to another authorization server. MCP 2026-07-28 client-registration, "Authorization Server Binding". */
export const requireIssuer = (bound: string | undefined, issuer: string): void => {
  if (bound === undefined || bound === issuer) return;
  throw new AuthorizationError(
    'client',
    `the client is registered with ${bound}, and the server now wants an authorization of ${issuer}: register it there`,
    { issuer },
  );
};

/** What this client says of itself when it registers. RFC 7591, section 2. */
const registrationOf = (
  own: Readonly<Record<string, unknown>>,
  redirectUri: string,
  method: ClientAuthMethod,
  type: 'native' | 'web',
): Record<string, unknown> => ({
  client_name: 'rx-mcp',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: type,
  token_endpoint_auth_method: method,
  ...own,
  redirect_uris: [redirectUri],
});

/** A redirect to this machine, or to an application by a scheme of its own, is a native one's. */
const typeOf = (redirectUri: string): 'native' | 'web' => {
  const url = new URL(redirectUri);
  return url.protocol === 'https:' && !isLoopback(url) ? 'web' : 'native';
};

const chosenMethod = (metadata: AuthorizationServer, isAssumed: boolean): ClientAuthMethod => {
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  if (isAssumed || !Array.isArray(methods) || methods.includes('none')) return 'none';
  return SECRET_METHODS.find((one) => methods.includes(one)) ?? 'none';
};

const methodOf = (
  answer: Readonly<Record<string, unknown>>,
  asked: ClientAuthMethod,
  secret: unknown,
): ClientAuthMethod => {
  const said = answer['token_endpoint_auth_method'];
  if (said === 'none' || SECRET_METHODS.some((one) => one === said)) return said as ClientAuthMethod;
  if (typeof secret !== 'string') return 'none';
  return asked === 'none' ? 'client_secret_basic' : asked;
};

/** Whether a registered redirect URI leads here: on this machine any port will do. RFC 8252, section 7.3. */
const isSameRedirect = (registered: unknown, redirectUri: string): boolean => {
  if (typeof registered !== 'string' || !URL.canParse(registered)) return false;
  const [theirs, ours] = [new URL(registered), new URL(redirectUri)];
  if (isLoopback(ours)) theirs.port = ours.port;
  return theirs.href === ours.href;
};

/** Seconds since the epoch; 0 is never, and so is what no clock will show. */
const isDate = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && Number.isSafeInteger(Math.floor(value * 1_000));

const REFUSED_TYPE: ReadonlySet<unknown> = new Set(['invalid_redirect_uri', 'invalid_client_metadata']);

/** Registers this client with authorization servers. RFC 7591; deprecated in MCP 2026-07-28 in favour of metadata documents. */
export class Registrar {
  readonly #web: Web;
  readonly #own: Readonly<Record<string, unknown>>;

  constructor(web: Web, own: Readonly<Record<string, unknown>>) {
    this.#web = web;
    this.#own = own;
  }

  /** Resolves to who this client is from now on. A refusal over the redirect URI is tried once more, as the other type. */
  async register(
    { issuer, metadata, isAssumed }: Discovered,
    redirectUri: string,
    signal: AbortSignal,
  ): Promise<Registration> {
    const url = metadata.registration_endpoint;
    if (url === undefined)
      throw new AuthorizationError(
        'client',
        `${issuer} registers no clients by itself: register one there, and give it as client`,
        { issuer },
      );
    const type = typeOf(redirectUri);
    const method = chosenMethod(metadata, isAssumed);
    const first = await this.#ask(url, registrationOf(this.#own, redirectUri, method, type), signal);
    const mayRetry = 'refused' in first && REFUSED_TYPE.has(first.code) && this.#own['application_type'] === undefined;
    const other = type === 'native' ? 'web' : 'native';
    const second = mayRetry
      ? await this.#ask(url, registrationOf(this.#own, redirectUri, method, other), signal)
      : first;
    if (!('refused' in second)) return this.#read(second.client, method, redirectUri, issuer);
    const told = 'refused' in first ? first : second;
    throw new AuthorizationError(
      'client',
      `${issuer} does not register this client with the redirect URI ${redirectUri}: ${told.refused}`,
      { issuer, code: told.code },
    );
  }

  async #ask(
    url: string,
    body: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<
    | { readonly client: Readonly<Record<string, unknown>> }
    | { readonly refused: string; readonly code: string | undefined }
  > {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const request = { method: 'POST', url, headers, body: JSON.stringify(body) } as const;
    const { status, text, redirected } = await this.#web.send(request, 'the registration endpoint', signal);
    if (redirected !== undefined) return { refused: `it redirects to ${redirected}`, code: undefined };
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      answer = undefined;
    }
    const fields = isObject(answer) ? answer : {};
    if (status >= 200 && status < 300) return { client: fields };
    if (status >= 500 || status === 429)
      throw new AuthorizationError('network', `the registration endpoint answered ${status}`);
    const code = quoted(fields['error'], []).slice(2, -1);
    const words = quoted(fields['error_description'], []);
    return { refused: `${code === '' ? `it answered ${status}` : code}${words}`, code: code === '' ? undefined : code };
  }

  #read(
    answer: Readonly<Record<string, unknown>>,
    asked: ClientAuthMethod,
    redirectUri: string,
    issuer: string,
  ): Registration {
    const {
      client_id: clientId,
      client_secret: secret,
      client_secret_expires_at: expires,
      redirect_uris: uris,
    } = answer;
    if (Array.isArray(uris) && uris.length > 0 && !uris.some((uri) => isSameRedirect(uri, redirectUri)))
      throw new AuthorizationError(
        'client',
        `${issuer} registered this client with other redirect URIs than ${redirectUri}: nobody would come back from there`,
        { issuer },
      );
    if (typeof clientId !== 'string' || clientId === '')
      throw new AuthorizationError('client', `${issuer} registered this client without an id`, { issuer });
    return {
      clientId,
      clientSecret: typeof secret === 'string' && secret !== '' ? secret : undefined,
      method: methodOf(answer, asked, secret),
      redirectUri,
      expiresAt: isDate(expires) ? expires * 1_000 : undefined,
    };
  }
}

/** Whether a registration is of use for a redirect now; of one to this machine whatever its port. */
export const isOfUse = (registration: Registration | undefined, redirectUri: string): registration is Registration =>
  isSameRedirect(registration?.redirectUri, redirectUri) &&
  (registration?.expiresAt ?? Infinity) > asyncScheduler.now();

/** Where registrations are kept: by their issuer, since they are told to no other. */
export const registrationKey = (issuer: string): string => `client ${issuer}`;

/** Refusals that say that the client is not known, and so none of its tokens. RFC 6749, section 5.2. */
const UNKNOWN_CLIENT: ReadonlySet<unknown> = new Set(['invalid_client', 'unauthorized_client']);

/** Forgets the registration of a client that its authorization server does not know, so that the next flow makes another. */
export const forgetUnknown = async (
  store: Store,
  issuer: string,
  { clientId }: ClientIdentity,
  code: string | undefined,
): Promise<void> => {
  const key = registrationKey(issuer);
  if (!UNKNOWN_CLIENT.has(code) || readRegistration(await store.get(key))?.clientId !== clientId) return;
  await store.delete(key);
};
