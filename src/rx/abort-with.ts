import { type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';

/** The streams that end with one signal: our one listener on it stands for all, since Node warns of signals with many. */
class Ending {
  readonly #source: AbortSignal;
  readonly #streams = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.#source = signal;
  }

  /** Calls `end` when the signal is aborted. Returns what takes it back. */
  add(end: () => void): () => void {
    if (this.#streams.size === 0) this.#source.addEventListener('abort', this.#aborted, { once: true });
    this.#streams.add(end);
    return () => {
      if (!this.#streams.delete(end) || this.#streams.size > 0) return;
      this.#source.removeEventListener('abort', this.#aborted);
    };
  }

  readonly #aborted = (): void => {
    for (const end of [...this.#streams]) end();
  };
}

const endings = new WeakMap<AbortSignal, Ending>();

const endingOf = (signal: AbortSignal): Ending => {
  const known = endings.get(signal);
  if (known !== undefined) return known;
  const ending = new Ending(signal);
  endings.set(signal, ending);
  return ending;
};

/**
 * Mirrors its source until `signal` is aborted, then errors with what `toError` makes of the signal's
 * reason, unsubscribing from the source. A signal that was aborted beforehand errors at once, and the
 * source is never subscribed to. Its listener on the signal, one for all streams, is gone as soon as the last has ended.
 * @param settles true where the source has one value, after which there is nothing left to abort
 */
export const abortWith =
  <T>(signal: AbortSignal, toError: (reason: unknown) => unknown, settles = false): MonoTypeOperatorFunction<T> =>
  (source) =>
    new Observable<T>((subscriber) => {
      if (signal.aborted) {
        subscriber.error(toError(signal.reason));
        return;
      }
      const release = endingOf(signal).add(() => {
        subscriber.error(toError(signal.reason));
      });
      subscriber.add(release);
      // Before the value is emitted: who gets it may abort at the sight of it.
      (settles ? source.pipe(tap(release)) : source).subscribe(subscriber);
    });
