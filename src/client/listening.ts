import {
  asapScheduler,
  BehaviorSubject,
  concat,
  defer,
  distinctUntilChanged,
  ignoreElements,
  map,
  merge,
  NEVER,
  Observable,
  retry,
  type Subscriber,
  type Subscription,
  switchMap,
  tap,
  throwError,
} from 'rxjs';
import { ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import type { Life } from '../protocol/index.js';
import { Backoff, handOver } from '../rx/index.js';
import type { Channels, RawNotification } from '../session/index.js';
import type { Connection } from './connection.js';
import { subscribeOn } from './legacy-subscriptions.js';
import { listenOn } from './listen.js';
import { filterOf, isAbout, isServed, keyOf, nameOf, type Signal, type Want } from './wants.js';

const BACKOFF = { firstMs: 500, maxMs: 30_000 };

interface Wanted {
  readonly want: Want;
  readonly subscribers: Set<Subscriber<Signal>>;
}

/** The subscription ended, though it was not this client that ended it. */
class Dropped extends Error {}

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
  readonly #wanted = new Map<string, Wanted>();
  readonly #wants = new BehaviorSubject<readonly Want[]>([]);
  readonly #backoff = new Backoff(BACKOFF);
  /** Wants a warning was given about: one is enough. */
  readonly #warnedOf = new Set<string>();
  #pump: Subscription | undefined;
  #scheduled = false;

  constructor(connection: Connection, channels: Channels, acknowledgeMs: number) {
    this.#connection = connection;
    this.#channels = channels;
    this.#acknowledgeMs = acknowledgeMs;
  }

  /** Emits what is heard of a want, for as long as it is subscribed. Never completes, never errors. */
  watch(want: Want): Observable<Signal> {
    return new Observable((subscriber) => {
      const key = keyOf(want);
      const wanted = this.#wanted.get(key) ?? { want, subscribers: new Set<Subscriber<Signal>>() };
      this.#wanted.set(key, wanted);
      wanted.subscribers.add(subscriber);
      this.#schedule();
      return () => {
        wanted.subscribers.delete(subscriber);
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
    this.#wants.next([...this.#wanted.values()].map(({ want }) => want));
    if (this.#wanted.size === 0) {
      this.#pump?.unsubscribe();
      this.#pump = undefined;
      this.#backoff.succeeded();
    } else this.#pump ??= this.#run();
  }

  #run(): Subscription {
    const heard$ = this.#channels.notifications$.pipe(
      tap((notification) => {
        this.#heard(notification);
      }),
    );
    const followed$ = defer(() => this.#connection.use()).pipe(
      switchMap((life) => merge(this.#follow(life), life.session.ended$.pipe(map((reason) => this.#lost(reason))))),
      retry({ delay: (reason) => this.#again(reason) }),
    );
    return merge(heard$, followed$).subscribe({ error: () => undefined });
  }

  /** Follows what is wanted on one connection; errors when that is lost. */
  #follow(life: Life): Observable<unknown> {
    if (life.agreement.server.era === 'legacy') {
      this.#backoff.succeeded();
      return subscribeOn(life, this.#wants, {
        ready: (want) => {
          this.#tell(want, 'ready');
        },
        unserved: (want, reason) => {
          this.#unserved(want, reason);
        },
      });
    }
    const told = new Set<string>();
    return this.#wants.pipe(
      map((wants) => filterOf(wants)),
      distinctUntilChanged((before, after) => JSON.stringify(before) === JSON.stringify(after)),
      handOver((filter) =>
        concat(
          listenOn(life, filter, this.#acknowledgeMs),
          throwError(() => new Dropped()),
        ),
      ),
      tap((event) => {
        if (event.kind !== 'acknowledged') return;
        this.#backoff.succeeded();
        for (const want of this.#wants.value) {
          const key = keyOf(want);
          // What was told before went on being told while the streams changed places.
          if (told.has(key)) continue;
          told.add(key);
          if (isServed(want, event.filter)) this.#tell(want, 'ready');
          else this.#unserved(want, 'the server did not agree to it');
        }
      }),
      ignoreElements(),
    );
  }

  #lost(reason: unknown): never {
    throw reason;
  }

  /** When to try again. Errors, and so ends it, where there is nothing to come back to. */
  #again(reason: unknown): Observable<unknown> {
    if (!this.#connection.alive) {
      this.#tellAll('lost');
      return throwError(() => reason);
    }
    if (reason instanceof ProtocolError && reason.code === CODES.methodNotFound) {
      for (const { want } of this.#wanted.values()) this.#unserved(want, 'the server knows no subscriptions');
      return this.#nextLife();
    }
    this.#tellAll('lost');
    if (!(reason instanceof Dropped)) {
      const why = reason instanceof Error ? reason.message : String(reason);
      this.#channels.warn('subscription', `changes are not told for now: ${why}`, reason);
    }
    return this.#backoff.next();
  }

  /** Emits when the connection in use has ended. */
  #nextLife(): Observable<unknown> {
    return this.#connection.life?.session.ended$ ?? NEVER;
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

  #tell(want: Want, signal: Signal): void {
    for (const subscriber of [...(this.#wanted.get(keyOf(want))?.subscribers ?? [])]) subscriber.next(signal);
  }

  #tellAll(signal: Signal): void {
    for (const { want } of [...this.#wanted.values()]) this.#tell(want, signal);
  }
}
