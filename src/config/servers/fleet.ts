import { Mounts } from '../../bridge/index.js';
import type { Mount } from '../../bridge/router/mount.js';
import { messageOf } from '../../errors/index.js';
import { ManagedServer } from '../managed/managed-server.js';
import type { ManagedOptions } from '../managed/options.js';
import { termsOf } from '../managed/terms.js';
import type { ConfigEntry } from '../read-entry.js';
import { mountOf } from './mount-of.js';
import { type Plan, reconcile } from './reconcile.js';
import { Statuses } from './statuses.js';

/** The servers of a config: those there are, and those that are being ended. */
export class Fleet {
  /** Their tools, and the calls of them. */
  readonly mounts = new Mounts('_');
  /** How they are. */
  readonly statuses = new Statuses();
  readonly #options: ManagedOptions;
  readonly #places = new WeakMap<ManagedServer, Mount>();
  readonly #leaving = new Set<ManagedServer>();
  #servers: ReadonlyMap<string, ManagedServer> = new Map();

  constructor(options: ManagedOptions) {
    this.#options = options;
  }

  /** By their keys, in the order of the config. */
  get servers(): ReadonlyMap<string, ManagedServer> {
    return this.#servers;
  }

  /**
   * Goes on with these entries: what is the same goes on as it is, what is another is ended and then started, the rest is
   * ended. They are the servers from now on. `done` resolves when all that is to end has ended, and all that is to start
   * has begun to; it never rejects.
   */
  apply(entries: readonly ConfigEntry[]): { readonly plan: Plan; readonly done: Promise<void> } {
    const before = this.#servers;
    const plan = reconcile(before, entries, (entry) => termsOf(entry, this.#options).fingerprint);
    const kept = new Set(plan.kept);
    const servers = new Map<string, ManagedServer>();
    for (const entry of entries) {
      if (entry.state === 'disabled') continue;
      const standing = kept.has(entry.key) ? before.get(entry.key) : undefined;
      standing?.adopt(entry);
      servers.set(entry.key, standing ?? this.#make(entry));
    }
    const gone = [...plan.removed, ...plan.restarted];
    for (const key of gone) this.#leaving.add(before.get(key) as ManagedServer);
    this.#publish(servers);
    const done = Promise.all([
      ...gone.map((key) => this.#turnOver(before.get(key), servers.get(key))),
      ...plan.added.map((key) => this.#turnOver(undefined, servers.get(key))),
    ]).then(() => undefined);
    return { plan, done };
  }

  /** Ends all, at once and for good. Resolves when they have ended; never rejects. */
  async stop(): Promise<void> {
    this.mounts.close('the servers are stopped');
    await Promise.all([...this.#servers.values(), ...this.#leaving].map((server) => server.stop()));
    this.statuses.close();
  }

  /** Ends their processes before it returns. */
  killNow(): void {
    for (const server of [...this.#servers.values(), ...this.#leaving]) server.killNow();
  }

  #make(entry: ConfigEntry): ManagedServer {
    try {
      return new ManagedServer(entry, this.#options);
    } catch (error) {
      // The options of its client or its wire, which the application makes for each server, cannot be used: that costs no other.
      const { key, path } = entry;
      const options = { ...this.#options, client: undefined, http: undefined };
      return new ManagedServer({ key, path, state: 'failed', reason: messageOf(error) }, options);
    }
  }

  #publish(servers: ReadonlyMap<string, ManagedServer>): void {
    this.#servers = servers;
    this.mounts.replace(
      [...servers.values()].map((server) => {
        const mount = this.#places.get(server) ?? mountOf(server);
        this.#places.set(server, mount);
        return mount;
      }),
    );
    this.statuses.follow(servers);
  }

  async #turnOver(old: ManagedServer | undefined, next: ManagedServer | undefined): Promise<void> {
    if (old !== undefined) {
      await old.stop();
      this.#leaving.delete(old);
    }
    // Whoever heard of all this may have stopped it: then it does not start.
    void next?.start();
  }
}
