import { Observable } from 'rxjs';
import type { InputEvent } from '../protocol/index.js';
import type { LogMessage, Progress } from '../session/index.js';
import type { Operation } from './operation.js';

/**
 * What happens to a call with `observe: 'events'`, in wire order; `result` is the last. An `input` event shows a
 * question of the server, and comes again with the answer that goes back. A log message on the
 * stream of a call's own (HTTP) is that call's. On a wire that all calls share (stdio, in memory) it names no call, and
 * neither does a legacy server's own question: they are given to every call open with events at that moment.
 */
export type CallEvent<T> =
  | ({ readonly kind: 'progress' } & Progress)
  | ({ readonly kind: 'log' } & LogMessage)
  | ({ readonly kind: 'input' } & InputEvent)
  | { readonly kind: 'result'; readonly result: T };

/** The events of one subscription: `run` makes the call that tells them, and emits its result. */
export const withEvents = <T>(
  run: (events: NonNullable<Operation['events']>) => Observable<T>,
): Observable<CallEvent<T>> =>
  new Observable((subscriber) =>
    run({
      progress: (progress) => {
        subscriber.next({ kind: 'progress', ...progress });
      },
      log: (log) => {
        subscriber.next({ kind: 'log', ...log });
      },
      input: (event) => {
        subscriber.next({ kind: 'input', ...event });
        return !subscriber.closed;
      },
    }).subscribe({
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
