import { defaultIfEmpty, firstValueFrom, identity, type MonoTypeOperatorFunction, throwError, timeout } from 'rxjs';
import { McpError, messageOf } from '../errors/index.js';
import { type Answer, answerOf, idleScheduler } from '../rx/index.js';
import { AuthorizationError } from './authorization-error.js';

/** What the application's own code raised, as an authorization fails of it; what is an error of ours stays as it is. */
export const failureOf = (culprit: string, reason: unknown): McpError =>
  reason instanceof McpError
    ? reason
    : new AuthorizationError('application', `${culprit} failed: ${messageOf(reason)}`, { cause: reason });

/** Errors where the source says nothing within so many milliseconds. The wait by itself holds no process open. */
export const within = <T>(ms: number): MonoTypeOperatorFunction<T> =>
  timeout({
    first: ms,
    scheduler: idleScheduler,
    with: () => throwError(() => new Error(`it has not answered within ${ms / 1_000} s`)),
  });

/**
 * What the application's own code answers; what it raises that is not ours says whose it is.
 * @param ms how long it may take; default: as long as it likes
 */
export const answerFrom = async <T>(culprit: string, produce: () => Answer<T>, ms?: number): Promise<T | undefined> => {
  try {
    const answer$ = answerOf<T | undefined>(produce).pipe(ms === undefined ? identity : within(ms));
    return await firstValueFrom(answer$.pipe(defaultIfEmpty(undefined)));
  } catch (reason) {
    throw failureOf(culprit, reason);
  }
};
