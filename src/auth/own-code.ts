import { defaultIfEmpty, firstValueFrom } from 'rxjs';
import { McpError, messageOf } from '../errors/index.js';
import { type Answer, answerOf } from '../rx/index.js';
import { AuthorizationError } from './authorization-error.js';

/** What the application's own code raised, as an authorization fails of it; what is an error of ours stays as it is. */
export const failureOf = (culprit: string, reason: unknown): McpError =>
  reason instanceof McpError
    ? reason
    : new AuthorizationError('application', `${culprit} failed: ${messageOf(reason)}`, { cause: reason });

/** What the application's own code answers; what it raises that is not ours says whose it is. */
export const answerFrom = async <T>(culprit: string, produce: () => Answer<T>): Promise<T | undefined> => {
  try {
    return await firstValueFrom(answerOf<T | undefined>(produce).pipe(defaultIfEmpty(undefined)));
  } catch (reason) {
    throw failureOf(culprit, reason);
  }
};
