import { asyncScheduler, type Observable, type Subscriber } from 'rxjs';
import { EndedUnanswered, UnauthorizedError, UnsentError } from '../../errors/index.js';
import type { Inbound, Outbound, RequestId } from '../../jsonrpc/index.js';
import { LeanSubscriber } from '../../rx/index.js';
import type { Inbox } from '../inbox.js';
import { answerParts, brokenOff, methodOf, type Part, requestIdOf } from './answer.js';
import { isSuccess } from './answer-kind.js';
import type { HttpResponse } from './engine.js';
import type { Forgetting } from './forgetting.js';
import { streamAfter } from './stream-after.js';
import type { LegacySession } from './legacy-session.js';
import type { Lingering } from './lingering.js';
import { INITIALIZED, type Opening } from './opening.js';
import type { CheckedHttp } from './parameters.js';
import type { Concern, Draft, Requester } from './requester.js';
import type { Resumption } from './resumable.js';
import { unlessForgotten } from './unless-forgotten.js';

/** What the messages of one wire share. */
export interface LegacyWire {
  readonly requester: Requester;
  readonly inbox: Inbox<Inbound>;
  /** On the stream of which request's answer each message came. */
  readonly cameOn: WeakMap<Inbound, RequestId>;
  readonly lingering: Lingering;
  readonly session: LegacySession;
  readonly opening: Opening;
  readonly forgetting: Forgetting;
  /** The server has ended the session; `unread` is the request it refused, if it was one. */
  forgotten(unread?: { readonly subscriber: Subscriber<never>; readonly reason: UnsentError }): void;
  /** Opens the server's own stream. */
  listen(): void;
  /** Opens it where there was an authorization since it was refused for want of one. */
  listenAgain(): void;
  /** The notice that ends the handshake, on behalf of a call. */
  noticed(draft: Draft): Observable<unknown>;
}

/**
 * The exchange of one message: the subscriber of what is answered, and how its stream is taken up again. To unsubscribe it
 * hangs up. A class and few closures: there is one for each call.
 */
export class LegacySending extends LeanSubscriber<Part> implements Resumption {
  readonly #wire: LegacyWire;
  readonly #message: Outbound;
  readonly #draft: Draft;
  readonly #concern: Concern;
  readonly #to: Subscriber<never>;
  readonly #id: RequestId | undefined;
  readonly #hadSession: boolean;
  #isAnswered: boolean;
  /** Whether nothing comes any longer, and the exchange is about to end by itself. */
  #isOver = false;
  /** From then on the request was read, whatever becomes of its stream. */
  #isBegun = false;
  readonly anew = false;

  /** @param to who waits for the exchange; its leaving ends it */
  constructor(wire: LegacyWire, message: Outbound, draft: Draft, concern: Concern, to: Subscriber<never>) {
    super();
    this.#wire = wire;
    this.#message = message;
    this.#draft = draft;
    this.#concern = concern;
    this.#to = to;
    this.#id = requestIdOf(message);
    this.#hadSession = wire.session.exists;
    this.#isAnswered = this.#id === undefined;
    to.add(() => {
      this.#left();
    });
  }

  get http(): CheckedHttp {
    return this.#wire.requester.http;
  }

  /** A resumption's method, as are the next two. */
  get(lastEventId: string | undefined): Observable<HttpResponse> {
    return streamAfter(lastEventId, this.#wire, this.#concern);
  }

  done(): boolean {
    return this.#isAnswered;
  }

  now(): number {
    return asyncScheduler.now();
  }

  /** What the server answers, once the head of it is there. */
  answer(response: HttpResponse): Observable<Part> {
    this.#isBegun = isSuccess(response);
    const isFirst = methodOf(this.#message) === 'initialize';
    if (this.#isBegun && isFirst) this.#wire.session.begin(response);
    const parts$ = answerParts(response, this.#message, this.http, this.now());
    if (this.#isBegun || isFirst) return parts$;
    return parts$.pipe(unlessForgotten({ id: this.#id, era: 'legacy', session: this.#hadSession }));
  }

  #left(): void {
    const { forgetting, lingering } = this.#wire;
    forgetting.heard(this.#to);
    if (!this.#isAnswered) this.unsubscribe();
    else if (!this.#isOver) lingering.add(this);
  }

  protected override _next({ message, last = false }: Part): void {
    this.#isOver = last;
    const { session, cameOn, inbox, forgetting } = this.#wire;
    if (message !== undefined) {
      if (methodOf(this.#message) === 'initialize') session.agree(message);
      const isAnswer = !('method' in message);
      if (isAnswer && message.id === this.#id) this.#isAnswered = true;
      if (this.#id !== undefined && !isAnswer) cameOn.set(message, this.#id);
      inbox.next(message);
    }
    if (this.#isBegun) this.#wire.listenAgain();
    // After what was heard: it may be the last that a forgotten wire waits for.
    forgetting.heard(this.#to);
  }

  protected override _error(reason: unknown): void {
    this.#failed(reason);
    this.unsubscribe();
  }

  #failed(reason: unknown): void {
    const { session, opening } = this.#wire;
    if (reason instanceof UnsentError) this.#wire.forgotten({ subscriber: this.#to, reason });
    // The stream of an answer was to be taken up again.
    else if (this.#isBegun && session.isForgotten(reason)) this.#wire.forgotten();
    if (methodOf(this.#message) === INITIALIZED) {
      if (reason instanceof UnauthorizedError) {
        opening.refused(this.#wire.noticed(this.#draft));
        this.#to.complete();
        return;
      }
      opening.end();
    }
    this.#to.error(brokenOff(this.http, reason, this.#isBegun));
  }

  protected override _complete(): void {
    if (!this.#isAnswered) this.#to.error(brokenOff(this.http, new EndedUnanswered()));
    else {
      if (methodOf(this.#message) === INITIALIZED) this.#wire.listen();
      this.#to.complete();
    }
    this.unsubscribe();
  }
}
