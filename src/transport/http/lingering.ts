import { type Subscription, timer } from 'rxjs';

/** How long the rest of an answered exchange may take before it is hung up, in ms. */
const LINGER_MS = 1_000;

/** Exchanges that have brought their answer and need only end, so that their connection can serve again. */
export class Lingering {
  readonly #exchanges = new Set<Subscription>();

  add(exchange: Subscription): void {
    if (exchange.closed) return;
    this.#exchanges.add(exchange);
    exchange.add(() => this.#exchanges.delete(exchange));
    exchange.add(
      timer(LINGER_MS).subscribe({
        next: () => {
          exchange.unsubscribe();
        },
        error: () => undefined,
      }),
    );
  }

  /** Hangs all of them up. */
  end(): void {
    for (const exchange of [...this.#exchanges]) exchange.unsubscribe();
  }
}
