import {
  asyncScheduler,
  concatMap,
  identity,
  type Observable,
  Subject,
  type Subscriber,
  Subscription,
  tap,
  timeout,
} from 'rxjs';
import {
  EndedUnanswered,
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
import { answerParts, brokenOff, concernOf, isSuccess, methodOf, requestIdOf } from './answer.js';
import type { HttpResponse } from './engine.js';
import { Forgetting } from './forgetting.js';
import { LegacyResumption } from './legacy-resumption.js';
import { LegacySession } from './legacy-session.js';
import { Lingering } from './lingering.js';
import { INITIALIZED, Opening } from './opening.js';
import type { Concern, Draft, Requester } from './requester.js';
import { Posts } from './posts.js';
import { opened, resumable, type Resumption } from './resumable.js';
import { Sends } from './sends.js';
import { unlessForgotten } from './unless-forgotten.js';
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
  readonly #inbox = new Inbox<Inbound>();
  /** On the stream of which request's answer each message came. */
  readonly #cameOn = new WeakMap<Inbound, RequestId>();
  readonly #sends = new Sends();
  readonly #lingering = new Lingering();
  readonly #posts = new Posts();
  readonly #own = new Subscription();
  readonly #session = new LegacySession();
  readonly #opening = new Opening();
  readonly #forgetting: Forgetting;
  readonly #warnings = new Subject<string>();
  #listening = false;
  /** Whether the server's own stream was ever there. */
  #hadStream = false;
  /** How often there had been a new authorization when the server's own stream was refused for want of one. */
  #mutedAt: number | undefined;
  #closing: Promise<void> | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.#forgetting = new Forgetting(withoutQuery(requester.http.url), this.#sends, (reason) => {
      this.#die(reason);
    });
  }

  get inbound$(): Observable<Inbound> {
    return this.#inbox.stream$;
  }

  get warnings$(): Observable<string> {
    return this.#warnings.asObservable();
  }

  channelOf(message: Inbound): RequestId | undefined {
    return this.#cameOn.get(message);
  }

  get alive(): boolean {
    return !this.#sends.over;
  }

  send(message: Outbound, hints?: SendHints): Observable<never> {
    return this.#sends.one((subscriber) => {
      const id = requestIdOf(message);
      const method = methodOf(message);
      const hasSession = this.#session.exists;
      let answered = id === undefined;
      // From then on the request was read, whatever becomes of its stream.
      let begun = false;
      const exchange = new Subscription();
      if (method !== 'initialize') this.#forgetting.sent(subscriber);
      subscriber.add(() => {
        this.#forgetting.heard(subscriber);
        if (answered) this.#lingering.add(exchange);
        else exchange.unsubscribe();
      });
      const { http } = this.#requester;
      const draft = { method: 'POST', headers: this.#session.headers(method), body: encodeMessage(message) } as const;
      const concern = concernOf(message, hints);
      const sent$ = this.#requester.send(draft, concern);
      const posted$ = id === undefined ? this.#posts.one(sent$, method ?? 'answer') : sent$;
      const first$ = this.#opening.behind(message, posted$, concern).pipe(
        turned((response) => {
          begun = isSuccess(response);
          if (method === 'initialize' && begun) this.#session.begin(response);
          return answerParts(response, message, http, asyncScheduler.now());
        }),
        method === 'initialize' ? identity : unlessForgotten({ id, era: 'legacy', session: hasSession }),
      );
      const parts$ =
        id === undefined
          ? first$
          : resumable(
              first$,
              this.#resumption(() => answered, { anew: false }, concern),
            );
      exchange.add(
        parts$.subscribe({
          next: ({ message: inbound }) => {
            if (inbound !== undefined) {
              if (method === 'initialize') this.#session.agree(inbound);
              if (!('method' in inbound) && inbound.id === id) answered = true;
              if (id !== undefined && 'method' in inbound) this.#cameOn.set(inbound, id);
              this.#inbox.next(inbound);
            }
            if (begun) this.#listenAgain();
            // After what was heard: it may be the last that a forgotten wire waits for.
            this.#forgetting.heard(subscriber);
          },
          error: (reason: unknown) => {
            if (reason instanceof UnsentError) this.#forgotten({ subscriber, reason });
            // The stream of an answer was to be taken up again.
            else if (begun && this.#session.isForgotten(reason)) this.#forgotten();
            if (method === INITIALIZED) {
              if (reason instanceof UnauthorizedError) {
                this.#opening.refused(this.#noticed(draft));
                subscriber.complete();
                return;
              }
              this.#opening.end();
            }
            subscriber.error(brokenOff(http, reason, begun));
          },
          complete: () => {
            if (!answered) subscriber.error(brokenOff(http, new EndedUnanswered()));
            else {
              if (method === INITIALIZED) this.#listen();
              subscriber.complete();
            }
          },
        }),
      );
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #close(): Promise<void> {
    const wasAlive = this.alive;
    this.#end(new TransportClosedError());
    this.#inbox.complete();
    if (!this.#session.exists || !wasAlive) return Promise.resolve();
    return new Promise((resolve) => {
      this.#requester
        .send({ method: 'DELETE', headers: this.#session.headers(undefined) }, 'goodbye')
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
    this.#forgetting.begin(unread);
    this.#opening.fail(new UnsentError('the session ended before this was sent', unread?.reason.cause));
  }

  /** The server's own stream, where it has one. Without it everything else goes on. */
  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#opening.heard();
    const wait = { anew: true, insists: (reason: unknown) => this.#isUnreachable(reason) && this.#sends.any };
    const plain = this.#resumption(() => false, wait, 'background');
    const get = (lastEventId: string | undefined): Observable<HttpResponse> =>
      plain.get(lastEventId).pipe(
        tap({
          next: (response) => {
            this.#hadStream ||= isSuccess(response);
            this.#opening.end();
          },
          error: () => {
            this.#opening.end();
          },
        }),
      );
    const resumption: Resumption = { http: plain.http, get, done: () => false, ...wait, now: () => plain.now() };
    const first$ = get(undefined).pipe(concatMap((response) => opened(response, resumption)));
    this.#own.add(
      resumable(first$, resumption).subscribe({
        next: ({ message }) => {
          if (message !== undefined) this.#inbox.next(message);
        },
        error: (reason: unknown) => {
          // Until there was a stream, 404 may only mean that nothing answers a GET here.
          if (this.#hadStream && this.#session.isForgotten(reason)) this.#forgotten();
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

  #resumption(done: () => boolean, rest: Pick<Resumption, 'anew' | 'insists'>, concern: Concern): LegacyResumption {
    return new LegacyResumption({ requester: this.#requester, session: this.#session, concern }, done, rest);
  }

  #die(reason: unknown): void {
    this.#end(reason);
    this.#inbox.error(reason);
  }

  #end(reason: unknown): void {
    this.#own.unsubscribe();
    this.#forgetting.close();
    this.#sends.end(reason);
    this.#lingering.end();
    this.#warnings.complete();
  }
}
