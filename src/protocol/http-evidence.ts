import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { EndedUnanswered, InvalidMessageError, NetworkError, refusalOf } from '../errors/index.js';
import type { EraVerdict } from './era-cache.js';
import type { Life, NegotiationTerms } from './life.js';

/** The probe says that the server is to be asked the old way. */
export class AskOldWay extends Error {
  constructor(
    readonly reason: unknown,
    /** It answered as a modern server does to a method it does not know. */
    readonly perhapsModern: boolean,
  ) {
    super();
  }
}

/** The status of a refusal. */
export const statusOf = (reason: unknown): number | undefined => refusalOf(reason)?.status;

/** A status that says something of the endpoint: authorization and overload say nothing. */
export const isRefusal = (reason: unknown): boolean => {
  const status = statusOf(reason) ?? 0;
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
};

/** What a server says that does not know the modern way, or is none. */
export const isOldWay = (reason: unknown): boolean =>
  isRefusal(reason) ||
  statusOf(reason) === 500 ||
  reason instanceof InvalidMessageError ||
  // It answered in good order, and said nothing to it.
  (reason instanceof NetworkError && reason.cause instanceof EndedUnanswered);

/** Tells the cache, where the era was to be found out. */
export const remember = ({ era, cache, key }: NegotiationTerms, verdict: EraVerdict): MonoTypeOperatorFunction<Life> =>
  tap(() => {
    if (key !== undefined && era === 'auto') cache.set(key, verdict);
  });
