import {
  asyncScheduler,
  concatMap,
  EMPTY,
  identity,
  type Observable,
  skipWhile,
  type Subscriber,
  Subscription,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import {
  InvalidMessageError,
  TimeoutError,
  TransportClosedError,
  UnauthorizedError,
  UnsentError,
} from '../../errors/index.js';
import { firstWithin } from '../../rx/index.js';
import type { Inbound, Outbound } from '../../jsonrpc/index.js';
import { encodeMessage } from '../framing/index.js';
import { Inbox } from '../inbox.js';
import type { SendHints, Transport } from '../transport.js';
import { brokenOff, concernOf, methodOf, POST_HEADERS, requestIdOf } from './answer.js';
import { isSuccess } from './answer-kind.js';
import { messagesOf, streamEvents } from './event-stream.js';
import { eventStream } from './get-stream.js';
import { Forgetting } from './forgetting.js';
import { unlessForgotten } from './unless-forgotten.js';
import { INITIALIZED, Opening } from './opening.js';
import { Posts } from './posts.js';
import { overRefusals } from './refused.js';
import type { Requester } from './requester.js';
import { Sends } from './sends.js';
import type { SseEvent } from './sse.js';
import { withoutQuery } from './without-query.js';

/** How long the server may take to name its endpoint, once its stream is open, in ms. */
const ENDPOINT_MS = 10_000;

/** How long the stream may take to open, in ms: nobody else's clock ends it. */
const HEAD_MS = 30_000;

const late = (ms: number) => (): Observable<never> => throwError(() => new TimeoutError('endpoint', undefined, ms));

/**
 * HTTP+SSE of 2024-11-05, deprecated and supported: one stream brings everything the server says, and messages are
 * POSTed to the endpoint it names first. The end of the stream is the death of this wire, and so is a refusal that says
 * that there is no such session.
 * MCP 2024-11-05 basic/transports, "HTTP with SSE".
 */
export class SseTransport implements Transport {
  readonly cancelBy = 'notice';
  readonly mirrorsHeaders = false;
  readonly #requester: Requester;
  readonly #inbox = new Inbox<Inbound>();
  readonly #sends = new Sends();
  readonly #posts = new Posts();
  readonly #reading = new Subscription();
  readonly #opening = new Opening();
  readonly #forgetting: Forgetting;
  #endpoint: string | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.#forgetting = new Forgetting(withoutQuery(requester.http.url), this.#sends, (reason) => {
      this.#end(reason);
    });
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

  send(message: Outbound, hints?: SendHints): Observable<never> {
    return this.#sends.one((subscriber) => {
      const draft = {
        method: 'POST',
        url: this.#endpoint,
        headers: POST_HEADERS,
        body: encodeMessage(message),
      } as const;
      const concern = concernOf(message, hints);
      const method = methodOf(message);
      const sent$ = this.#requester.send(draft, concern);
      const posted$ = requestIdOf(message) === undefined ? this.#posts.one(sent$, method ?? 'answer') : sent$;
      const isNotice = method === INITIALIZED;
      const isFirst = method === 'initialize';
      if (!isFirst) this.#forgetting.sent(subscriber);
      subscriber.add(() => {
        this.#forgetting.heard(subscriber);
      });
      subscriber.add(
        this.#opening
          .behind(message, posted$, concern)
          .pipe(
            concatMap((response) => {
              if (!isSuccess(response))
                return overRefusals(response, ({ refused }) => refused(response, asyncScheduler.now()));
              response.discard();
              return EMPTY;
            }),
            isFirst ? identity : unlessForgotten({ id: requestIdOf(message), era: 'legacy', session: true }),
          )
          .subscribe({
            error: (reason: unknown) => {
              if (reason instanceof UnsentError) this.#forgotten(subscriber, reason);
              if (isNotice && reason instanceof UnauthorizedError) {
                this.#opening.refused(this.#requester.send(draft).pipe(tap((response) => response.discard())));
                subscriber.complete();
                return;
              }
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

  #forgotten(subscriber: Subscriber<never>, reason: UnsentError): void {
    this.#forgetting.begin({ subscriber, reason });
    this.#opening.fail(new UnsentError('the session ended before this was sent', reason.cause));
  }

  /** The end of this wire. */
  #end(reason: unknown): void {
    this.#forgetting.close();
    this.#sends.end(reason);
    this.#inbox.error(reason);
    this.#reading.unsubscribe();
  }

  #close(): void {
    this.#forgetting.close();
    this.#sends.end(new TransportClosedError());
    this.#inbox.complete();
    this.#reading.unsubscribe();
  }

  #read(opened: (transport: SseTransport) => void, failed: (reason: unknown) => void): void {
    const { http } = this.#requester;
    const end = (reason: unknown): void => {
      if (this.#endpoint === undefined) failed(reason);
      this.#end(reason);
    };
    this.#reading.add(
      this.#requester
        .send({ method: 'GET', headers: { accept: 'text/event-stream' } })
        .pipe(
          firstWithin(HEAD_MS, this.#requester.waits$, () => new TimeoutError('endpoint', undefined, HEAD_MS)),
          concatMap((response) => eventStream(response, asyncScheduler.now())),
          concatMap((response) =>
            streamEvents(response, http).pipe(
              skipWhile(({ event }) => event !== 'endpoint'),
              timeout({ first: ENDPOINT_MS, with: late(ENDPOINT_MS) }),
            ),
          ),
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

  #take(event: SseEvent, opened: (transport: SseTransport) => void): void {
    if (event.event === 'endpoint') {
      if (this.#endpoint !== undefined) return;
      this.#endpoint = this.#sameOrigin(event.data);
      opened(this);
    } else {
      for (const message of messagesOf(event)) this.#inbox.next(message);
    }
  }

  /** What is sent may carry credentials: they go to no other origin. */
  #sameOrigin(endpoint: string): string {
    const { url } = this.#requester.http;
    const target = URL.canParse(endpoint, url) ? new URL(endpoint, url) : undefined;
    if (target?.origin === new URL(url).origin) return target.href;
    const place = target?.origin === 'null' ? target.protocol : target && withoutQuery(target.href);
    const what = place === undefined ? 'no place that can be read' : `${place}, which is of another origin`;
    throw new InvalidMessageError('endpoint', undefined, `${withoutQuery(url)} names ${what}`);
  }
}
