import { Observable, type Subscriber, type Unsubscribable } from 'rxjs';
import type { HttpRequest, HttpResponse } from './engine.js';
import type { FetchLike, FetchResponse } from './fetch-like.js';

type Body = NonNullable<FetchResponse['body']>;
type Reader = ReturnType<Body['getReader']>;

/** A fetch of somebody's own may answer anything. */
const isResponse = (status: unknown, headers: unknown, body: unknown): boolean =>
  typeof status === 'number' &&
  typeof (headers as Partial<FetchResponse['headers']> | null | undefined)?.get === 'function' &&
  (body === null || typeof (body as Partial<Body> | undefined)?.getReader === 'function');

/** Lets go of a body nobody wants. */
const cancel = (body: { cancel(): PromiseLike<unknown> } | undefined): void => {
  body?.cancel().then(undefined, () => undefined);
};

/** One request of `fetch` and its answer: the head of it is the exchange itself. Few closures: there is one for each call. */
export class FetchExchange implements HttpResponse, Unsubscribable {
  readonly #request: HttpRequest;
  readonly #head: Subscriber<HttpResponse>;
  readonly #abort = new AbortController();
  #response: FetchResponse | undefined;
  #headers: FetchResponse['headers'] | undefined;
  #body: Body | undefined;
  #isAnswered = false;
  status = 0;

  /** @param head is given the answer once its head is there; errors with what `fetch` raises */
  constructor(request: HttpRequest, head: Subscriber<HttpResponse>) {
    this.#request = request;
    this.#head = head;
  }

  get url(): string {
    return this.#request.url;
  }

  get sent(): Readonly<Record<string, string>> {
    return this.#request.headers;
  }

  get statusText(): string {
    return this.#response?.statusText ?? '';
  }

  get body$(): Observable<Uint8Array> {
    return new Observable((subscriber) => this.#read(subscriber));
  }

  header(name: string): string | undefined {
    return this.#headers?.get(name) ?? undefined;
  }

  discard(): void {
    cancel(this.#body);
  }

  send(fetch: FetchLike): void {
    const { url, method, headers, body = null } = this.#request;
    const answer$ = fetch(url, { method, headers, body, redirect: 'manual', signal: this.#abort.signal });
    Promise.resolve(answer$).then(
      (response) => {
        this.#answered(response);
      },
      (reason: unknown) => {
        this.#isAnswered = true;
        this.#head.error(reason);
      },
    );
  }

  /** Nobody waits for the head any longer. */
  unsubscribe(): void {
    if (!this.#isAnswered) this.#abort.abort();
  }

  #answered(response: FetchResponse | null | undefined): void {
    this.#isAnswered = true;
    // Each look at a part of a `Response` costs: once will do.
    const { status, headers, body } = response ?? {};
    if (!isResponse(status, headers, body)) {
      this.#head.error(new TypeError('fetch answered with what is no Response'));
      return;
    }
    this.#response = response ?? undefined;
    this.status = status ?? 0;
    this.#headers = headers;
    this.#body = body ?? undefined;
    if (this.#head.closed) cancel(this.#body);
    this.#head.next(this);
    this.#head.complete();
  }

  #read(subscriber: Subscriber<Uint8Array>): Unsubscribable | undefined {
    const reader = this.#body?.getReader();
    if (reader === undefined) {
      subscriber.complete();
      return undefined;
    }
    const reading = new Reading(reader, subscriber, this.#abort);
    reading.pull();
    return reading;
  }
}

/** The way of a body from its reader to a subscriber. */
class Reading implements Unsubscribable {
  readonly #reader: Reader;
  readonly #to: Subscriber<Uint8Array>;
  readonly #abort: AbortController;
  #isDone = false;

  constructor(reader: Reader, to: Subscriber<Uint8Array>, abort: AbortController) {
    this.#reader = reader;
    this.#to = to;
    this.#abort = abort;
  }

  pull(): void {
    this.#reader.read().then(this.#take, this.#fail);
  }

  /** Hangs up, where the body has not ended. */
  unsubscribe(): void {
    if (this.#isDone) return;
    // A fetch of somebody's own may not look at the signal: whoever serves the body hears of the end in any case.
    cancel(this.#reader);
    this.#abort.abort();
  }

  readonly #take = ({ done, value }: { readonly done: boolean; readonly value?: unknown }): void => {
    this.#isDone = done;
    if (this.#to.closed) return;
    if (done) this.#to.complete();
    else if (ArrayBuffer.isView(value)) {
      this.#to.next(value as Uint8Array);
      this.pull();
    } else this.#to.error(new TypeError('the body of the response is not made of bytes'));
  };

  readonly #fail = (reason: unknown): void => {
    this.#isDone = true;
    this.#to.error(reason);
  };
}
