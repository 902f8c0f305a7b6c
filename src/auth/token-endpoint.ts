import type { AuthorizationServer, TokenEndpointResponse } from 'oauth4webapi';
import { McpError, messageOf } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import { AuthorizationError } from './authorization-error.js';
import { scopesOf } from './challenges.js';
import { clientAuth } from './client-auth.js';
import type { DpopKey } from './dpop.js';
import { anyScheme, library, type Library } from './library.js';
import type { ClientKey } from './options.js';
import type { ClientIdentity, KnownServer } from './records.js';
import { type LibraryFetch, type Reply, responseOf, type Web } from './web.js';

/** What a token endpoint gave. */
export interface Granted {
  readonly accessToken: string;
  readonly scheme: 'Bearer' | 'DPoP';
  readonly refreshToken: string | undefined;
  /** In seconds. */
  readonly expiresIn: number | undefined;
  readonly scopes: readonly string[] | undefined;
  /** What kind of token it is, where one was exchanged for it. RFC 8693, section 2.2.1. */
  readonly issuedType?: string | undefined;
}

/** Who asks a token endpoint. */
export interface Asker {
  readonly client: ClientIdentity;
  readonly key: ClientKey | undefined;
  readonly dpop: DpopKey | undefined;
}

/** The grant that exchanges one token for another, which need not be one to ask a resource with. RFC 8693. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const PARAMETERS_WITHOUT_SECRET: ReadonlySet<string> = new Set([
  ...['grant_type', 'resource', 'scope', 'redirect_uri', 'audience', 'client_id', 'client_assertion_type'],
  ...['requested_token_type', 'subject_token_type'],
]);

/** What was told in confidence with a request: nobody may be shown it, whichever way it comes back. */
const secretsIn = (body: string, authorization: string | undefined): readonly string[] => {
  const secrets = [...new URLSearchParams(body)].flatMap(([name, value]) =>
    PARAMETERS_WITHOUT_SECRET.has(name) ? [] : [value],
  );
  const credentials = authorization?.split(' ').at(-1);
  return credentials === undefined ? secrets : [...secrets, credentials];
};

/** As it was before somebody put it into a form, or a URL; what was in neither stays. */
const unescaped = (text: string): string =>
  text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });

/** Text of a server's for a message: short, of one line, and without anything that was sent to it in confidence. */
export const quoted = (text: unknown, secrets: readonly string[]): string => {
  if (typeof text !== 'string' || text === '') return '';
  // eslint-disable-next-line no-control-regex -- they are what is taken out
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').slice(0, 200);
  const forms = [text, unescaped(text)];
  return secrets.some((secret) => secret !== '' && forms.some((form) => form.includes(secret))) ? '' : ` (${clean})`;
};

