import { concatMap, Observable, Subscription, timer } from 'rxjs';
import { HttpError, McpError, NetworkError } from '../../errors/index.js';
import { Backoff, LONGEST_MS } from '../../rx/index.js';
import type { Part } from './answer.js';
import type { HttpResponse } from './engine.js';
import { eventStream, streamParts } from './event-stream.js';
import { byteString } from './header-value.js';
import { isFieldValue } from './headers.js';
import type { CheckedHttp } from './parameters.js';

/** How a stream that broke or was closed is taken up again. */
export interface Resumption {
  readonly http: CheckedHttp;
  /** Asks for what comes after an event; without one, for the stream from now on. */
  readonly get: (lastEventId: string | undefined) => Observable<HttpResponse>;
  /** Whether the stream has brought all it was to bring. */
  readonly done: () => boolean;
  /** Whether a stream none of whose events has an id may be opened anew: only the server's own, where nobody waits. */
  readonly anew: boolean;
  /** Whether to go on, at the longest delay, after a failure that has used up the tries. Default: no. */
  readonly insists?: ((reason: unknown) => boolean) | undefined;
  readonly now: () => number;
}

/** No stream is asked for again sooner, in ms, whatever the server wants: it may not keep its client spinning. */
const LEAST_MS = 100;

/** Where a stream may be gone on from: nowhere behind an empty id, nor behind one that no header can carry. */
const resumableFrom = (id: string): string | undefined => (id !== '' && isFieldValue(byteString(id)) ? id : undefined);

/** The response of a GET as parts; an `HttpError` where it is no event stream. */
export const opened = (response: HttpResponse, { http, now }: Resumption): Observable<Part> =>
  eventStream(response, now()).pipe(concatMap((stream) => streamParts(stream, http)));

/** A server that says no will say it again: only what may be a passing fault is tried anew. */
const isFinal = (reason: unknown, { http }: Resumption): boolean => {
  if (reason instanceof HttpError) {
    const { status, retryAfterMs = 0 } = reason;
    return (status < 500 && status !== 429) || retryAfterMs > http.retry.maxMs;
  }
  return reason instanceof McpError && !(reason instanceof NetworkError);
};

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
    const { http, get, done, anew, now, insists = () => false } = resumption;
    const { attempts, maxMs } = http.retry;
    // How long is long: longer than any delay, or as long as it may be silent.
    const longMs = http.keepAliveMs > 0 ? Math.min(maxMs, http.keepAliveMs) : maxMs;
    const backoff = new Backoff(http.retry);
    let lastEventId: string | undefined;
    let resumedFrom: string | undefined;
    let retryMs = 0;
    let openSince = now();
    let reading = Subscription.EMPTY;

    const read = (parts$: Observable<Part>): void => {
      reading = new Subscription();
      subscriber.add(reading);
      reading.add(
        parts$.subscribe({
          next: (part) => {
            // Some servers begin with the event they were asked to go on behind.
            const isAgain = resumedFrom !== undefined && part.eventId === resumedFrom;
            resumedFrom = undefined;
            if (isAgain) return;
            // An empty id takes the last one back; so does an odd one: from the one before all would be heard twice.
            if (part.eventId !== undefined) lastEventId = resumableFrom(part.eventId);
            retryMs = part.retryMs ?? retryMs;
            // A mark brings a call nearer to its answer; the server's own stream only comes to life by a message.
            if (part.message !== undefined || (!anew && part.eventId !== undefined)) backoff.succeeded();
            subscriber.next(part);
          },
          error: (reason: unknown) => {
            goOn({ reason });
          },
          complete: () => {
            goOn(undefined);
          },
        }),
      );
    };

    /** After a break the server's wish is the least; a stream it closed on purpose is awaited just so long. */
    const delay = (reason: unknown, isBroken: boolean, isUsedUp: boolean): Observable<unknown> => {
      const wanted = Math.max(retryMs, reason instanceof HttpError ? (reason.retryAfterMs ?? 0) : 0);
      const least = Math.max(wanted, LEAST_MS, isUsedUp ? maxMs : 0);
      const delay$ = backoff.next(least);
      return least > maxMs || (wanted > 0 && !isBroken) ? timer(Math.min(least, LONGEST_MS)) : delay$;
    };

    const goOn = (broke: { readonly reason: unknown } | undefined): void => {
      const nothingToGoOnFrom = lastEventId === undefined && !anew;
      if (now() - openSince >= longMs) backoff.succeeded();
      const isUsedUp = backoff.tries >= attempts;
      const isOver = nothingToGoOnFrom || isFinal(broke?.reason, resumption);
      if (done() || (nothingToGoOnFrom && broke === undefined)) subscriber.complete();
      else if (isOver || (isUsedUp && !(broke !== undefined && insists(broke.reason)))) {
        subscriber.error(broke?.reason ?? new Error('the stream was closed again and again'));
      } else {
        reading.unsubscribe();
        // Until it is open again no time counts.
        openSince = Infinity;
        read(
          delay(broke?.reason, broke !== undefined, isUsedUp).pipe(
            concatMap(() => get(lastEventId)),
            concatMap((response) => {
              openSince = now();
              resumedFrom = lastEventId;
              return opened(response, resumption);
            }),
          ),
        );
      }
    };

    read(first$);
  });
