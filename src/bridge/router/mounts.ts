import { BehaviorSubject, type Observable, ReplaySubject, share } from 'rxjs';
import { requireText } from '../../client/arguments.js';
import { type Check, checkOptions } from '../../jsonrpc/checks.js';
import type { BridgeOptions } from '../../client/index.js';
import { BRIDGE_CHECKS } from '../../client/options.js';
import { OptionError } from '../../errors/index.js';
import type { Tool } from '../../protocol/schemas/index.js';
import type { ToolProvider } from '../provider.js';
import { liveTools } from './live-tools.js';
import type { Mount } from './mount.js';
import { Router } from './router.js';

/**
 * How a provider is taken in. What it says of overlap and concurrency is of this provider's calls, and goes before what a
 * batch says: it is known where it is added what it can bear. An unknown option is an `OptionError` that names it.
 */
export interface MountOptions extends BridgeOptions {
  /** What the names of its tools begin with. No two providers have the same. */
  readonly prefix: string;
}

const CHECKS: Readonly<Record<keyof MountOptions, Check>> = { ...BRIDGE_CHECKS, prefix: requireText };

const requireProvider = (provider: unknown): void => {
  const { toolsForLlm, executeToolCalls } = (provider ?? {}) as Partial<ToolProvider>;
  if (typeof toolsForLlm === 'function' && typeof executeToolCalls === 'function') return;
  throw new OptionError(
    'provider',
    'give an object with toolsForLlm and executeToolCalls: a client, a toolkit, a registry',
  );
};

/** The providers that are mounted, and what they have together. */
export class Mounts {
  #all: readonly Mount[];
  readonly #changes: BehaviorSubject<readonly Mount[]>;
  /** Their tools, and the calls of them. */
  readonly router: Router;

  /**
   * The tools of all providers that have `tools$`, under their names: as soon as those of one are known, and again after
   * each change. One whose list fails has none. Shared, with a replay of the latest; completes with {@link close}, never
   * errors.
   */
  readonly tools$: Observable<readonly Tool[]>;

  /** @param own what is mounted from the beginning */
  constructor(separator: string, own: readonly Mount[] = []) {
    this.#all = own;
    this.#changes = new BehaviorSubject(own);
    this.router = new Router(() => this.#all, separator);
    this.tools$ = liveTools(this.#changes, separator).pipe(share({ connector: () => new ReplaySubject(1) }));
  }

  /** All of them, in the order in which they were added. */
  get all(): readonly Mount[] {
    return this.#all;
  }

  /** Adds one. Throws an `OptionError` where an option cannot be used or the prefix is taken. */
  add(provider: ToolProvider, options: MountOptions): void {
    requireProvider(provider);
    if (this.router.isReachedFrom(provider)) {
      throw new OptionError('provider', 'it is, or holds, what it would be added to: its calls would never end');
    }
    checkOptions(options, CHECKS, 'options');
    const { prefix, overlap, toolConcurrency } = options;
    requireText(prefix, 'prefix');
    if (this.all.some((mount) => mount.prefix === prefix)) {
      throw new OptionError('prefix', `there is a provider under ${JSON.stringify(prefix)} already`);
    }
    this.#change([...this.all, { prefix, provider, overlap, toolConcurrency }]);
  }

  /** Takes one out, and returns it; nothing if there is none. Calls that are under way go on. */
  remove(prefix: string): ToolProvider | undefined {
    const found = this.all.find((mount) => mount.prefix === prefix);
    if (found !== undefined) this.#change(this.all.filter((mount) => mount !== found));
    return found?.provider;
  }

  /** Has these in place of all there are, at one go. They are known to have names of their own, and to hold none of it. */
  replace(all: readonly Mount[]): void {
    this.#change(all);
  }

  /** Completes the live list. */
  close(reason?: string): void {
    this.router.close(reason);
    this.#changes.complete();
  }

  #change(all: readonly Mount[]): void {
    this.#all = all;
    this.#changes.next(all);
  }
}
