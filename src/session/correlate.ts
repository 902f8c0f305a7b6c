import { type MonoTypeOperatorFunction, Observable, Subscriber } from 'rxjs';
import type { Inbound } from '../jsonrpc/index.js';
import type { Channels } from './channels.js';
import type { OpenCalls } from './open-calls.js';

/** A class and no closures: there is one for each client, for as long as it is connected. */
class Correlation extends Subscriber<Inbound> {
  readonly #calls: OpenCalls;
  readonly #channels: Pick<Channels, 'wire'> | undefined;
  readonly #leftovers: Subscriber<Inbound>;

  constructor(calls: OpenCalls, channels: Pick<Channels, 'wire'> | undefined, leftovers: Subscriber<Inbound>) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- an operator of RxJS is made so; it is internal only in version 8
    super(leftovers);
    this.#calls = calls;
    this.#channels = channels;
    this.#leftovers = leftovers;
  }

  protected override _next(message: Inbound): void {
    try {
      this.#channels?.wire('in', message);
      if (!this.#calls.settle(message)) this.#leftovers.next(message);
    } catch (reason) {
      this.error(reason);
    }
  }
}

/**
 * Hands each answer to the call that waits for it, synchronously and in wire order, at one map look-up
 * a message whatever is in flight; mirrors everything that answers no call. JSON-RPC 2.0 section 5.
 * @param channels shown each message first, where they are given
 */
export const correlate =
  (calls: OpenCalls, channels?: Pick<Channels, 'wire'>): MonoTypeOperatorFunction<Inbound> =>
  (inbound$) =>
    new Observable((leftovers) => inbound$.subscribe(new Correlation(calls, channels, leftovers)));
