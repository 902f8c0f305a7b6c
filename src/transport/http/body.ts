import { Observable, type Subscriber, takeUntil, timer } from 'rxjs';
import { MessageTooLargeError } from '../../errors/index.js';
import { LeanSubscriber } from '../../rx/index.js';
import { Pieces } from '../framing/pieces.js';
import type { HttpResponse } from './engine.js';

/** It keeps nothing from one body to the next. */
const UTF_8 = /* @__PURE__ */ new TextDecoder('utf-8');

/** What reads one body; the subscriber of the source itself, and no closures: there is one for each answer. */
class Whole extends LeanSubscriber<Uint8Array> {
  readonly #to: Subscriber<string>;
  readonly #maxBytes: number;
  readonly #excess: 'cut' | 'error';
  /** What has come: the first chunk, which most bodies are, and with it those behind it. */
  #first: Uint8Array | undefined = undefined;
  #pieces: Pieces | undefined = undefined;
  #length = 0;

  constructor(to: Subscriber<string>, maxBytes: number, excess: 'cut' | 'error') {
    super();
    this.#to = to;
    this.#maxBytes = maxBytes;
    this.#excess = excess;
    to.add(this);
  }

  protected override _next(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length <= this.#maxBytes) this.#keep(chunk);
    else if (this.#excess === 'error') this.#to.error(new MessageTooLargeError(length, this.#maxBytes));
    else {
      this.#keep(chunk.subarray(0, this.#maxBytes - this.#length));
      this.#finish();
    }
  }

  protected override _error(reason: unknown): void {
    this.#to.error(reason);
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.#finish();
    this.unsubscribe();
  }

  #keep(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#first === undefined) {
      this.#first = chunk;
      return;
    }
    if (this.#pieces === undefined) {
      this.#pieces = new Pieces();
      this.#pieces.push(this.#first);
    }
    this.#pieces.push(chunk);
  }

  #finish(): void {
    this.#to.next(UTF_8.decode(this.#pieces === undefined ? this.#first : this.#pieces.take()));
    this.#to.complete();
  }
}

/** Emits the whole body as text, read as UTF-8 whatever its charset says, and completes; errors as `excess` decides. */
const read = ({ body$ }: Pick<HttpResponse, 'body$'>, maxBytes: number, excess: 'cut' | 'error'): Observable<string> =>
  new Observable((subscriber) => {
    body$.subscribe(new Whole(subscriber, maxBytes, excess));
  });

/** The whole body; one larger than `maxBytes` errors with `MessageTooLargeError`. */
export const wholeBody = (response: HttpResponse, maxBytes: number): Observable<string> =>
  read(response, maxBytes, 'error');

/** The body, or as much of it as `maxBytes` hold and as comes within `maxMs`. */
export const bodyText = ({ body$ }: HttpResponse, maxBytes: number, maxMs: number): Observable<string> =>
  read({ body$: body$.pipe(takeUntil(timer(maxMs))) }, maxBytes, 'cut');
