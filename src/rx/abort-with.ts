import { Observable, type MonoTypeOperatorFunction } from 'rxjs';

/**
 * Mirrors its source until `signal` is aborted, then errors with what `toError` makes of the signal's
 * reason, unsubscribing from the source. A signal that was aborted beforehand errors at once, and the
 * source is never subscribed to. Its listener on the signal is gone as soon as the stream has ended.
 */
export const abortWith =
  <T>(signal: AbortSignal, toError: (reason: unknown) => unknown): MonoTypeOperatorFunction<T> =>
  (source) =>
    new Observable<T>((subscriber) => {
      if (signal.aborted) {
        subscriber.error(toError(signal.reason));
        return;
      }
      const abort = (): void => {
        subscriber.error(toError(signal.reason));
      };
      signal.addEventListener('abort', abort, { once: true });
      subscriber.add(() => {
        signal.removeEventListener('abort', abort);
      });
      source.subscribe(subscriber);
    });
