import { asyncScheduler, concatMap, type Observable, Subject, type Subscriber, Subscription, tap, timeout } from 'rxjs';
import {
  HttpError,
  messageOf,
  NetworkError,
  TransportClosedError,
  UnauthorizedError,
  UnsentError,
} from '../../errors/index.js';
import type { Inbound, Outbound, RequestId } from '../../jsonrpc/index.js';
import { turned } from '../../rx/index.js';
import { encodeMessage } from '../framing/index.js';
import { Inbox } from '../inbox.js';
import type { SendHints, Transport } from '../transport.js';
import { concernOf, methodOf, requestIdOf } from './answer.js';
import { isSuccess } from './answer-kind.js';
import type { HttpResponse } from './engine.js';
import { Forgetting } from './forgetting.js';
import { LegacySending, type LegacyWire } from './legacy-sending.js';
import { LegacySession } from './legacy-session.js';
import { Lingering } from './lingering.js';
import { Opening } from './opening.js';
import { Posts } from './posts.js';
import type { Draft, Requester } from './requester.js';
import { opened, resumable, type Resumption } from './resumable.js';
import { Sends } from './sends.js';
import { streamAfter } from './stream-after.js';
import { withoutQuery } from './without-query.js';

/** How long the server may take to hear that its session is over, in ms. */
const GOODBYE_MS = 1_000;

/**
 * Streamable HTTP of the legacy era (2025-03-26 to 2025-11-25): a session the server may name, POSTs answered by a JSON
 * body or a stream, a stream of the server's own, streams that are resumed. A session the server has forgotten is the
 * death of this wire, and so is a server that cannot be reached for its own stream: the next life begins a new one.
 * MCP 2025-11-25 basic/transports, "Streamable HTTP".
 */
