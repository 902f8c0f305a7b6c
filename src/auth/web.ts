import { catchError, concatMap, defer, firstValueFrom, map, type Observable, of, throwError, timeout } from 'rxjs';
import { McpError, MessageTooLargeError, messageOf } from '../errors/index.js';
import { abortWith } from '../rx/index.js';
import { PRIVATE_ADDRESS } from '../transport/http/addresses.js';
import { wholeBody } from '../transport/http/body.js';
import { chooseEngine } from '../transport/http/choose-engine.js';
import type { HttpRequest, HttpResponse } from '../transport/http/engine.js';
import type { FetchLike } from '../transport/http/fetch-like.js';
import { AuthorizationError } from './authorization-error.js';
import { type Places, PRIVATE, told } from './places.js';

/** What is read of an answer at most, in bytes: metadata and tokens are small. */
const MAX_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;

/** A whole answer. */
export interface Reply {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
  /** Where it was redirected to, if that was not followed. */
  readonly redirected?: string | undefined;
  /** The same, whole: to be looked at, and shown to nobody. */
  readonly location?: string | undefined;
}

/** What is kept of an answer whose body is read. */
const headOf = (response: HttpResponse): Pick<Reply, 'status' | 'header'> => ({
  status: response.status,
  header: (name) => response.header(name),
});

/** What `oauth4webapi` calls in place of `fetch`. */
export type LibraryFetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string | URLSearchParams | undefined;
    signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

const cancelled = (): AuthorizationError => new AuthorizationError('cancelled', 'the authorization was given up');

/** Sends the requests of authorizations, each bounded in size and time, to places that may be asked. */
export class Web {
  readonly #fetch: FetchLike | undefined;
  readonly #timeoutMs: number;
  readonly #places: Places;

  constructor(fetch: FetchLike | undefined, timeoutMs: number, places: Places) {
    this.#fetch = fetch;
    this.#timeoutMs = timeoutMs;
    this.#places = places;
  }

  /** The URLs that may be used. */
  get places(): Places {
    return this.#places;
  }

  /** For what somebody else than the MCP server named. */
  namedBy(url: URL): Web {
    return new Web(this.#fetch, this.#timeoutMs, this.#places.namedBy(url));
  }

  /** Resolves to the whole answer. That many redirects of a GET are followed within the origin, others never. */
  async send(request: HttpRequest, what: string, signal?: AbortSignal, redirects = MAX_REDIRECTS): Promise<Reply> {
    const url = this.#places.require(request.url, what);
    const late = (): Observable<never> =>
      throwError(
        () => new AuthorizationError('network', `${what}, ${told(url)}, did not answer within ${this.#timeoutMs} ms`),
      );
    const reply$ = this.#followed({ ...request, url: url.href, namedBy: this.#places.namerOf(url) }, redirects).pipe(
      timeout({ first: this.#timeoutMs, with: late }),
      catchError((reason: unknown) => throwError(() => this.#failure(reason, what, url))),
    );
    return firstValueFrom(signal === undefined ? reply$ : reply$.pipe(abortWith(signal, cancelled)));
  }

  /** As `fetch` for the library that makes the requests. */
  fetchFor(what: string, signal?: AbortSignal): LibraryFetch {
    return async (url, { method, headers, body }) => {
      const text = body === undefined ? undefined : String(body);
      const reply = await this.send(
        { method: method === 'GET' ? 'GET' : 'POST', url, headers, body: text },
        what,
        signal,
      );
      return responseOf(reply);
    };
  }

  #followed(request: HttpRequest, left: number): Observable<Reply> {
    return defer(() => chooseEngine(this.#fetch)).pipe(
      concatMap((engine) => engine.send(request)),
      concatMap((response) => {
        if (!isRedirect(response)) return this.#read(response);
        response.discard();
        const location = response.header('location') ?? '';
        const target = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
        if (target !== undefined) [target.username, target.password] = ['', ''];
        const isNear = target?.origin === new URL(request.url).origin;
        if (request.method === 'GET' && isNear && left > 0 && target !== undefined)
          return this.#followed({ ...request, url: target.href }, left - 1);
        return of({ ...headOf(response), text: '', redirected: told(target ?? request.url), location: target?.href });
      }),
    );
  }

  #read(response: HttpResponse): Observable<Reply> {
    return wholeBody(response, MAX_BYTES).pipe(map((text) => ({ ...headOf(response), text })));
  }

  #failure(reason: unknown, what: string, url: URL): McpError {
    if (reason instanceof MessageTooLargeError)
      return new AuthorizationError('too-large', `${what}, ${told(url)}, answered with more than ${MAX_BYTES} bytes`);
    if (reason instanceof McpError) return reason;
    if ((reason as { code?: unknown } | null)?.code === PRIVATE_ADDRESS)
      return new AuthorizationError('url', `${what}, ${told(url)}, is not used: ${PRIVATE}`);
    return new AuthorizationError('network', `${what}, ${told(url)}, could not be reached: ${messageOf(reason)}`);
  }
}

/** A browser hides a redirect behind status 0. */
const isRedirect = ({ status }: HttpResponse): boolean =>
  status === 0 || (status >= 300 && status < 400 && status !== 304);

/** A `Response` for the library, which takes its bodies apart. */
export const responseOf = ({ status, header, text }: Reply): Response => {
  const headers = new Headers();
  for (const name of ['content-type', 'dpop-nonce', 'www-authenticate']) {
    const value = header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : text, { status: status < 200 ? 500 : status, headers });
};
