import { Observable, type Subscriber } from 'rxjs';
import { TransportError } from '../../errors/index.js';
import type { Inbound } from '../../jsonrpc/index.js';

/**
 * The inbound side of a wire that has no buffer of its own: keeps messages until the one subscriber is
 * there, then hands each on as it comes, synchronously. A message that is put in while another is being
 * handed on waits for its turn, so that every listener sees the same order.
 */
export class Mailbox {
  /** Only while something waits in it. */
  #queue: Inbound[] | undefined;
  #reader: Subscriber<Inbound> | undefined;
  #handingOn = false;
  #end: { readonly reason?: unknown } | undefined;

  /** What was put in, in order, then the end. A second subscriber gets a `TransportError`. */
  get messages$(): Observable<Inbound> {
    return new Observable<Inbound>((subscriber) => {
      if (this.#reader !== undefined) {
        subscriber.error(
          new TransportError(
            new Error(
              'inbound$ takes one subscriber: a transport is one life of a wire, for one client; make another for the next',
            ),
          ),
        );
        return;
      }
      this.#reader = subscriber;
      this.#handOn();
    });
  }

  put(messages: readonly Inbound[]): void {
    // After the end, and when the reader has gone, nobody will ever read it.
    if (this.#end !== undefined || this.#deserted) return;
    const [only] = messages;
    const reader = this.#handingOn || this.#queue !== undefined ? undefined : this.#reader;
    if (messages.length === 1 && only !== undefined && reader !== undefined) {
      this.#handingOn = true;
      reader.next(only);
      this.#handingOn = false;
    } else {
      this.#queue ??= [];
      for (const message of messages) this.#queue.push(message);
    }
    this.#handOn();
  }

  /** Ends the stream once everything before has been handed on: with an error, if a reason is given. The first end counts. */
  end(end: { readonly reason?: unknown } = {}): void {
    this.#end ??= end;
    this.#handOn();
  }

  /** The reader has gone. It is asked, and leaves no word: a finalizer is more than all the rest of a mailbox. */
  get #deserted(): boolean {
    if (this.#reader?.closed !== true) return false;
    this.#queue = undefined;
    return true;
  }

  #handOn(): void {
    if (this.#handingOn) return;
    this.#handingOn = true;
    while (this.#reader !== undefined && !this.#deserted) {
      const message = this.#queue?.shift();
      if (message !== undefined) this.#reader.next(message);
      else if (this.#end === undefined) break;
      else if ('reason' in this.#end) this.#reader.error(this.#end.reason);
      else this.#reader.complete();
    }
    if (this.#queue?.length === 0) this.#queue = undefined;
    this.#handingOn = false;
  }
}
