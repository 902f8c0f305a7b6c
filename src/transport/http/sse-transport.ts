import { asyncScheduler, concatMap, EMPTY, type Observable, Subscription } from 'rxjs';
import { InvalidMessageError, TransportClosedError } from '../../errors/index.js';
import { type Inbound, type Outbound, parseInbound } from '../../jsonrpc/index.js';
import { encodeLine } from '../framing/index.js';
import { Inbox } from '../inbox.js';
import type { Transport } from '../transport.js';
import { brokenOff, eventStream, isSuccess, methodOf, POST_HEADERS, refused } from './answer.js';
import { INITIALIZED, Opening } from './opening.js';
import type { Requester } from './requester.js';
import { Sends } from './sends.js';
import { type SseEvent, sseEvents } from './sse.js';

/**
 * HTTP+SSE of 2024-11-05, deprecated and supported: one stream brings everything the server says, and messages are
 * POSTed to the endpoint it names first. The end of the stream is the death of this wire.
 * MCP 2024-11-05 basic/transports, "HTTP with SSE".
 */
export class SseTransport implements Transport {
  readonly cancelBy = 'notice';
  readonly mirrorsHeaders = false;
  readonly #requester: Requester;
  readonly #inbox = new Inbox<Inbound>();
  readonly #sends = new Sends();
  readonly #reading = new Subscription();
  readonly #opening = new Opening();
  #endpoint: string | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Opens the stream; calls `opened` with the transport once the endpoint is known, and `failed` where it cannot be.
   * Returns what closes it.
   */
  static open(
    requester: Requester,
    opened: (transport: SseTransport) => void,
    failed: (reason: unknown) => void,
  ): Subscription {
    const transport = new SseTransport(requester);
    transport.#read(opened, failed);
    return new Subscription(() => {
      transport.#close();
    });
  }

  get inbound$(): Observable<Inbound> {
    return this.#inbox.stream$;
  }

  get alive(): boolean {
    return !this.#sends.over;
  }

  send(message: Outbound): Observable<never> {
    return this.#sends.one((subscriber) => {
      const posted$ = this.#requester.send({
        method: 'POST',
        url: this.#endpoint,
        headers: POST_HEADERS,
        body: encodeLine(message),
      });
      const isNotice = methodOf(message) === INITIALIZED;
      subscriber.add(
        this.#opening
          .behind(message, posted$)
          .pipe(
            concatMap((response) => {
              if (!isSuccess(response)) return refused(response, asyncScheduler.now());
              response.discard();
              return EMPTY;
            }),
          )
          .subscribe({
            error: (reason: unknown) => {
              if (isNotice) this.#opening.end();
              subscriber.error(brokenOff(this.#requester.http, reason));
            },
            complete: () => {
              if (isNotice) this.#opening.end();
              subscriber.complete();
            },
          }),
      );
    });
  }

  close(): Promise<void> {
    this.#close();
    return Promise.resolve();
  }

  #close(): void {
    this.#sends.end(new TransportClosedError());
    this.#inbox.complete();
    this.#reading.unsubscribe();
  }

  #read(opened: (transport: SseTransport) => void, failed: (reason: unknown) => void): void {
    const { http } = this.#requester;
    const end = (reason: unknown): void => {
      if (this.#endpoint === undefined) failed(reason);
      this.#sends.end(reason);
      this.#inbox.error(reason);
      this.#reading.unsubscribe();
    };
    this.#reading.add(
      this.#requester
        .send({ method: 'GET', headers: { accept: 'text/event-stream' } })
        .pipe(
          concatMap((response) => eventStream(response, asyncScheduler.now())),
          concatMap(({ body$ }) => body$.pipe(sseEvents(http.maxMessageBytes))),
        )
        .subscribe({
          next: (event) => {
            try {
              this.#take(event, opened);
            } catch (reason) {
              end(reason);
            }
          },
          error: (reason: unknown) => {
            end(brokenOff(http, reason));
          },
          complete: () => {
            end(brokenOff(http, new Error('the server closed its stream')));
          },
        }),
    );
  }

  #take({ data, event }: SseEvent, opened: (transport: SseTransport) => void): void {
    if (event === 'endpoint') {
      if (this.#endpoint !== undefined) return;
      this.#endpoint = this.#sameOrigin(data);
      opened(this);
    } else if (data !== '' && (event === undefined || event === 'message')) {
      for (const message of parseInbound(data)) this.#inbox.next(message);
    }
  }

  /** What is sent may carry credentials: they go to no other origin. */
  #sameOrigin(endpoint: string): string {
    const { url } = this.#requester.http;
    const target = URL.canParse(endpoint, url) ? new URL(endpoint, url) : undefined;
    if (target?.origin === new URL(url).origin) return target.href;
    throw new InvalidMessageError(
      'endpoint',
      undefined,
      `it names ${JSON.stringify(endpoint)}, which is of another origin`,
    );
  }
}
