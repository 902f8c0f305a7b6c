import { defer, map, merge, Observable, Subject, type Subscriber, Subscription } from 'rxjs';
import { asMcpError, OptionError, TransportClosedError, TransportError } from '../../errors/index.js';
import type { Inbound, Outbound, RequestId } from '../../jsonrpc/index.js';
import { quietly } from '../../rx/index.js';
import type { Connector, SendHints, Transport } from '../../transport/index.js';
import { noWire } from '../../transport/no-wire.js';
import { Lane } from './lane.js';
import { type Fate, Odds } from './odds.js';
import { type FaultPlan, type FaultyMessage, readPlan } from './plan.js';

/** One life of a wire on which things go wrong; {@link faultyTransport} makes one. */
export class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #odds: Odds;
  readonly #incoming: Lane;
  readonly #outgoing: Lane;
  readonly #reading = new Subscription();
  readonly #ends = new Subject<{ readonly reason: unknown }>();
  /** On whose channel a message came, also where it arrives later, or as another. */
  readonly #cameOn = new WeakMap<FaultyMessage, RequestId>();
  #reader: Subscriber<Inbound> | undefined;
  #end: { readonly reason: unknown } | undefined;

  /** As the inner transport says. */
  readonly cancelBy: 'notice' | 'hang-up';
  /** As the inner transport says. */
  readonly mirrorsHeaders: boolean;
  /** As the inner transport has it. */
  readonly stderr$: Observable<string> | undefined;
  /** As the inner transport has it. */
  readonly warnings$: Observable<string> | undefined;

  /** What the server says, as far as it arrives; takes one subscriber. Completes after `close()`; errors once, when the wire dies or is cut. */
  readonly inbound$: Observable<Inbound> = new Observable<Inbound>((reader) => {
    this.#reader = reader;
    if (this.#end !== undefined) {
      this.#tellEnd(this.#end);
      return undefined;
    }
    this.#reading.add(
      this.#inner.inbound$.subscribe({
        next: (message) => {
          this.#arrive(message);
        },
        error: (reason: unknown) => {
          this.#incoming.last(() => {
            this.#finish({ reason });
          });
        },
        complete: () => {
          this.#incoming.last(() => {
            this.#finish({ reason: undefined });
          });
        },
      }),
    );
    return this.#reading;
  });

  /** The wire, the faults and their time. */
  constructor(inner: Transport, plan: ReturnType<typeof readPlan>, odds: Odds) {
    this.#inner = inner;
    this.#odds = odds;
    this.#incoming = new Lane(plan.scheduler);
    this.#outgoing = new Lane(plan.scheduler);
    this.cancelBy = inner.cancelBy;
    this.mirrorsHeaders = inner.mirrorsHeaders;
    this.stderr$ = inner.stderr$;
    this.warnings$ = inner.warnings$;
  }

  /** True until `close()`, a cut, or the death of the inner wire. */
  get alive(): boolean {
    return this.#end === undefined && this.#inner.alive;
  }

  /** As the inner transport says, of what arrives in the place of its message as well. */
  channelOf(message: Inbound): RequestId | undefined {
    return this.#cameOn.get(message);
  }

  /**
   * Cold: subscribing sends the message, as the plan has it. Completes when the inner transport has delivered what was left of it, or at
   * once where nothing was. Errors with what ended the wire, and as the inner transport does.
   */
  send(message: Outbound, hints?: SendHints): Observable<never> {
    return new Observable<never>((subscriber) => {
      if (this.#end !== undefined) {
        subscriber.error(new TransportClosedError());
        return;
      }
      subscriber.add(
        this.#ends.subscribe({
          next: ({ reason }) => {
            subscriber.error(reason ?? new TransportClosedError());
          },
          error: () => undefined,
        }),
      );
      const { messages, cut, ...pace } = this.#odds.fateOf('out', message);
      this.#outgoing.put(() => {
        if (cut !== undefined) this.cut(cut.reason);
        else if (!subscriber.closed) {
          const sent$ = merge(...messages.map((each) => defer(() => this.#inner.send(each as Outbound, hints))));
          subscriber.add(sent$.subscribe(subscriber));
        }
      }, pace);
    });
  }

  /** The wire dies now: `inbound$` errors with `reason`, by default a `TransportError`, and the inner transport is closed. Idempotent. */
  cut(reason: unknown = new TransportError(new Error('the wire was cut'))): void {
    if (this.#end !== undefined) return;
    this.#finish({ reason });
    quietly(() => this.#inner.close());
  }

  /** Ends the wire: `inbound$` completes, what is still on its way is lost, the inner transport is closed. Idempotent. */
  async close(): Promise<void> {
    this.#finish({ reason: undefined });
    await this.#inner.close();
  }

  #arrive(message: Inbound): void {
    let fate: Fate;
    try {
      fate = this.#odds.fateOf('in', message);
    } catch (reason) {
      // Nobody waits for what a plan throws here: it is heard by whoever reads.
      this.cut(asMcpError(reason, 'the plan of faults'));
      return;
    }
    const { messages, cut, ...pace } = fate;
    const channel = this.#inner.channelOf?.(message);
    if (channel !== undefined) for (const each of messages) this.#cameOn.set(each, channel);
    this.#incoming.put(() => {
      if (cut !== undefined) this.cut(cut.reason);
      else for (const each of messages) this.#reader?.next(each);
    }, pace);
  }

  #finish(end: { readonly reason: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#incoming.clear();
    this.#outgoing.clear();
    this.#ends.next(end);
    this.#ends.complete();
    this.#tellEnd(end);
    this.#reading.unsubscribe();
  }

  #tellEnd({ reason }: { readonly reason: unknown }): void {
    if (reason === undefined) this.#reader?.complete();
    else this.#reader?.error(reason);
  }
}

/** {@link faultyTransport}, in its two forms. */
export interface MakeFaulty {
  (inner: Transport, plan: FaultPlan): FaultyTransport;
  (inner: Connector, plan: FaultPlan): Connector;
}

const make = (inner: Connector | Transport, plan: FaultPlan): Connector | FaultyTransport => {
  const read = readPlan(plan);
  const odds = new Odds(read);
  if (typeof inner === 'function') {
    const connector: Connector = (form) =>
      inner(form).pipe(map((transport) => new FaultyTransport(transport, read, odds)));
    return Object.assign(connector, inner);
  }
  const { inbound$, send } = (inner ?? {}) as Partial<Transport>;
  if (inbound$ === undefined || typeof send !== 'function') throw new OptionError('inner', noWire(inner));
  return new FaultyTransport(inner, read, odds);
};

/**
 * Puts faults on a wire: messages come late, twice, in another order, damaged or never, or the wire dies, in either direction, at
 * chosen or seeded moments; see {@link Fault}. Of a transport it makes a transport; of a connector one whose lives all go by the same
 * plan, counting on. Nothing random is in it but by the seed, and its time is that of the plan's scheduler. Throws an
 * `OptionError` that names what cannot be used, as `faults.0.kind`.
 *
 * ```ts
 * const wire = faultyTransport(scriptedTransport({ 'tools/list': { tools: [] } }), {
 *   faults: [{ kind: 'drop', at: 2 }, { kind: 'delay', chance: 0.5, ms: 300 }, { kind: 'cut', direction: 'out', at: 9 }],
 *   seed: 7,
 * });
 * const mcp = connect(wire, { requestTimeoutMs: 1_000 });
 * ```
 */
export const faultyTransport: MakeFaulty = make as MakeFaulty;
