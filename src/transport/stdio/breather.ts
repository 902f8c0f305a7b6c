import type { Readable } from 'node:stream';
import { asyncScheduler } from 'rxjs';

/** After how many messages a stream is paused. */
const MESSAGES = 5_000;
/** What is no message costs more, and is of no use. */
const WEIGHT_OF_JUNK = 50;

/**
 * Lets a process breathe whose server never stops talking: after some thousand messages, or some hundred lines that are
 * none, the stream is paused for a turn, so that clocks and other streams have theirs.
 */
export class Breather {
  readonly #stream: Readable;
  #counted = 0;
  #paused = false;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  count(isJunk: boolean): void {
    this.#counted += isJunk ? WEIGHT_OF_JUNK : 1;
    if (this.#counted < MESSAGES || this.#paused) return;
    this.#paused = true;
    this.#stream.pause();
    asyncScheduler.schedule(() => {
      this.#counted = 0;
      this.#paused = false;
      this.#stream.resume();
    });
  }
}
