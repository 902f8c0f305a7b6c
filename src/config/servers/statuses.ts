import { type Observable, ReplaySubject, Subscription } from 'rxjs';
import type { ManagedState } from '../managed/state.js';
import type { ManagedServer } from '../managed/managed-server.js';

/** What tells how it is: a managed server. */
export type Stateful = Pick<ManagedServer, 'status$'>;

/** The states of servers that come and go, by their keys. */
export class Statuses {
  readonly #maps = new ReplaySubject<ReadonlyMap<string, ManagedState>>(1);
  readonly #followed = new Map<Stateful, Subscription>();
  readonly #states = new Map<Stateful, ManagedState>();
  #servers: ReadonlyMap<string, Stateful> = new Map();
  #latest: ReadonlyMap<string, ManagedState> = new Map();
  #gathering = true;

  /** All states at once, and again after each change of one. Completes with {@link close}, never errors. */
  readonly status$: Observable<ReadonlyMap<string, ManagedState>> = this.#maps.asObservable();

  constructor() {
    this.#maps.next(this.#latest);
  }

  /** All states at the moment, in the order of the servers. */
  get latest(): ReadonlyMap<string, ManagedState> {
    return this.#latest;
  }

  /** Follows these in place of those before; what that changes is told at one go. */
  follow(servers: ReadonlyMap<string, Stateful>): void {
    const all = new Set(servers.values());
    for (const one of [...this.#followed.keys()]) if (!all.has(one)) this.#leave(one);
    this.#servers = servers;
    this.#gathering = true;
    for (const one of all) if (!this.#followed.has(one)) this.#join(one);
    this.#gathering = false;
    this.#tell();
  }

  /** Lets go of all, and completes. */
  close(): void {
    for (const one of [...this.#followed.keys()]) this.#leave(one);
    this.#maps.complete();
  }

  #join(server: Stateful): void {
    const subscription = new Subscription();
    this.#followed.set(server, subscription);
    subscription.add(
      server.status$.subscribe({
        next: (state) => {
          this.#states.set(server, state);
          if (!this.#gathering) this.#tell();
        },
        error: () => undefined,
      }),
    );
  }

  #leave(server: Stateful): void {
    this.#followed.get(server)?.unsubscribe();
    this.#followed.delete(server);
    this.#states.delete(server);
  }

  #tell(): void {
    const latest = new Map<string, ManagedState>();
    for (const [key, server] of this.#servers) {
      const state = this.#states.get(server);
      if (state !== undefined) latest.set(key, state);
    }
    this.#latest = latest;
    this.#maps.next(latest);
  }
}
