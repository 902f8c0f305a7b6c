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
import { type LibraryFetch, responseOf, type Web } from './web.js';

/** What a token endpoint gave. */
export interface Granted {
  readonly accessToken: string;
  readonly scheme: 'Bearer' | 'DPoP';
  readonly refreshToken: string | undefined;
  /** In seconds. */
  readonly expiresIn: number | undefined;
  readonly scopes: readonly string[] | undefined;
}

/** Who asks a token endpoint. */
export interface Asker {
  readonly client: ClientIdentity;
  readonly key: ClientKey | undefined;
  readonly dpop: DpopKey | undefined;
}

const PARAMETERS_WITHOUT_SECRET: ReadonlySet<string> = new Set(['resource', 'scope', 'redirect_uri', 'audience']);

/** Text of a server's for a message: short, of one line, and without anything that was sent to it in confidence. */
export const quoted = (text: unknown, secrets: readonly string[]): string => {
  if (typeof text !== 'string' || text === '') return '';
  // eslint-disable-next-line no-control-regex -- they are what is taken out
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').slice(0, 200);
  return secrets.some((secret) => secret !== '' && text.includes(secret)) ? '' : ` (${clean})`;
};

/** An ID token is of no use here, and what is wrong with one need not be anybody's concern. */
const withoutIdToken = (text: string): string => {
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body) || body['id_token'] === undefined) return text;
    delete body['id_token'];
    return JSON.stringify(body);
  } catch {
    return text;
  }
};

const grantedOf = ({ token_type, ...body }: TokenEndpointResponse): Granted => ({
  accessToken: body.access_token,
  scheme: (token_type as string) === 'dpop' ? 'DPoP' : 'Bearer',
  refreshToken: body.refresh_token === '' ? undefined : body.refresh_token,
  expiresIn: body.expires_in,
  scopes: scopesOf(body.scope),
});

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
    let status = 0;
    const fetch: LibraryFetch = async (url, { headers, body }) => {
      const text = String(body);
      const reply = await this.#web.send({ method: 'POST', url, headers, body: text }, 'the token endpoint', signal);
      status = reply.status;
      if (reply.redirected !== undefined)
        throw new AuthorizationError('redirect', `the token endpoint redirects to ${reply.redirected}`, { issuer });
      return responseOf({ ...reply, text: withoutIdToken(reply.text) });
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
      const tokenTypes = { n_a: () => undefined };
      return oauth.processGenericTokenEndpointResponse(server, asking, response, { recognizedTokenTypes: tokenTypes });
    };
    try {
      try {
        return grantedOf(await once());
      } catch (reason) {
        // The nonce has been kept, and the next proof has it. RFC 9449, section 8.
        if (dpop === undefined || !oauth.isDPoPNonceError(reason)) throw reason;
        return grantedOf(await once());
      }
    } catch (reason) {
      if (reason instanceof McpError) throw reason;
      const secrets = Object.entries(parameters).flatMap(([name, value]) =>
        PARAMETERS_WITHOUT_SECRET.has(name) ? [] : [value],
      );
      if (client.clientSecret !== undefined) secrets.push(client.clientSecret);
      throw this.#failure(oauth, reason, status, secrets);
    }
  }

  #failure(oauth: Library, reason: unknown, status: number, secrets: readonly string[]): AuthorizationError {
    const { issuer } = this.#server;
    const who = `the token endpoint of ${issuer}`;
    if (status >= 500 || status === 429)
      return new AuthorizationError('network', `${who} answered ${status}`, { issuer });
    if (reason instanceof oauth.ResponseBodyError) {
      const code = quoted(reason.error, secrets).slice(2, -1);
      const words = quoted(reason.error_description, secrets);
      return new AuthorizationError('token', `${who} refused: ${code}${words}`, { issuer, code });
    }
    if (status === 0)
      return new AuthorizationError('response', `${who} cannot be asked: ${messageOf(reason)}`, { issuer });
    // The library's own messages quote nothing.
    return new AuthorizationError('response', `${who} answered ${status}: ${messageOf(reason)}`, { issuer });
  }
}
