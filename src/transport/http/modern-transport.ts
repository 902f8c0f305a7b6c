import { asyncScheduler, identity, type Observable, Subscription } from 'rxjs';
import { EndedUnanswered, TransportClosedError, UnsentError } from '../../errors/index.js';
import type { Inbound, JsonRpcRequest, Outbound, RequestId } from '../../jsonrpc/index.js';
import { turned } from '../../rx/index.js';
import { encodeLine } from '../framing/encode-line.js';
import { Inbox } from '../inbox.js';
import type { SendHints, Transport } from '../transport.js';
import { answerParts, brokenOff, concernOf, methodOf, POST_HEADERS, requestIdOf } from './answer.js';
import { Forgetting } from './forgetting.js';
import { unlessForgotten } from './unless-forgotten.js';
import { headerValue } from './header-value.js';
import { Lingering } from './lingering.js';
import type { Requester } from './requester.js';
import { Sends } from './sends.js';
import { withoutQuery } from './without-query.js';

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The methods whose subject is mirrored, and the member of the params that names it. */
const SUBJECT: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

const mirrored = ({ method, params }: JsonRpcRequest): Record<string, string> => {
  const member = Object.hasOwn(SUBJECT, method) ? SUBJECT[method] : undefined;
  const subject = member === undefined ? undefined : params?.[member];
  const version = (params?.['_meta'] as Record<string, unknown> | undefined)?.[PROTOCOL_VERSION];
  return {
    'mcp-method': method,
    ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : undefined),
    ...(typeof subject === 'string' ? { 'mcp-name': headerValue(subject) } : undefined),
  };
};

/** On the wire of one request an answer to another one is nobody's. */
const isForeign = (inbound: Inbound, id: RequestId | undefined): boolean =>
  !('method' in inbound) && inbound.id !== undefined && inbound.id !== id;

const FOREIGN: Inbound = { invalid: 'an answer to another request than the one it was sent for', excerpt: '' };

/**
 * Streamable HTTP of the modern era: each message is a POST of its own, and its answer a JSON body or a stream of
 * notifications with the answer at its end. Hanging up is how a request is given up. A stream that ends without the
 * answer has lost it. A server that has become one of the other era is the death of this wire: the next life finds out. MCP 2026-07-28 basic/transports/streamable-http.
 */
export class ModernHttpTransport implements Transport {
  readonly cancelBy = 'hang-up';
  readonly mirrorsHeaders = true;
  readonly #requester: Requester;
  readonly #inbox = new Inbox<Inbound>();
  /** On whose stream each message came. */
  readonly #cameOn = new WeakMap<Inbound, RequestId>();
  readonly #sends = new Sends();
  readonly #lingering = new Lingering();
  readonly #forgetting: Forgetting;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.#forgetting = new Forgetting(withoutQuery(requester.http.url), this.#sends, (reason) => {
      this.#end(reason);
      this.#inbox.error(reason);
    });
  }

  get inbound$(): Observable<Inbound> {
    return this.#inbox.stream$;
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
      let answered = id === undefined;
      const { http } = this.#requester;
      const headers: Record<string, string> = {
        ...POST_HEADERS,
        ...('method' in message ? mirrored(message as JsonRpcRequest) : undefined),
      };
      for (const [name, value] of Object.entries(hints?.headers ?? {}))
        headers[name.toLowerCase()] = headerValue(value);
      const exchange = new Subscription();
      // The probe is to find out what the server speaks: nothing has been agreed yet.
      const isProbe = methodOf(message) === 'server/discover';
      if (!isProbe) this.#forgetting.sent(subscriber);
      subscriber.add(() => {
        this.#forgetting.heard(subscriber);
        // Hanging up right after an answer would cost the connection, which is good for the next request.
        if (answered) this.#lingering.add(exchange);
        else exchange.unsubscribe();
      });
      exchange.add(
        this.#requester
          .send({ method: 'POST', headers, body: encodeLine(message) }, concernOf(message, hints), hints?.call)
          .pipe(
            turned((response) => answerParts(response, message, http, asyncScheduler.now())),
            isProbe ? identity : unlessForgotten({ id, era: 'modern', session: false }),
          )
          .subscribe({
            next: ({ message: inbound }) => {
              if (inbound !== undefined) {
                if (!('method' in inbound) && inbound.id === id) answered = true;
                // Asked for is only that of a notification.
                if (id !== undefined && 'method' in inbound) this.#cameOn.set(inbound, id);
                this.#inbox.next(isForeign(inbound, id) ? FOREIGN : inbound);
              }
              // After what was heard: it may be the last that a forgotten wire waits for.
              this.#forgetting.heard(subscriber);
            },
            error: (reason: unknown) => {
              if (reason instanceof UnsentError) this.#forgetting.begin({ subscriber, reason });
              subscriber.error(brokenOff(http, reason));
            },
            complete: () => {
              if (answered) subscriber.complete();
              else subscriber.error(brokenOff(http, new EndedUnanswered()));
            },
          }),
      );
    });
  }

  close(): Promise<void> {
    this.#end(new TransportClosedError());
    this.#inbox.complete();
    return Promise.resolve();
  }

  #end(reason: unknown): void {
    this.#forgetting.close();
    this.#sends.end(reason);
    this.#lingering.end();
  }
}