/** How long tokens are good for may be left unsaid; what says nothing is as good as that. */
const isTime = (value: unknown): boolean => {
  const seconds = typeof value === 'string' ? Number.parseFloat(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
};

/** Refusals that say: another time. They are the authorization endpoint's, and token endpoints give them, too. RFC 6749, section 4.1.2.1. */
const ANOTHER_TIME: ReadonlySet<unknown> = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** What is worth keeping of the members that may be absent. An ID token is of no use here. */
const OPTIONAL: Readonly<Record<string, (value: unknown) => boolean>> = {
  id_token: () => false,
  expires_in: isTime,
  refresh_token: isText,
  scope: isText,
};

/** An answer as the library reads it: a person has agreed, and need not be asked again for what could as well be absent. */
const readable = (reply: Reply): Response => {
  try {
    const body: unknown = JSON.parse(reply.text);
    if (!isObject(body)) return responseOf(reply);
    const kept = Object.entries(body).filter(([name, value]) => OPTIONAL[name]?.(value) ?? true);
    const response = responseOf({ ...reply, text: JSON.stringify(Object.fromEntries(kept)) });
    // The body says what is wrong, and the challenge that has to go with it says less. RFC 6749, section 5.2.
    if (isText(body['error'])) response.headers.delete('www-authenticate');
    return response;
  } catch {
    return responseOf(reply);
  }
};

/** What a header can carry as a token. RFC 6750, section 2.1, and what is printed besides. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** Asks one token endpoint for tokens. */
export class TokenEndpoint {
  readonly #web: Web;
  readonly #server: KnownServer;
  readonly #asker: Asker;

  constructor(web: Web, server: KnownServer, asker: Asker) {
    this.#web = web;
    this.#server = server;
    this.#asker = asker;
  }

  /**
   * Resolves to what was granted. Rejects with an `AuthorizationError`: `token` where it was refused, with the code of the
   * refusal; `network` where it may be given another time.
   */
  async ask(grant: string, parameters: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Granted> {
    const oauth = await library();
    const { issuer } = this.#server;
    const { client, key, dpop } = this.#asker;
    const authenticate = await clientAuth(oauth, client, key);
    const secrets = [client.clientSecret ?? ''];
    let status = 0;
    const fetch: LibraryFetch = async (url, { headers, body }) => {
      const text = String(body);
      secrets.push(...secretsIn(text, headers['authorization']));
      const reply = await this.#web.send({ method: 'POST', url, headers, body: text }, 'the token endpoint', signal);
      status = reply.status;
      if (reply.redirected !== undefined)
        throw new AuthorizationError('redirect', `the token endpoint redirects to ${reply.redirected}`, { issuer });
      return readable(reply);
    };
    const server = this.#server as AuthorizationServer;
    // The library wants a name; whether it is told to anybody is for the authentication.
    const asking = { client_id: client.clientId === '' ? 'nobody' : client.clientId };
    const once = async (): Promise<TokenEndpointResponse> => {
      const response = await oauth.genericTokenEndpointRequest(
        server,
        asking,
        authenticate,
        grant,
        new URLSearchParams(parameters),
        { [oauth.customFetch]: fetch, ...anyScheme(oauth), ...(dpop && { DPoP: dpop.handle }) },
      );
      // A token that is only good to be exchanged again is of no type.
      const recognizedTokenTypes = grant === TOKEN_EXCHANGE ? { n_a: () => undefined } : {};
      return oauth.processGenericTokenEndpointResponse(server, asking, response, { recognizedTokenTypes });
    };
    try {
      try {
        return this.#granted(await once());
      } catch (reason) {
        // The nonce has been kept, and the next proof has it. RFC 9449, section 8.
        if (dpop === undefined || !oauth.isDPoPNonceError(reason)) throw reason;
        return this.#granted(await once());
      }
    } catch (reason) {
      if (reason instanceof McpError) throw reason;
      throw this.#failure(oauth, reason, status, secrets);
    }
  }

  #granted({ token_type: type, ...body }: TokenEndpointResponse): Granted {
    const isBound = (type as string) === 'dpop';
    const refuse = (why: string): never => {
      const { issuer } = this.#server;
      throw new AuthorizationError('response', `the token endpoint of ${issuer} answered with ${why}`, { issuer });
    };
    // A token without its key is of no use; and one that is bound to none, where it is to be, of use to whoever steals it.
    if (isBound && this.#asker.dpop === undefined) refuse('a token that is bound to a key, and none was named');
    if (!isBound && this.#asker.dpop !== undefined) refuse('a token that is not bound to the key (dpop)');
    if (!SENDABLE.test(body.access_token)) refuse('a token that no header can carry');
    const issuedType = body['issued_token_type'];
    return {
      accessToken: body.access_token,
      scheme: isBound ? 'DPoP' : 'Bearer',
      refreshToken: body.refresh_token,
      expiresIn: body.expires_in,
      scopes: scopesOf(body.scope),
      issuedType: typeof issuedType === 'string' ? issuedType : undefined,
    };
  }

  #failure(oauth: Library, reason: unknown, status: number, secrets: readonly string[]): AuthorizationError {
    const { issuer } = this.#server;
    const who = `the token endpoint of ${issuer}`;
    if (status >= 500 || status === 429 || status === 408)
      return new AuthorizationError('network', `${who} answered ${status}`, { issuer });
    if (reason instanceof oauth.ResponseBodyError) {
      const code = quoted(reason.error, secrets).slice(2, -1);
      const words = quoted(reason.error_description, secrets);
      if (ANOTHER_TIME.has(code))
        return new AuthorizationError('network', `${who} answered ${status}: ${code}${words}`, { issuer, code });
      return new AuthorizationError('token', `${who} refused: ${code}${words}`, { issuer, code });
    }
    if (status === 0)
      return new AuthorizationError('response', `${who} cannot be asked: ${messageOf(reason)}`, { issuer });
    // The library's own messages quote nothing.
    return new AuthorizationError('response', `${who} answered ${status}: ${messageOf(reason)}`, { issuer });
  }
}