export class LegacyHttpTransport implements Transport {
  readonly cancelBy = 'notice';
  readonly mirrorsHeaders = false;
  readonly #requester: Requester;
  readonly #sends = new Sends();
  readonly #posts = new Posts();
  readonly #own = new Subscription();
  readonly #wire: LegacyWire;
  readonly #warnings = new Subject<string>();
  #listening = false;
  /** Whether the server's own stream was ever there. */
  #hadStream = false;
  /** How often there had been a new authorization when the server's own stream was refused for want of one. */
  #mutedAt: number | undefined;
  #closing: Promise<void> | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.#wire = {
      requester,
      http: requester.http,
      inbox: new Inbox(),
      cameOn: new WeakMap(),
      lingering: new Lingering(),
      session: new LegacySession(),
      opening: new Opening(),
      forgetting: new Forgetting(withoutQuery(requester.http.url), this.#sends, (reason) => {
        this.#die(reason);
      }),
      forgotten: (unread) => {
        this.#forgotten(unread);
      },
      listen: () => {
        this.#listen();
      },
      listenAgain: () => {
        this.#listenAgain();
      },
      noticed: (draft) => this.#noticed(draft),
    };
  }

  get inbound$(): Observable<Inbound> {
    return this.#wire.inbox.stream$;
  }

  get warnings$(): Observable<string> {
    return this.#warnings.asObservable();
  }

  channelOf(message: Inbound): RequestId | undefined {
    return this.#wire.cameOn.get(message);
  }

  get alive(): boolean {
    return !this.#sends.over;
  }

  send(message: Outbound, hints?: SendHints): Observable<never> {
    return this.#sends.one((subscriber) => {
      const id = requestIdOf(message);
      const method = methodOf(message);
      const { session, forgetting, opening } = this.#wire;
      const draft: Draft = { method: 'POST', headers: session.headers(method), body: encodeMessage(message) };
      const concern = concernOf(message, hints);
      if (method !== 'initialize') forgetting.sent(subscriber);
      const sending = new LegacySending(this.#wire, message, draft, concern, subscriber);
      const sent$ = this.#requester.send(draft, concern);
      const posted$ = id === undefined ? this.#posts.one(sent$, method ?? 'answer') : sent$;
      const first$ = opening.behind(message, posted$, concern).pipe(turned((response) => sending.answer(response)));
      (id === undefined ? first$ : resumable(first$, sending)).subscribe(sending);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #close(): Promise<void> {
    const wasAlive = this.alive;
    this.#end(new TransportClosedError());
    this.#wire.inbox.complete();
    if (!this.#wire.session.exists || !wasAlive) return Promise.resolve();
    return new Promise((resolve) => {
      this.#requester
        .send({ method: 'DELETE', headers: this.#wire.session.headers(undefined) }, 'goodbye')
        .pipe(timeout({ first: GOODBYE_MS }))
        .subscribe({
          next: (response) => {
            response.discard();
          },
          // A server may not let its sessions be ended, or may be gone: nobody waits for it.
          error: () => {
            resolve();
          },
          complete: () => {
            resolve();
          },
        });
    });
  }

  /** The end of this wire. */
  #forgotten(unread?: { readonly subscriber: Subscriber<never>; readonly reason: UnsentError }): void {
    this.#own.unsubscribe();
    this.#wire.forgetting.begin(unread);
    this.#wire.opening.fail(new UnsentError('the session ended before this was sent', unread?.reason.cause));
  }

  /** The server's own stream, where it has one. Without it everything else goes on. */
  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#wire.opening.heard();
    const get = (lastEventId: string | undefined): Observable<HttpResponse> =>
      streamAfter(lastEventId, this.#wire, 'background').pipe(
        tap({
          next: (response) => {
            this.#hadStream ||= isSuccess(response);
            this.#wire.opening.end();
          },
          error: () => {
            this.#wire.opening.end();
          },
        }),
      );
    const resumption: Resumption = {
      http: this.#requester.http,
      get,
      done: () => false,
      anew: true,
      insists: (reason) => this.#isUnreachable(reason) && this.#sends.any,
      now: () => asyncScheduler.now(),
    };
    const first$ = get(undefined).pipe(concatMap((response) => opened(response, resumption)));
    this.#own.add(
      resumable(first$, resumption).subscribe({
        next: ({ message }) => {
          if (message !== undefined) this.#wire.inbox.next(message);
        },
        error: (reason: unknown) => {
          // Until there was a stream, 404 may only mean that nothing answers a GET here.
          if (this.#hadStream && this.#wire.session.isForgotten(reason)) this.#forgotten();
          // A server that is down has nothing to say now, and may say it of another session when it is back.
          else if (this.#isUnreachable(reason)) this.#die(reason);
          // 405 is how a server says that it has none.
          else if (!(reason instanceof HttpError && reason.status === 405)) {
            // Nobody is asked for its sake: what somebody gives for a call may do for it, too.
            if (reason instanceof UnauthorizedError) this.#mutedAt = this.#requester.renewed;
            this.#warnings.next(
              `the server's own stream cannot be had, nor what it would say unasked: ${messageOf(reason)}`,
            );
          }
        },
      }),
    );
  }

  /** Opens the server's own stream where there was an authorization since it was refused for want of one. */
  #listenAgain(): void {
    if (this.#mutedAt === undefined || this.#requester.renewed === this.#mutedAt) return;
    this.#mutedAt = undefined;
    this.#listening = false;
    this.#listen();
  }

  /** The notice that ends the handshake, on behalf of a call. */
  #noticed(draft: Draft): Observable<unknown> {
    return this.#requester.send(draft).pipe(
      tap((response) => {
        response.discard();
        this.#listen();
      }),
    );
  }

  /**
   * Whether the server's own stream failed since the server could not be reached. One that hangs up on whoever asks for
   * it, and never gave it, was reached: it may answer everything else.
   */
  #isUnreachable(reason: unknown): boolean {
    return reason instanceof NetworkError && (this.#hadStream || !reason.left);
  }

  #die(reason: unknown): void {
    this.#end(reason);
    this.#wire.inbox.error(reason);
  }

  #end(reason: unknown): void {
    this.#own.unsubscribe();
    this.#wire.forgetting.close();
    this.#sends.end(reason);
    this.#wire.lingering.end();
    this.#warnings.complete();
  }
}
