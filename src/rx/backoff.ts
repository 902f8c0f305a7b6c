import { timer, type Observable } from 'rxjs';

/** How the delays between tries grow, in ms. */
export interface BackoffTerms {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A number from 0 to 1, for each delay; default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** 2 to a power beyond this is no finite number, of which no time would be no time any more. */
const MOST_DOUBLINGS = 1_000;

/**
 * Delays that double from try to try up to a cap, each shortened by up to half at random, so that many clients that
 * lost the same server don't come back at the same moment.
 */
export class Backoff {
  readonly #terms: BackoffTerms;
  #tries = 0;

  /** @param terms default: from half a second to half a minute */
  constructor(terms: BackoffTerms = { firstMs: 500, maxMs: 30_000 }) {
    this.#terms = terms;
  }

  /** How many delays there were since the last success. */
  get tries(): number {
    return this.#tries;
  }

  /**
   * Emits once, after the next delay, and completes. Cold, but the delay is counted when this is called.
   * @param leastMs the shortest delay that will do, in ms; it does not lift the cap
   */
  next(leastMs = 0): Observable<unknown> {
    return timer(this.nextMs(leastMs));
  }

  /** The next delay, in ms, for who waits in another way. */
  nextMs(leastMs = 0): number {
    const { firstMs, maxMs, random = Math.random } = this.#terms;
    const full = Math.min(maxMs, firstMs * 2 ** Math.min(this.#tries, MOST_DOUBLINGS));
    this.#tries += 1;
    return Math.max(full * (1 - random() / 2), Math.min(leastMs, maxMs));
  }

  /** Starts from the first delay again. */
  succeeded(): void {
    this.#tries = 0;
  }
}
