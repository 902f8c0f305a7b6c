import { catchError, map, type Observable, of } from 'rxjs';
import { HttpError } from '../../errors/index.js';
import { bodyText } from './body.js';
import type { HttpResponse } from './engine.js';
import { withoutSecrets } from './secrets.js';
import { withoutQuery } from './without-query.js';

/** How much of the body of a refusal is kept. */
const ERROR_BODY_BYTES = 65_536;
/** How long it is waited for, in ms: what a refusal has to say is worth no long wait. */
const ERROR_BODY_MS = 1_000;

/** How long a server wants to be left alone: seconds, or a date. RFC 9110, section 10.2.3. */
const retryAfterOf = (response: HttpResponse, now: number): number | undefined => {
  const value = response.header('retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  // `Date.parse` makes a date of nearly anything.
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

/** The refusal a response is, with the beginning of its body: as much as has come within a second. */
export const httpErrorOf = (response: HttpResponse, now: number): Observable<HttpError> =>
  bodyText(response, ERROR_BODY_BYTES, ERROR_BODY_MS).pipe(
    catchError(() => of('')),
    map((body) => {
      const { status, statusText, url } = response;
      return new HttpError(
        status,
        withoutSecrets(statusText, response),
        body,
        retryAfterOf(response, now),
        withoutQuery(url),
      );
    }),
  );
