import {
  asapScheduler,
  asyncScheduler,
  BehaviorSubject,
  catchError,
  concat,
  defer,
  distinctUntilChanged,
  ignoreElements,
  map,
  merge,
  NEVER,
  Observable,
  of,
  retry,
  type Subscriber,
  type Subscription,
  switchMap,
  tap,
  throwError,
} from 'rxjs';
import { messageOf, ProtocolError, TimeoutError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import type { Life } from '../protocol/index.js';
import { Backoff } from '../rx/index.js';
import { handOver } from '../rx/hand-over.js';
import type { Channels, RawNotification } from '../session/index.js';
import type { Connection } from './connection.js';
import { subscribeOn } from './legacy-subscriptions.js';
import { type ListenEvent, listenOn, type SubscriptionFilter } from './listen.js';
import { type Signal, type Want } from './wants.js';
import { filterOf, isAbout, isDeclared, isServed, keyOf, nameOf } from './want-terms.js';

/** What lasted this long was a success; a subscription that ends sooner is come back to more and more slowly. */
const STEADY_MS = 5_000;

interface Wanted {
  readonly want: Want;
  readonly subscribers: Set<Subscriber<Signal>>;
  /** Those who came after it was said how it is with the want, and have not heard it yet. */
  readonly newcomers: Set<Subscriber<Signal>>;
}

/** The subscription ended, though it was not this client that ended it. */
class Dropped extends Error {}

/** The server answers a subscription, and never takes it up. */
class Unacknowledged extends Error {}

/** The server does not take the subscription: it says so, or says nothing. */
const isRefusal = (reason: unknown): reason is Error =>
  reason instanceof ProtocolError || reason instanceof TimeoutError || reason instanceof Unacknowledged;

/**
 * Hears of changes for everybody in a client who wants to, over one subscription: a modern server's
 * `subscriptions/listen`, opened anew when what is wanted changes, or a legacy server's own notices and
 * `resources/subscribe`. It holds the connection while something is wanted, and comes back after a loss with growing
 * delays. MCP 2026-07-28 basic/patterns/subscriptions; 2025-11-25 server/resources, "Subscriptions".
 */
export class Listening {
  readonly #connection: Connection;
  readonly #channels: Channels;
  readonly #acknowledgeMs: number;
  readonly #onReady: (want: Want) => void;
  readonly #wanted = new Map<string, Wanted>();
  readonly #wants = new BehaviorSubject<readonly Want[]>([]);
  /** What was last said of each want. */
  readonly #states = new Map<string, 'ready' | 'unserved'>();
  readonly #backoff = new Backoff();
  /** Wants a warning was given about: one is enough. */
  readonly #warnedOf = new Set<string>();
  #pump: Subscription | undefined;
  #scheduled = false;
  /** When the server began to tell of changes. */
  #since: number | undefined;

  /** @param onReady told of each want whose changes are told from now on, before anybody else */
  constructor(connection: Connection, channels: Channels, acknowledgeMs: number, onReady: (want: Want) => void) {
    this.#connection = connection;
    this.#channels = channels;
    this.#acknowledgeMs = acknowledgeMs;
    this.#onReady = onReady;
  }

  /**
   * Emits what is heard of a want, for as long as it is subscribed. Never completes; errors where the wire has ended and
   * may not be opened again, and not at `close()`.
   */
  watch(want: Want): Observable<Signal> {
    return new Observable((subscriber) => {
      const key = keyOf(want);
      const wanted = this.#wanted.get(key) ?? { want, subscribers: new Set(), newcomers: new Set() };
      this.#wanted.set(key, wanted);
      wanted.subscribers.add(subscriber);
      wanted.newcomers.add(subscriber);
      this.#schedule();
      return () => {
        wanted.subscribers.delete(subscriber);
        wanted.newcomers.delete(subscriber);
        if (wanted.subscribers.size === 0) this.#wanted.delete(key);
        this.#schedule();
      };
    });
  }

  /** What comes and goes within one turn is one change of the filter. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    asapScheduler.schedule(() => {
      this.#scheduled = false;
      this.#apply();
    });
  }

  #apply(): void {
    const wants = [...this.#wanted.values()].map(({ want }) => want);
    if (wants.length === 0) {
      // Before the wants are told: nobody is to ask for nothing.
      this.#pump?.unsubscribe();
      this.#pump = undefined;
      this.#states.clear();
      this.#since = undefined;
      this.#backoff.succeeded();
    }
    for (const key of this.#states.keys()) if (!this.#wanted.has(key)) this.#states.delete(key);
    this.#wants.next(wants);
    if (wants.length > 0 && (this.#pump === undefined || this.#pump.closed)) this.#pump = this.#run();
    this.#welcome();
  }

  #run(): Subscription {
    const heard$ = this.#channels.notifications$.pipe(
      tap((notification) => {
        this.#heard(notification);
      }),
    );
    let reached = false;
    const life$ = defer(() => {
      reached = false;
      return this.#connection.use();
    });
    const followed$ = life$.pipe(
      tap(() => {
        reached = true;
      }),
      switchMap((life) => merge(this.#follow(life), life.session.ended$.pipe(map((reason) => this.#lost(reason))))),
      retry({ delay: (reason: unknown) => this.#again(reason, reached ? 'lost' : { unreachable: reason }) }),
    );
    return merge(heard$, followed$).subscribe({
      error: (reason: unknown) => {
        this.#gone(reason);
      },
    });
  }

  /** Follows what is wanted on one connection; errors when that is lost. */
  #follow(life: Life): Observable<unknown> {
    if (life.agreement.server.era === 'legacy') {
      this.#since = asyncScheduler.now();
      return subscribeOn(life, this.#wants, {
        ready: (want) => {
          this.#tell(want, 'ready');
        },
        unserved: (want, reason) => {
          this.#unserved(want, reason);
        },
      });
    }
    return this.#wants.pipe(
      map((wants) => filterOf(this.#declared(wants, life))),
      distinctUntilChanged((before, after) => JSON.stringify(before) === JSON.stringify(after)),
      handOver((filter) => this.#stream(life, filter)),
      tap((event) => {
        if (event.kind === 'acknowledged') this.#agreed(life, event.filter);
      }),
      catchError((reason: unknown) => this.#refused(life, reason)),
      ignoreElements(),
    );
  }

  /** What the server can be asked to tell of. What it has none of stays as it is, and nobody need be warned. */
  #declared(wants: readonly Want[], life: Life): readonly Want[] {
    return wants.filter((want) => {
      const declared = isDeclared(want, life.agreement);
      if (!declared && !this.#states.has(keyOf(want))) this.#tell(want, 'unserved');
      return declared;
    });
  }

  #stream(life: Life, filter: SubscriptionFilter): Observable<ListenEvent> {
    if (Object.keys(filter).length === 0) return concat(of<ListenEvent>({ kind: 'acknowledged', filter }), NEVER);
    return defer(() => {
      let acknowledged = false;
      return concat(
        listenOn(life, filter, this.#acknowledgeMs).pipe(
          tap(({ kind }) => {
            acknowledged ||= kind === 'acknowledged';
          }),
        ),
        throwError(() => (acknowledged ? new Dropped() : new Unacknowledged('it is ended before it is acknowledged'))),
      );
    });
  }

  #agreed({ agreement }: Life, filter: SubscriptionFilter): void {
    this.#since ??= asyncScheduler.now();
    for (const want of this.#wants.value) {
      if (!isDeclared(want, agreement)) continue;
      const state = isServed(want, filter) ? 'ready' : 'unserved';
      // What was told before went on being told while the streams changed places.
      if (this.#states.get(keyOf(want)) === state) continue;
      if (state === 'ready') this.#tell(want, 'ready');
      else this.#unserved(want, 'the server did not agree to it');
    }
  }

  /** The server answers, but does not take the subscription: what is wanted ages. */
  #refused(life: Life, reason: unknown): Observable<unknown> {
    if (!isRefusal(reason) || life.session.end !== undefined) return throwError(() => reason);
    const unserved = (wants: readonly Want[]): void => {
      for (const want of this.#declared(wants, life)) {
        if (this.#states.get(keyOf(want)) !== 'unserved') this.#unserved(want, reason.message);
      }
    };
    if (reason instanceof ProtocolError && reason.code === CODES.methodNotFound) return this.#wants.pipe(tap(unserved));
    unserved(this.#wants.value);
    return throwError(() => reason);
  }

  #lost(reason: unknown): never {
    throw reason;
  }

  /** When to try again. Errors, and so ends it, where there is nothing to come back to. */
  #again(reason: unknown, signal: Signal): Observable<unknown> {
    if (!this.#connection.alive) return throwError(() => reason);
    if (this.#since !== undefined && asyncScheduler.now() - this.#since >= STEADY_MS) this.#backoff.succeeded();
    this.#since = undefined;
    // Whoever was refused has been told already.
    if (isRefusal(reason) && this.#connection.life !== undefined) return this.#backoff.next();
    const heard = this.#states.size > 0 || this.#connection.life !== undefined;
    this.#states.clear();
    if (heard && !(reason instanceof Dropped)) {
      const why = messageOf(reason);
      this.#channels.warn('subscription', `changes are not told for now: ${why}`, reason);
    }
    for (const { want } of [...this.#wanted.values()]) this.#tell(want, signal);
    return this.#backoff.next();
  }

  /** The wire may not be opened again. */
  #gone(reason: unknown): void {
    if (this.#connection.closed) return;
    for (const { subscribers } of [...this.#wanted.values()]) {
      for (const subscriber of [...subscribers]) subscriber.error(reason);
    }
  }

  #heard(notification: RawNotification): void {
    for (const { want } of [...this.#wanted.values()]) if (isAbout(want, notification)) this.#tell(want, 'changed');
  }

  #unserved(want: Want, reason: string): void {
    const key = keyOf(want);
    if (!this.#warnedOf.has(key)) {
      this.#warnedOf.add(key);
      this.#channels.warn(
        'subscription',
        `changes of ${nameOf(want)} are not told (${reason}): it is read again as it ages`,
      );
    }
    this.#tell(want, 'unserved');
  }

  /** Tells newcomers how it is with their want, where that is known. */
  #welcome(): void {
    for (const [key, { newcomers }] of [...this.#wanted]) {
      const state = this.#states.get(key);
      if (state === undefined) continue;
      const told = [...newcomers];
      newcomers.clear();
      for (const subscriber of told) subscriber.next(state);
    }
  }

  #tell(want: Want, signal: Signal): void {
    const key = keyOf(want);
    const { subscribers, newcomers } = this.#wanted.get(key) ?? {};
    if (signal === 'ready' || signal === 'unserved') {
      this.#states.set(key, signal);
      newcomers?.clear();
    }
    if (signal === 'ready') this.#onReady(want);
    for (const subscriber of [...(subscribers ?? [])]) subscriber.next(signal);
  }
}
