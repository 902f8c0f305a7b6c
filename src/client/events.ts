import { Observable } from 'rxjs';
import type { Result } from '../protocol/index.js';
import type { LogMessage, Progress } from '../session/index.js';
import type { Operation } from './operation.js';
import type { Requests } from './requests.js';

/**
 * What happens to a call with `observe: 'events'`, in wire order; `result` is the last. On a wire that all calls
 * share (stdio, in memory) a log message names no call: it is given to every call open with events at that moment.
 */
export type CallEvent<T> =
  | ({ readonly kind: 'progress' } & Progress)
  | ({ readonly kind: 'log' } & LogMessage)
  | { readonly kind: 'result'; readonly result: T };

/** Runs an operation with its events; `finish` makes the result of what the server answered. */
export const withEvents = <T>(
  requests: Requests,
  operation: Operation,
  finish: (answer$: Observable<Result>) => Observable<T>,
): Observable<CallEvent<T>> =>
  new Observable((subscriber) =>
    finish(
      requests.run({
        ...operation,
        events: {
          progress: (progress) => {
            subscriber.next({ kind: 'progress', ...progress });
          },
          log: (log) => {
            subscriber.next({ kind: 'log', ...log });
          },
        },
      }),
    ).subscribe({
      next: (result) => {
        subscriber.next({ kind: 'result', result });
      },
      error: (reason: unknown) => {
        subscriber.error(reason);
      },
      complete: () => {
        subscriber.complete();
      },
    }),
  );
