import { fromEvent, type Observable, of, take } from 'rxjs';

/** Emits once, when a signal is aborted, or at once where it is already, and completes. */
export const aborted = (signal: AbortSignal): Observable<unknown> =>
  signal.aborted ? of(undefined) : fromEvent(signal, 'abort').pipe(take(1));
