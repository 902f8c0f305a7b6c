import { asyncScheduler, type Observable } from 'rxjs';
import { TransportClosedError } from '../../errors/index.js';
import type { Inbound, Outbound, RequestId } from '../../jsonrpc/index.js';
import { turned } from '../../rx/index.js';
import { encodeMessage } from '../framing/encode-line.js';
import { Inbox } from '../inbox.js';
import type { SendHints, Transport } from '../transport.js';
import { answerParts, concernOf, methodOf, requestIdOf } from './answer.js';
import { isSuccess } from './answer-kind.js';
import { Forgetting } from './forgetting.js';
import { Lingering } from './lingering.js';
import { fieldsOf, ModernSending } from './modern-sending.js';
import type { SendingWire } from './sending.js';
import type { Draft, Requester } from './requester.js';
import { Sends } from './sends.js';
import { unlessForgotten } from './unless-forgotten.js';
import { withoutQuery } from './without-query.js';

/**
 * Streamable HTTP of the modern era: each message is a POST of its own, and its answer a JSON body or a stream of
 * notifications with the answer at its end. Hanging up is how a request is given up. A stream that ends without the
 * answer has lost it. A server that has become one of the other era is the death of this wire: the next life finds out. MCP 2026-07-28 basic/transports/streamable-http.
 */
export class ModernHttpTransport implements Transport {
  readonly cancelBy = 'hang-up';
  readonly mirrorsHeaders = true;
  readonly #requester: Requester;
  readonly #sends = new Sends();
  readonly #wire: SendingWire;

  constructor(requester: Requester) {
    const { http } = requester;
    this.#requester = requester;
    const forgetting = new Forgetting(withoutQuery(http.url), this.#sends, (reason) => {
      this.#end(reason);
      this.#wire.inbox.error(reason);
    });
    this.#wire = { http, inbox: new Inbox(), cameOn: new WeakMap(), lingering: new Lingering(), forgetting };
  }

  get inbound$(): Observable<Inbound> {
    return this.#wire.inbox.stream$;
  }

  channelOf(message: Inbound): RequestId | undefined {
    return this.#wire.cameOn.get(message);
  }

  get alive(): boolean {
    return !this.#sends.over;
  }

  send(message: Outbound, hints?: SendHints): Observable<never> {
    return this.#sends.one((subscriber) => {
      const { http, forgetting } = this.#wire;
      const draft: Draft = { method: 'POST', headers: fieldsOf(message, hints), body: encodeMessage(message) };
      // The probe is to find out what the server speaks: nothing has been agreed yet.
      const isProbe = methodOf(message) === 'server/discover';
      if (!isProbe) forgetting.sent(subscriber);
      const refused = { id: requestIdOf(message), era: 'modern', session: false } as const;
      const sending = new ModernSending(this.#wire, message, subscriber);
      this.#requester
        .send(draft, concernOf(message, hints), hints?.call)
        .pipe(
          turned((response) => {
            const parts$ = answerParts(response, message, http, asyncScheduler.now());
            return isProbe || isSuccess(response) ? parts$ : parts$.pipe(unlessForgotten(refused));
          }),
        )
        .subscribe(sending);
    });
  }

  close(): Promise<void> {
    this.#end(new TransportClosedError());
    this.#wire.inbox.complete();
    return Promise.resolve();
  }

  #end(reason: unknown): void {
    this.#wire.forgetting.close();
    this.#sends.end(reason);
    this.#wire.lingering.end();
  }
}
