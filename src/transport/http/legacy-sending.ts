import { asyncScheduler, type Observable, type Subscriber } from 'rxjs';
import { EndedUnanswered, UnauthorizedError, UnsentError } from '../../errors/index.js';
import type { Inbound, Outbound } from '../../jsonrpc/index.js';
import { answerParts, brokenOff, methodOf, type Part } from './answer.js';
import { isSuccess } from './answer-kind.js';
import type { HttpResponse } from './engine.js';
import type { LegacySession } from './legacy-session.js';
import { INITIALIZED, type Opening } from './opening.js';
import type { CheckedHttp } from './parameters.js';
import type { Concern, Draft, Requester } from './requester.js';
import type { Resumption } from './resumable.js';
import { Sending, type SendingWire } from './sending.js';
import { streamAfter } from './stream-after.js';
import { unlessForgotten } from './unless-forgotten.js';

/** What the messages of one legacy wire share. */
export interface LegacyWire extends SendingWire {
  readonly requester: Requester;
  readonly session: LegacySession;
  readonly opening: Opening;
  /** The server has ended the session; `unread` is the request it refused, if it was one. */
  forgotten(unread?: { readonly subscriber: Subscriber<never>; readonly reason: UnsentError }): void;
  /** Opens the server's own stream. */
  listen(): void;
  /** Opens it where there was an authorization since it was refused for want of one. */
  listenAgain(): void;
  /** The notice that ends the handshake, on behalf of a call. */
  noticed(draft: Draft): Observable<unknown>;
}

/** The exchange of one message of the legacy era, and how its stream is taken up again. */
export class LegacySending extends Sending<LegacyWire> implements Resumption {
  readonly #message: Outbound;
  readonly #draft: Draft;
  readonly #concern: Concern;
  readonly #hadSession: boolean;
  /** From then on the request was read, whatever becomes of its stream. */
  #isBegun = false;
  readonly anew = false;

  /** @param to who waits for the exchange; its leaving ends it */
  constructor(wire: LegacyWire, message: Outbound, draft: Draft, concern: Concern, to: Subscriber<never>) {
    super(wire, message, to);
    this.#message = message;
    this.#draft = draft;
    this.#concern = concern;
    this.#hadSession = wire.session.exists;
  }

  get http(): CheckedHttp {
    return this.wire.http;
  }

  /** A resumption's method, as are the next two. */
  get(lastEventId: string | undefined): Observable<HttpResponse> {
    return streamAfter(lastEventId, this.wire, this.#concern);
  }

  done(): boolean {
    return this.isAnswered;
  }

  now(): number {
    return asyncScheduler.now();
  }

  /** What the server answers, once the head of it is there. */
  answer(response: HttpResponse): Observable<Part> {
    this.#isBegun = isSuccess(response);
    const isFirst = methodOf(this.#message) === 'initialize';
    if (this.#isBegun && isFirst) this.wire.session.begin(response);
    const parts$ = answerParts(response, this.#message, this.http, this.now());
    if (this.#isBegun || isFirst) return parts$;
    return parts$.pipe(unlessForgotten({ id: this.id, era: 'legacy', session: this.#hadSession }));
  }

  protected override inward(message: Inbound): Inbound {
    if (methodOf(this.#message) === 'initialize') this.wire.session.agree(message);
    return super.inward(message);
  }

  protected override heard(): void {
    if (this.#isBegun) this.wire.listenAgain();
    super.heard();
  }

  protected override _error(reason: unknown): void {
    this.#failed(reason);
    this.unsubscribe();
  }

  #failed(reason: unknown): void {
    const { session, opening } = this.wire;
    if (reason instanceof UnsentError) this.wire.forgotten({ subscriber: this.to, reason });
    // The stream of an answer was to be taken up again.
    else if (this.#isBegun && session.isForgotten(reason)) this.wire.forgotten();
    if (methodOf(this.#message) === INITIALIZED) {
      if (reason instanceof UnauthorizedError) {
        opening.refused(this.wire.noticed(this.#draft));
        this.to.complete();
        return;
      }
      opening.end();
    }
    this.to.error(brokenOff(this.http, reason, this.#isBegun));
  }

  protected override _complete(): void {
    if (!this.isAnswered) this.to.error(brokenOff(this.http, new EndedUnanswered()));
    else {
      if (methodOf(this.#message) === INITIALIZED) this.wire.listen();
      this.to.complete();
    }
    this.unsubscribe();
  }
}
