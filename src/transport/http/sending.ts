import type { Subscriber } from 'rxjs';
import type { Inbound, Outbound, RequestId } from '../../jsonrpc/index.js';
import { LeanSubscriber } from '../../rx/index.js';
import type { Inbox } from '../inbox.js';
import { type Part, requestIdOf } from './answer.js';
import type { Forgetting } from './forgetting.js';
import type { Lingering } from './lingering.js';
import type { CheckedHttp } from './parameters.js';

/** What the messages of one wire share. */
export interface SendingWire {
  readonly http: CheckedHttp;
  readonly inbox: Inbox<Inbound>;
  /** On the stream of which request's answer each message came. */
  readonly cameOn: WeakMap<Inbound, RequestId>;
  readonly lingering: Lingering;
  readonly forgetting: Forgetting;
}

/**
 * The exchange of one message: the subscriber of what is answered. To unsubscribe it hangs up. A class and few closures:
 * there is one for each call.
 */
export abstract class Sending<W extends SendingWire> extends LeanSubscriber<Part> {
  protected readonly wire: W;
  /** Who waits for the exchange. */
  protected readonly to: Subscriber<never>;
  protected readonly id: RequestId | undefined;
  /** Whether nothing is waited for, or no longer. */
  protected isAnswered: boolean;
  /** Whether nothing comes any longer, and the exchange is about to end by itself. */
  #isOver = false;

  /** @param to who waits for the exchange; its leaving ends it */
  constructor(wire: W, message: Outbound, to: Subscriber<never>) {
    super();
    this.wire = wire;
    this.to = to;
    this.id = requestIdOf(message);
    this.isAnswered = this.id === undefined;
    to.add(() => {
      this.#left();
    });
  }

  #left(): void {
    const { forgetting, lingering } = this.wire;
    forgetting.heard(this.to);
    // Hanging up right after an answer would cost the connection, which is good for the next request.
    if (!this.isAnswered) this.unsubscribe();
    else if (!this.#isOver) lingering.add(this);
  }

  protected override _next({ message, last = false }: Part): void {
    this.#isOver = last;
    if (message !== undefined) this.wire.inbox.next(this.inward(message));
    this.heard();
  }

  /** What is told of a message that came. */
  protected inward(message: Inbound): Inbound {
    if (!('method' in message)) this.isAnswered ||= message.id === this.id;
    // Asked for is only that of a notification.
    else if (this.id !== undefined) this.wire.cameOn.set(message, this.id);
    return message;
  }

  /** After what was told: it may be the last that a forgotten wire waits for. */
  protected heard(): void {
    this.wire.forgetting.heard(this.to);
  }
}
