import { Subscription, timer } from 'rxjs';

/** How long the server may take to say what became of requests it has said nothing of yet, in ms. */
const LAST_WORDS_MS = 500;

/**
 * Requests of which the server has said nothing yet. Where it has forgotten their session, each of them will be refused
 * as well: to hear so is to know that it did not run.
 */
export class Unheard<T> {
  readonly #requests = new Set<T>();
  readonly #waiting = new Subscription();
  #done: (() => void) | undefined;

  add(request: T): void {
    this.#requests.add(request);
  }

  has(request: T): boolean {
    return this.#requests.has(request);
  }

  /** The server has said something of it, or nobody wants to know any longer. */
  delete(request: T): void {
    if (this.#requests.delete(request)) this.#settled();
  }

  /** Calls `done` once, when nothing is unheard any longer, at once if nothing is, or after half a second. */
  settle(done: () => void): void {
    if (this.#done !== undefined) return;
    this.#done = done;
    this.#waiting.add(
      timer(LAST_WORDS_MS).subscribe({
        next: () => {
          this.#requests.clear();
          this.#settled();
        },
        error: () => undefined,
      }),
    );
    this.#settled();
  }

  /** Waits for nothing any longer, and calls nobody. */
  close(): void {
    this.#waiting.unsubscribe();
  }

  #settled(): void {
    if (this.#done === undefined || this.#requests.size > 0 || this.#waiting.closed) return;
    this.#waiting.unsubscribe();
    this.#done();
  }
}
