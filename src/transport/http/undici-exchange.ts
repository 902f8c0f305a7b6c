import { STATUS_CODES } from 'node:http';
import { Observable, type Observer, type Subscriber, timer } from 'rxjs';
import type { Dispatcher } from 'undici';
import { encodedBody, type Source } from './encoded-body.js';
import type { HttpResponse } from './engine.js';

/** How long the end of a body that nobody wants may take, in ms. */
const DISCARD_MS = 1_000;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How much of a body is kept until somebody reads it, in bytes. The rest waits in the connection. */
const HELD_BYTES = 65_536;

/** Reads a body nobody wants. */
const NOBODY: Observer<Uint8Array> = { next: () => undefined, error: () => undefined, complete: () => undefined };

const fieldOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
};

/**
 * One request of undici's and its answer, from its dispatcher straight to whoever reads: a stream of Node's in between costs
 * about as much as the request. What comes of the body before somebody reads it is kept, or waits in the connection.
 */
export class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #url: string;
  readonly #sent: Readonly<Record<string, string>>;
  readonly #head: Subscriber<HttpResponse>;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: Observer<Uint8Array> | undefined;
  #held: Uint8Array[] | undefined;
  #heldBytes = 0;
  #isAnswered = false;
  #isHungUp = false;
  #end: { readonly reason?: unknown } | undefined;

  /**
   * @param sent the header fields of the request
   * @param head is given the answer once its head is there; errors with what the network raises before that
   */
  constructor(url: string, sent: Readonly<Record<string, string>>, head: Subscriber<HttpResponse>) {
    this.#url = url;
    this.#sent = sent;
    this.#head = head;
  }

  /** Nobody waits for the head any longer. */
  giveUp(): void {
    if (!this.#isAnswered) this.#hangUp();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isHungUp) controller.abort(new Error('nobody waits for it'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // What comes before the answer says nothing here.
    if (status < 200 || this.#isHungUp) return;
    this.#isAnswered = true;
    this.#head.next(this.#response(status, headers));
    this.#head.complete();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#sink !== undefined) {
      this.#sink.next(chunk);
      return;
    }
    (this.#held ??= []).push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > HELD_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    this.#end = {};
    this.#sink?.complete();
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, reason: unknown): void {
    this.#end = { reason };
    if (this.#isAnswered) this.#sink?.error(reason);
    else {
      this.#isAnswered = true;
      this.#head.error(reason);
    }
  }

  #response(status: number, headers: Headers): HttpResponse {
    const header = (name: string): string | undefined => fieldOf(headers, name);
    const encoding = header('content-encoding')?.trim().toLowerCase();
    const encoded = encoding === undefined ? undefined : encodedBody(encoding, this.#source());
    if (encoded !== undefined) this.#sink = encoded.sink;
    return {
      url: this.#url,
      sent: this.#sent,
      status,
      statusText: STATUS_CODES[status] ?? '',
      header,
      body$: encoded?.body$ ?? new Observable((subscriber) => this.#read(subscriber)),
      discard: () => {
        this.#discard();
      },
    };
  }

  #source(): Source {
    return {
      pause: () => {
        this.#controller?.pause();
      },
      resume: () => {
        this.#controller?.resume();
      },
      hangUp: () => {
        this.#hangUp();
      },
    };
  }

  #read(subscriber: Subscriber<Uint8Array>): (() => void) | undefined {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const chunk of held) subscriber.next(chunk);
    if (this.#end !== undefined) {
      if ('reason' in this.#end) subscriber.error(this.#end.reason);
      else subscriber.complete();
      return undefined;
    }
    this.#sink = subscriber;
    this.#controller?.resume();
    return () => {
      this.#hangUp();
    };
  }

  /** A body that is read to its end leaves its connection good for the next request; one without an end is hung up. */
  #discard(): void {
    this.#held = undefined;
    if (this.#end !== undefined) return;
    const late = timer(DISCARD_MS).subscribe({
      next: () => {
        this.#hangUp();
      },
      error: () => undefined,
    });
    const done = (): void => {
      late.unsubscribe();
    };
    this.#sink = { ...NOBODY, error: done, complete: done };
    this.#controller?.resume();
  }

  #hangUp(): void {
    if (this.#end !== undefined || this.#isHungUp) return;
    this.#isHungUp = true;
    this.#sink = NOBODY;
    this.#held = undefined;
    // The end may come in the very piece that is being read: then the connection is good for the next request.
    queueMicrotask(() => {
      if (this.#end === undefined) this.#controller?.abort(new Error('nobody reads it any longer'));
    });
  }
}
