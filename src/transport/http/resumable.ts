import { concatMap, Observable, type Subscriber, timer } from 'rxjs';
import { HttpError, McpError, NetworkError } from '../../errors/index.js';
import { Backoff, LeanSubscriber, LONGEST_MS } from '../../rx/index.js';
import type { Part } from './answer.js';
import type { HttpResponse } from './engine.js';
import { streamParts } from './event-stream.js';
import { eventStream } from './get-stream.js';
import { byteString } from './header-value.js';
import { isFieldValue } from './headers.js';
import type { CheckedHttp } from './parameters.js';

/** How a stream that broke or was closed is taken up again. */
export interface Resumption {
  readonly http: CheckedHttp;
  /** Asks for what comes after an event; without one, for the stream from now on. */
  get(lastEventId: string | undefined): Observable<HttpResponse>;
  /** Whether the stream has brought all it was to bring. */
  done(): boolean;
  /** Whether a stream none of whose events has an id may be opened anew: only the server's own, where nobody waits. */
  readonly anew: boolean;
  /** Whether to go on, at the longest delay, after a failure that has used up the tries. Default: no. */
  insists?(reason: unknown): boolean;
  now(): number;
}

/** No stream is asked for again sooner, in ms, whatever the server wants: it may not keep its client spinning. */
const LEAST_MS = 100;

/** Where a stream may be gone on from: nowhere behind an empty id, nor behind one that no header can carry. */
const resumableFrom = (id: string): string | undefined => (id !== '' && isFieldValue(byteString(id)) ? id : undefined);

/** The response of a GET as parts; an `HttpError` where it is no event stream. */
export const opened = (response: HttpResponse, resumption: Resumption): Observable<Part> =>
  eventStream(response, resumption.now()).pipe(concatMap((stream) => streamParts(stream, resumption.http)));

/** A server that says no will say it again: only what may be a passing fault is tried anew. */
const isFinal = (reason: unknown, { http }: Resumption): boolean => {
  if (reason instanceof HttpError) {
    const { status, retryAfterMs = 0 } = reason;
    return (status < 500 && status !== 429) || retryAfterMs > http.retry.maxMs;
  }
  return reason instanceof McpError && !(reason instanceof NetworkError);
};

/** One stream and what follows it. Nothing is made before a break that only a break needs: there is one for each call. */
class Resumed {
  readonly #subscriber: Subscriber<Part>;
  readonly #resumption: Resumption;
  #backoff: Backoff | undefined;
  #lastEventId: string | undefined;
  #resumedFrom: string | undefined;
  #retryMs = 0;
  #openSince: number;
  #reading: Reading | undefined;

  constructor(subscriber: Subscriber<Part>, resumption: Resumption) {
    this.#subscriber = subscriber;
    this.#resumption = resumption;
    this.#openSince = resumption.now();
  }

  read(parts$: Observable<Part>): void {
    const reading = new Reading(this);
    this.#reading = reading;
    this.#subscriber.add(reading);
    parts$.subscribe(reading);
  }

  take(part: Part): void {
    // Some servers begin with the event they were asked to go on behind.
    const isAgain = this.#resumedFrom !== undefined && part.eventId === this.#resumedFrom;
    this.#resumedFrom = undefined;
    if (isAgain) return;
    // An empty id takes the last one back; so does an odd one: from the one before all would be heard twice.
    if (part.eventId !== undefined) this.#lastEventId = resumableFrom(part.eventId);
    this.#retryMs = part.retryMs ?? this.#retryMs;
    // A mark brings a call nearer to its answer; the server's own stream only comes to life by a message.
    const isSomething = part.message !== undefined || (!this.#resumption.anew && part.eventId !== undefined);
    if (isSomething) this.#backoff?.succeeded();
    this.#subscriber.next(part);
  }

  /** The stream is over: `broke` says by what it broke. */
  goOn(broke: { readonly reason: unknown } | undefined): void {
    const { http, anew } = this.#resumption;
    const { attempts, maxMs } = http.retry;
    const nothingToGoOnFrom = this.#lastEventId === undefined && !anew;
    if (this.#resumption.done() || (nothingToGoOnFrom && broke === undefined)) {
      this.#subscriber.complete();
      return;
    }
    const backoff = (this.#backoff ??= new Backoff(http.retry));
    // How long is long: longer than any delay, or as long as it may be silent.
    const longMs = http.keepAliveMs > 0 ? Math.min(maxMs, http.keepAliveMs) : maxMs;
    if (this.#resumption.now() - this.#openSince >= longMs) backoff.succeeded();
    const isUsedUp = backoff.tries >= attempts;
    const isOver = nothingToGoOnFrom || isFinal(broke?.reason, this.#resumption);
    const insists = (): boolean => broke !== undefined && this.#resumption.insists?.(broke.reason) === true;
    if (isOver || (isUsedUp && !insists())) {
      this.#subscriber.error(broke?.reason ?? new Error('the stream was closed again and again'));
      return;
    }
    this.#reading?.unsubscribe();
    // Until it is open again no time counts.
    this.#openSince = Infinity;
    this.read(this.#again(backoff, broke, isUsedUp));
  }

  /** After a break the server's wish is the least; a stream it closed on purpose is awaited just so long. */
  #delay(backoff: Backoff, broke: { readonly reason: unknown } | undefined, isUsedUp: boolean): Observable<unknown> {
    const { maxMs } = this.#resumption.http.retry;
    const wish = broke?.reason instanceof HttpError ? (broke.reason.retryAfterMs ?? 0) : 0;
    const wanted = Math.max(this.#retryMs, wish);
    const least = Math.max(wanted, LEAST_MS, isUsedUp ? maxMs : 0);
    const delay$ = backoff.next(least);
    return least > maxMs || (wanted > 0 && broke === undefined) ? timer(Math.min(least, LONGEST_MS)) : delay$;
  }

  #again(backoff: Backoff, broke: { readonly reason: unknown } | undefined, isUsedUp: boolean): Observable<Part> {
    return this.#delay(backoff, broke, isUsedUp).pipe(
      concatMap(() => this.#resumption.get(this.#lastEventId)),
      concatMap((response) => {
        this.#openSince = this.#resumption.now();
        this.#resumedFrom = this.#lastEventId;
        return opened(response, this.#resumption);
      }),
    );
  }
}

/** What reads one of the streams. */
class Reading extends LeanSubscriber<Part> {
  readonly #resumed: Resumed;

  constructor(resumed: Resumed) {
    super();
    this.#resumed = resumed;
  }

  protected override _next(part: Part): void {
    this.#resumed.take(part);
  }

  protected override _error(reason: unknown): void {
    this.#resumed.goOn({ reason });
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.#resumed.goOn(undefined);
    this.unsubscribe();
  }
}

/**
 * A stream that goes on after a break, or after the server closed it on purpose: its parts, and then, by GET with
 * `Last-Event-ID` and after the delay the server wants, the parts that follow. One whose events have no ids has nothing
 * to go on from: it completes, or errors with what broke it. Tries in a row that bring nothing are bounded, and further
 * apart each time; to have been open for long is something, too, for a stream on which nothing may happen. Only what
 * `insists` goes on beyond that.
 * MCP 2025-11-25 basic/transports, "Resumability and Redelivery".
 */
export const resumable = (first$: Observable<Part>, resumption: Resumption): Observable<Part> =>
  new Observable((subscriber) => {
    new Resumed(subscriber, resumption).read(first$);
  });
