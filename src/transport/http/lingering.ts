import { asyncScheduler, type Subscription } from 'rxjs';
import { Deadlines } from '../../rx/index.js';

/** How long the rest of an answered exchange may take before it is hung up, in ms. */
const LINGER_MS = 1_000;

/** Exchanges that have brought their answer and need only end, so that their connection can serve again. */
export class Lingering {
  readonly #exchanges = new Set<Subscription>();
  readonly #deadlines = new Deadlines(asyncScheduler, true);

  add(exchange: Subscription): void {
    if (exchange.closed) return;
    this.#exchanges.add(exchange);
    // Most of them end within the turn: one timer for all.
    const deadline = this.#deadlines.start(LINGER_MS, () => {
      exchange.unsubscribe();
    });
    exchange.add(() => {
      deadline.cancel();
      this.#exchanges.delete(exchange);
    });
  }

  /** Hangs all of them up. */
  end(): void {
    for (const exchange of [...this.#exchanges]) exchange.unsubscribe();
    this.#deadlines.release();
  }
}
