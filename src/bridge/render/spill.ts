import { catchError, defaultIfEmpty, map, type Observable, of, timeout } from 'rxjs';
import { answerOf } from '../../rx/index.js';
import type { Rendering, Spilled } from './options.js';

/** The longest place that is named. */
const LONGEST = 1_000;

const placeOf = (answer: unknown): string | undefined => {
  if (typeof answer !== 'string' || answer.length > LONGEST) return undefined;
  const place = answer.trim();
  return place === '' || /\p{Cc}/u.test(place) ? undefined : place;
};

/**
 * Has a text stored that is about to be cut. Emits once where it is, or `undefined` where nobody says so in time, and
 * completes; never errors. Emits at once where the hook answers at once. Unsubscribing lets go of the hook's answer.
 */
export const spillOf = (
  what: Spilled,
  { spill, spillTimeoutMs }: Pick<Rendering, 'spill' | 'spillTimeoutMs'>,
): Observable<string | undefined> => {
  if (spill === undefined) return of(undefined);
  return answerOf<unknown>(() => spill(what)).pipe(
    timeout({ first: spillTimeoutMs, with: () => of(undefined) }),
    map(placeOf),
    defaultIfEmpty(undefined),
    catchError(() => of(undefined)),
  );
};
