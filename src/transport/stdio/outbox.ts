import type { Writable } from 'node:stream';
import type { Subscriber } from 'rxjs';

/** Frames are not joined into texts much longer than this: a text has a greatest length. */
const LONG_TEXT = 1_048_576;

/** Writes frames to a stream: those of one tick in one write, in the order in which they came. */
export class Outbox {
  readonly #stream: Writable;
  /** The senders of each write that is not flushed yet, in order. */
  readonly #writing: (readonly Subscriber<never>[])[] = [];
  #frames: string[] = [];
  #senders: Subscriber<never>[] = [];
  #length = 0;

  /** @param stream where frames go; its errors are somebody else's to listen to */
  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** Takes a frame in; the sender completes once it was flushed. A frame is written even if its sender leaves. */
  add(frame: string, sender: Subscriber<never>): void {
    this.#senders.push(sender);
    this.#length += frame.length;
    // The tick's end and not the next microtask: continuations of promises that send belong to the same tick.
    if (this.#frames.push(frame) === 1) process.nextTick(() => this.#flush());
    if (this.#length > LONG_TEXT) this.#flush();
  }

  /** Writes what was taken in, ends the stream, and errors the senders whose frames were not flushed. */
  end(reason: unknown): void {
    this.#flush();
    this.#stream.end();
    this.fail(reason);
  }

  /** Errors the senders whose frames were not flushed. */
  fail(reason: unknown): void {
    const senders = [...this.#writing.splice(0), this.#senders];
    this.#senders = [];
    for (const some of senders) for (const sender of some) sender.error(reason);
  }

  #flush(): void {
    if (this.#frames.length === 0) return;
    const senders = this.#senders;
    const text = this.#frames.join('');
    this.#senders = [];
    this.#frames = [];
    this.#length = 0;
    this.#writing.push(senders);
    this.#stream.write(text, (error) => {
      // A write that failed is the death of the wire, which ends its senders with more to tell. A pipe that is destroyed
      // under a write ends it without an error, however much was written.
      if ((error !== null && error !== undefined) || this.#stream.destroyed) return;
      // Writes are flushed in their order.
      this.#writing.shift();
      for (const sender of senders) sender.complete();
    });
  }
}
