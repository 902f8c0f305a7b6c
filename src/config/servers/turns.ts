/** Does one piece of work after another, each time the same. */
export class Turns<T> {
  readonly #work: () => Promise<T>;
  #running: Promise<T> | undefined;
  #waiting: Promise<T> | undefined;

  /** @param work never rejects */
  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  /** Whether the work is being done, or waits to be. */
  get isBusy(): boolean {
    return this.#running !== undefined || this.#waiting !== undefined;
  }

  /** Has it done once more, from its beginning: those who want that while it waits for the one before share it. */
  take(): Promise<T> {
    if (this.#running === undefined) return this.#begin();
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = undefined;
      return this.#begin();
    });
    return this.#waiting;
  }

  #begin(): Promise<T> {
    const running = this.#work().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
