import { EMPTY, concat, defer, filter, fromEvent, ignoreElements, map, merge, of, take, takeUntil, timer } from 'rxjs';
import type { Observable } from 'rxjs';
import type { EventEmitter } from 'node:events';
import { groupSystem } from './group-system.js';
import type { GroupSystem } from './group-system.js';

/** How a process ended. */
export interface Exit {
  /** Its exit code; `null` when a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it, if one did. */
  readonly signal: NodeJS.Signals | null;
}

/** What is needed to know of a child process. */
export type Leader = EventEmitter & {
  readonly pid: number;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
};

const POLL_MS = 20;

/** How long the last signal is given to take effect. */
const LAST_MS = 300;

/**
 * A child process and everything it started, as far as it stayed in its group. A group that was once seen without a
 * living process is never signalled again: its number may be somebody else's by then.
 */
export class ProcessGroup {
  readonly #leader: Leader;
  readonly #system: GroupSystem;
  readonly #isLiving: () => boolean;
  #isGone = false;

  /** How the child itself ended: emits once, at once where it has ended already, and completes. */
  readonly exited$: Observable<Exit> = defer(() => {
    const { exit } = this;
    if (exit !== undefined) return of(exit);
    // `error` as well: it stands in for `exit` where a command was not found on Windows.
    return merge(...['exit', 'error', 'close'].map((name) => fromEvent(this.#leader, name))).pipe(
      map(() => this.exit),
      filter((ended) => ended !== undefined),
      take(1),
    );
  });

  /**
   * @param leader the child process, which was started as the leader of a group
   * @param system how groups are ended; default: that of this platform
   */
  constructor(leader: Leader, system: GroupSystem = groupSystem()) {
    this.#leader = leader;
    this.#system = system;
    this.#isLiving = system.watch(leader.pid);
    // Asked at once, before the number of an empty group can be given to anybody else.
    leader.on('exit', () => this.exists());
  }

  /** How the child itself ended; `undefined` while it lives. */
  get exit(): Exit | undefined {
    const { exitCode: code, signalCode: signal } = this.#leader;
    return code === null && signal === null ? undefined : { code, signal };
  }

  /** True while the child or a process of its group lives. */
  exists(): boolean {
    if (this.#isGone) return false;
    if (this.exit === undefined) return true;
    this.#isGone = !(this.#system.outlivesLeader && this.#isLiving());
    return !this.#isGone;
  }

  /** Ends all of it before it returns, without grace; for the last moment of this process. */
  killNow(): void {
    if (this.exists()) this.#system.killNow(this.#leader.pid);
  }

  /**
   * Waits up to `graceMs` for the child to end by itself, then for the rest as {@link terminate}. Emits nothing;
   * completes within 2 x `graceMs` + 300 ms. Unsubscribing stops it where it stands.
   */
  end(graceMs: number): Observable<never> {
    return concat(this.exited$.pipe(ignoreElements(), takeUntil(timer(graceMs))), this.terminate(graceMs));
  }

  /**
   * Asks what is left of the group to end (SIGTERM), waits up to `graceMs`, and makes it end (SIGKILL). Emits nothing;
   * completes as soon as nothing of it lives, within `graceMs` + 300 ms. Unsubscribing stops it where it stands.
   */
  terminate(graceMs: number): Observable<never> {
    return concat(this.#signal('SIGTERM', graceMs), this.#signal('SIGKILL', LAST_MS));
  }

  #signal(signal: NodeJS.Signals, waitMs: number): Observable<never> {
    return defer(() =>
      this.exists() && this.#system.signal(this.#leader.pid, signal)
        ? this.#vanished$.pipe(takeUntil(timer(waitMs)))
        : EMPTY,
    );
  }

  // Nothing tells about processes that are not children of this one: they have to be asked after.
  readonly #vanished$: Observable<never> = concat(
    this.exited$,
    defer(() =>
      this.exists()
        ? timer(POLL_MS, POLL_MS).pipe(
            filter(() => !this.exists()),
            take(1),
          )
        : EMPTY,
    ),
  ).pipe(ignoreElements());
}
