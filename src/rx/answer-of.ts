import { defer, isObservable, Observable, of, takeLast } from 'rxjs';

/** What a hook, a provider or a handler may answer with: a value, a Promise of it, or an Observable whose last value it is. */
export type Answer<T> = T | PromiseLike<T> | Observable<T>;

const isThenable = <T>(value: Answer<T>): value is PromiseLike<T> =>
  (typeof value === 'object' || typeof value === 'function') &&
  value !== null &&
  typeof (value as { then?: unknown }).then === 'function';

const ofThenable = <T>(thenable: PromiseLike<T>): Observable<T> =>
  new Observable<T>((subscriber) => {
    thenable.then(
      (value) => {
        subscriber.next(value);
        subscriber.complete();
      },
      (reason: unknown) => {
        subscriber.error(reason);
      },
    );
  });

/**
 * The one reading of a foreign answer. An Observable is used as it is and its last value is the answer
 * (none, if it completes empty); a thenable is awaited; everything else, arrays, strings and iterables
 * included, is one value, emitted synchronously. `produce` runs on each subscription; what it throws is
 * the stream's error. Unsubscribing unsubscribes from the Observable; a Promise is left to itself.
 */
export const answerOf = <T>(produce: () => Answer<T>): Observable<T> =>
  defer(() => {
    const answer = produce();
    if (isObservable(answer)) return answer.pipe(takeLast(1));
    if (isThenable(answer)) return ofThenable(answer);
    return of(answer);
  });
