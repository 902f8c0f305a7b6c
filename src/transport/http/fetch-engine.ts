import { Observable } from 'rxjs';
import type { HttpEngine, HttpRequest, HttpResponse } from './engine.js';
import type { FetchLike, FetchResponse } from './fetch-like.js';

const CODES_BEFORE_SENDING: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What Node asked the system for when it failed, where that is done before anything is sent, and where it is not. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);
const ON_A_CONNECTION: ReadonlySet<unknown> = new Set(['read', 'write']);

interface Fault {
  readonly code: unknown;
  readonly syscall?: unknown;
}

/** Whatever it was: a refusal, no port and no descriptor left. On a connection the way may be lost behind a request. */
const isBeforeSending = ({ code, syscall }: Fault): boolean =>
  BEFORE_SENDING.has(syscall) || (CODES_BEFORE_SENDING.has(code) && !ON_A_CONNECTION.has(syscall));

/** The faults with a code in an error, its causes and its parts. That of a whole is the one of its first part. */
const faultsOf = (error: unknown, depth = 0): readonly Fault[] => {
  if (typeof error !== 'object' || error === null || depth > 3) return [];
  const { code, syscall, cause, errors } = error as Fault & { readonly cause?: unknown; readonly errors?: unknown };
  const parts = Array.isArray(errors) ? errors.flatMap((part) => faultsOf(part, depth + 1)) : [];
  const own = code === undefined || parts.length > 0 ? [] : [{ code, syscall }];
  return [...own, ...faultsOf(cause, depth + 1), ...parts];
};

/** Whether a connection was never made, as far as an error of Node's says. */
export const neverConnected = (error: unknown): boolean => {
  const faults = faultsOf(error);
  return faults.length > 0 && faults.every(isBeforeSending);
};

const bytesOf = (response: FetchResponse, abort: AbortController): Observable<Uint8Array> =>
  new Observable((subscriber) => {
    const reader = response.body?.getReader();
    if (reader === undefined) {
      subscriber.complete();
      return undefined;
    }
    let done = false;
    const pull = (): void => {
      reader.read().then(
        (chunk) => {
          done = chunk.done;
          if (subscriber.closed) return;
          if (chunk.done) subscriber.complete();
          else if (ArrayBuffer.isView(chunk.value)) {
            subscriber.next(chunk.value as Uint8Array);
            pull();
          } else subscriber.error(new TypeError('the body of the response is not made of bytes'));
        },
        (reason: unknown) => {
          done = true;
          subscriber.error(reason);
        },
      );
    };
    pull();
    return () => {
      if (done) return;
      // A fetch of somebody's own may not look at the signal: whoever serves the body hears of the end in any case.
      reader.cancel().then(undefined, () => undefined);
      abort.abort();
    };
  });

const responseOf = ({ url, headers }: HttpRequest, response: FetchResponse, abort: AbortController): HttpResponse => ({
  url,
  sent: headers,
  status: response.status,
  statusText: response.statusText,
  header: (name) => response.headers.get(name) ?? undefined,
  body$: bytesOf(response, abort),
  discard: () => {
    response.body?.cancel().then(undefined, () => undefined);
  },
});

/** A fetch of somebody's own may answer anything. */
const isResponse = (response: unknown): response is FetchResponse => {
  const { status, headers, body } = (response ?? {}) as {
    status?: unknown;
    headers?: { get?: unknown };
    body?: unknown;
  };
  const hasBody = body === null || typeof (body as { getReader?: unknown } | undefined)?.getReader === 'function';
  return typeof status === 'number' && typeof headers?.get === 'function' && hasBody;
};

/** An engine on `fetch`: the user's own, or the platform's. WHATWG Fetch. */
export const fetchEngine = (fetch: FetchLike): HttpEngine => ({
  send: (request: HttpRequest) =>
    new Observable((subscriber) => {
      const abort = new AbortController();
      let answered = false;
      const { url, method, headers, body } = request;
      const answer$ = fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal: abort.signal });
      Promise.resolve(answer$).then(
        (response: unknown) => {
          answered = true;
          if (isResponse(response)) {
            if (subscriber.closed) response.body?.cancel().then(undefined, () => undefined);
            subscriber.next(responseOf(request, response, abort));
            subscriber.complete();
          } else subscriber.error(new TypeError('fetch answered with what is no Response'));
        },
        (reason: unknown) => {
          answered = true;
          subscriber.error(reason);
        },
      );
      return () => {
        if (!answered) abort.abort();
      };
    }),
  neverLeft: neverConnected,
});

/** The engine where there is nothing better than the platform's `fetch`. */
export const createEngine = (): HttpEngine => fetchEngine((input, init) => globalThis.fetch(input, init));
