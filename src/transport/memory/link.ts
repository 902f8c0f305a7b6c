import { Observable, type Subscriber } from 'rxjs';
import { reasonText, TransportClosedError, TransportError } from '../../errors/index.js';
import { flatten, parseInbound, type Inbound, type InvalidMessage, type Outbound } from '../../jsonrpc/index.js';
import { jsonCopy } from '../../jsonrpc/json-copy.js';
import { notJson } from '../framing/encode-line.js';
import { Mailbox } from './mailbox.js';

/** The other end of a {@link Link}. */
export interface FarEnd {
  /** False while it cannot take a message yet; {@link Link.flush} says that it can. */
  readonly ready: boolean;
  take(message: Outbound): void;
  /** The link has ended, from whichever side. Called once, before the near side hears of it. */
  ended(): void;
}

/** Keeps the id where there is one, so that the call that waits for it fails at once. */
const unwritable = (value: unknown, reason: unknown): InvalidMessage => {
  const id = (value as { readonly id?: unknown } | null)?.id;
  const fault = { invalid: 'it cannot be written as JSON', excerpt: reasonText(reason) };
  return typeof id === 'string' || typeof id === 'number' ? { ...fault, id } : fault;
};

interface Waiting {
  readonly message: Outbound;
  readonly subscriber: Subscriber<never>;
}

/**
 * One life of a wire inside this process. Messages cross it as copies, in order, within the call that
 * sends them. Each side runs to completion: what is sent while a side is being called waits until that
 * call has returned, so that neither side is ever entered twice, and a long exchange needs no stack.
 */
export class Link {
  readonly #farEnd: FarEnd;
  readonly #inbox = new Mailbox();
  /** Only while something waits. */
  #waiting: Waiting[] | undefined;
  #delivering = false;
  #alive = true;

  constructor(farEnd: FarEnd) {
    this.#farEnd = farEnd;
  }

  get inbound$(): Observable<Inbound> {
    return this.#inbox.messages$;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /**
   * Cold: subscribing copies the message and hands the copy to the far end. Completes once the far end
   * has taken it. Errors with `TransportClosedError` when the link has ended, with the reason of its end
   * when it ends first, with `TransportError` when the far end throws, and with `OptionError` when the message is no JSON.
   */
  send(message: Outbound): Observable<never> {
    return new Observable<never>((subscriber) => {
      if (!this.#alive) {
        subscriber.error(new TransportClosedError());
        return;
      }
      let copy: Outbound;
      try {
        copy = jsonCopy(message) as Outbound;
      } catch (reason) {
        subscriber.error(notJson(reason));
        return;
      }
      if (this.#waiting === undefined && !this.#delivering && this.#farEnd.ready) {
        this.#delivering = true;
        this.#deliver({ message: copy, subscriber });
        this.#delivering = false;
      } else (this.#waiting ??= []).push({ message: copy, subscriber });
      this.flush();
    });
  }

  /** Hands over what waits for the far end to be ready. */
  flush(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    while (this.#farEnd.ready) {
      const next = this.#waiting?.shift();
      if (next === undefined) break;
      this.#deliver(next);
    }
    if (this.#waiting?.length === 0) this.#waiting = undefined;
    this.#delivering = false;
  }

  /**
   * A message, or a batch of them, from the far end; after the end it is dropped. What cannot be written
   * as JSON arrives as an invalid message, and why is returned.
   */
  receive(value: unknown): unknown {
    if (!this.#alive) return undefined;
    let copy: unknown;
    try {
      copy = jsonCopy(value);
    } catch (reason) {
      this.#inbox.put([unwritable(value, reason)]);
      return reason;
    }
    this.#inbox.put(flatten(copy));
    return undefined;
  }

  /** The same, as text. */
  receiveText(text: string): void {
    if (this.#alive) this.#inbox.put(parseInbound(text));
  }

  /** Ends it from the near side: `inbound$` completes. Idempotent. */
  close(): void {
    this.#finish(new TransportClosedError());
  }

  /** The same, for whoever holds it as a subscription. */
  unsubscribe(): void {
    this.close();
  }

  /** Ends it from the far side: `inbound$` errors with `reason`. Idempotent. */
  die(reason: unknown): void {
    this.#finish(reason, { reason });
  }

  #deliver({ message, subscriber }: Waiting): void {
    try {
      this.#farEnd.take(message);
    } catch (reason) {
      subscriber.error(new TransportError(reason));
    }
    subscriber.complete();
  }

  #finish(reason: unknown, end?: { readonly reason: unknown }): void {
    if (!this.#alive) return;
    this.#alive = false;
    const undelivered = this.#waiting?.splice(0) ?? [];
    this.#farEnd.ended();
    for (const { subscriber } of undelivered) subscriber.error(reason);
    this.#inbox.end(end);
  }
}
