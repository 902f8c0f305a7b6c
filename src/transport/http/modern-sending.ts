import type { Subscriber } from 'rxjs';
import { EndedUnanswered, UnsentError } from '../../errors/index.js';
import type { Inbound, JsonRpcRequest, Outbound, RequestId } from '../../jsonrpc/index.js';
import { LeanSubscriber } from '../../rx/index.js';
import type { Inbox } from '../inbox.js';
import type { SendHints } from '../transport.js';
import { brokenOff, type Part, POST_HEADERS, requestIdOf } from './answer.js';
import type { Forgetting } from './forgetting.js';
import { headerValue } from './header-value.js';
import type { Lingering } from './lingering.js';
import type { CheckedHttp } from './parameters.js';

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The methods whose subject is mirrored, and the member of the params that names it. */
const SUBJECT: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The fields a message goes with: what a server may want to know of it before it reads it. */
export const fieldsOf = (message: Outbound, hints: SendHints | undefined): Record<string, string> => {
  // Written one by one: an object that is spread into another costs several times what is in it.
  const fields: Record<string, string> = { 'content-type': POST_HEADERS['content-type'], accept: POST_HEADERS.accept };
  if ('method' in message) {
    const { method, params } = message as JsonRpcRequest;
    const member = Object.hasOwn(SUBJECT, method) ? SUBJECT[method] : undefined;
    const subject = member === undefined ? undefined : params?.[member];
    const version = (params?.['_meta'] as Record<string, unknown> | undefined)?.[PROTOCOL_VERSION];
    fields['mcp-method'] = method;
    if (typeof version === 'string') fields['mcp-protocol-version'] = version;
    if (typeof subject === 'string') fields['mcp-name'] = headerValue(subject);
  }
  const own = hints?.headers;
  if (own !== undefined)
    for (const [name, value] of Object.entries(own)) fields[name.toLowerCase()] = headerValue(value);
  return fields;
};

const FOREIGN: Inbound = { invalid: 'an answer to another request than the one it was sent for', excerpt: '' };

/** What the messages of one wire share. */
export interface ModernWire {
  readonly http: CheckedHttp;
  readonly inbox: Inbox<Inbound>;
  /** On whose stream each message came. */
  readonly cameOn: WeakMap<Inbound, RequestId>;
  readonly lingering: Lingering;
  readonly forgetting: Forgetting;
}

/**
 * The exchange of one message: the subscriber of what is answered. To unsubscribe it hangs up. A class and few closures:
 * there is one for each call.
 */
export class ModernSending extends LeanSubscriber<Part> {
  readonly #wire: ModernWire;
  readonly #to: Subscriber<never>;
  readonly #id: RequestId | undefined;
  #isAnswered: boolean;
  /** Whether nothing comes any longer, and the exchange is about to end by itself. */
  #isOver = false;

  /** @param to who waits for the exchange; its leaving ends it */
  constructor(wire: ModernWire, message: Outbound, to: Subscriber<never>) {
    super();
    this.#wire = wire;
    this.#to = to;
    this.#id = requestIdOf(message);
    this.#isAnswered = this.#id === undefined;
    to.add(() => {
      this.#left();
    });
  }

  #left(): void {
    const { forgetting, lingering } = this.#wire;
    forgetting.heard(this.#to);
    // Hanging up right after an answer would cost the connection, which is good for the next request.
    if (!this.#isAnswered) this.unsubscribe();
    else if (!this.#isOver) lingering.add(this);
  }

  protected override _next({ message, last = false }: Part): void {
    this.#isOver = last;
    const { inbox, cameOn, forgetting } = this.#wire;
    if (message !== undefined) {
      const isAnswer = !('method' in message);
      if (isAnswer && message.id === this.#id) this.#isAnswered = true;
      // Asked for is only that of a notification.
      if (this.#id !== undefined && !isAnswer) cameOn.set(message, this.#id);
      // On the wire of one request an answer to another one is nobody's.
      const isForeign = isAnswer && message.id !== undefined && message.id !== this.#id;
      inbox.next(isForeign ? FOREIGN : message);
    }
    // After what was heard: it may be the last that a forgotten wire waits for.
    forgetting.heard(this.#to);
  }

  protected override _error(reason: unknown): void {
    const { http, forgetting } = this.#wire;
    if (reason instanceof UnsentError) forgetting.begin({ subscriber: this.#to, reason });
    this.#to.error(brokenOff(http, reason));
    this.unsubscribe();
  }

  protected override _complete(): void {
    if (this.#isAnswered) this.#to.complete();
    else this.#to.error(brokenOff(this.#wire.http, new EndedUnanswered()));
    this.unsubscribe();
  }
}
