import { Observable } from 'rxjs';
import type { HttpEngine, HttpRequest } from './engine.js';
import { FetchExchange } from './fetch-exchange.js';
import type { FetchLike } from './fetch-like.js';

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

/** An engine on `fetch`: the user's own, or the platform's. WHATWG Fetch. */
export const fetchEngine = (fetch: FetchLike): HttpEngine => ({
  send: (request: HttpRequest) =>
    new Observable((subscriber) => {
      const exchange = new FetchExchange(request, subscriber);
      exchange.send(fetch);
      return exchange;
    }),
  neverLeft: neverConnected,
});

/** The engine where there is nothing better than the platform's `fetch`. */
export const createEngine = (): HttpEngine => fetchEngine((input, init) => globalThis.fetch(input, init));
