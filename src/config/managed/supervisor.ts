import {
  asapScheduler,
  AsyncSubject,
  asyncScheduler,
  concatMap,
  firstValueFrom,
  merge,
  type Observable,
  ReplaySubject,
  Subject,
  Subscription,
  subscribeOn,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { McpClient } from '../../bridge/index.js';
import type { ConnectionState } from '../../client/index.js';
import { asMcpError, TimeoutError } from '../../errors/index.js';
import type { ServerDescription } from '../../protocol/index.js';
import type { Tool } from '../../protocol/schemas/index.js';
import { Backoff, firstWithin } from '../../rx/index.js';
import type { Gate } from './gate.js';
import type { ManagedState } from './state.js';

/** How a server is started and kept up. Times in ms. */
export interface SupervisorTerms {
  readonly startupTimeoutMs: number;
  readonly maxRestarts: number;
  readonly restartWindowMs: number;
  readonly restartDelayMs: number;
}

const LONGEST_DELAY_MS = 30_000;

/** A start has a clock of its own. */
const UNTIMED = { timeoutMs: 0 } as const;

const lateStart = (timeoutMs: number): TimeoutError =>
  new TimeoutError('initialize', undefined, timeoutMs, `the server was not ready within ${timeoutMs / 1_000} s`);

/** What a supervisor works with. */
export interface SupervisorParts {
  readonly client: McpClient;
  readonly gate: Gate;
  readonly terms: SupervisorTerms;
  /** Makes a sentence of an error. */
  readonly explain: (error: unknown) => string;
  /** Hears of the first list of tools. */
  readonly listed: (list: readonly Tool[]) => void;
  /** Why there is nothing to start, where that is so. */
  readonly failure?: string | undefined;
}

/**
 * Starts a server, and starts it again after each death, until it dies too often. It decides when; the client and the gate
 * before its wire do the work, so that what waits for the server, or follows it, waits and goes on by itself.
 */
export class Supervisor {
  readonly #client: McpClient;
  readonly #gate: Gate;
  readonly #terms: SupervisorTerms;
  readonly #explain: SupervisorParts['explain'];
  readonly #listed: SupervisorParts['listed'];
  readonly #states = new ReplaySubject<ManagedState>(1);
  readonly #halted = new Subject<void>();
  readonly #following = new Subscription();
  readonly #backoff: Backoff;
  readonly #untold: ManagedState[] = [];
  #state: ManagedState;
  #phase: 'before' | 'first' | 'running' | 'over' = 'before';
  #hasConnected = false;
  #begun: Promise<ManagedState> | undefined;
  #ended: Promise<void> | undefined;
  #attempt = new Subscription();
  #deaths: readonly number[] = [];
  /** Whether it was connected since it was last lost. */
  #isBack = true;
  /** The start that was given up because it took too long. */
  #late: TimeoutError | undefined;
  #server: ServerDescription | undefined;

  /** The state at once, then each other one; completes after `stopped`. Never errors. */
  readonly state$: Observable<ManagedState> = this.#states.asObservable();

  constructor({ client, gate, terms, explain, listed, failure }: SupervisorParts) {
    this.#client = client;
    this.#gate = gate;
    this.#terms = terms;
    this.#explain = explain;
    this.#listed = listed;
    this.#backoff = new Backoff({ firstMs: terms.restartDelayMs, maxMs: LONGEST_DELAY_MS });
    this.#state =
      failure === undefined
        ? { status: 'configured', restarts: 0 }
        : { status: 'failed', reason: failure, restarts: 0 };
    if (failure !== undefined) this.#phase = 'over';
    this.#states.next(this.#state);
  }

  /** The state at the moment. */
  get state(): ManagedState {
    return this.#state;
  }

  /** Whether calls can be made: they are answered now, or as soon as the server is up again. */
  get isUp(): boolean {
    return this.#phase === 'running';
  }

  /** What is known of the server, once it was connected. */
  get server(): ServerDescription | undefined {
    return this.#server;
  }

  /**
   * Starts the server, once: handshake and first list of tools. Resolves with what became of it, and never rejects; where
   * it failed, with its process gone.
   */
  start(): Promise<ManagedState> {
    if (this.#begun === undefined) {
      const outcome = new AsyncSubject<ManagedState>();
      // Before anything is told: who hears of the start may ask for it, too.
      this.#begun = firstValueFrom(outcome);
      void this.#begin().then((state) => {
        outcome.next(state);
        outcome.complete();
      });
    }
    return this.#begun;
  }

  /** Ends it for good. Resolves when its process is gone, or its session deleted; never rejects. Idempotent. */
  stop(): Promise<void> {
    if (this.#state.status !== 'stopped') {
      this.#end({ status: 'stopped', restarts: this.#state.restarts });
    }
    return this.#ended ?? Promise.resolve();
  }

  async #begin(): Promise<ManagedState> {
    if (this.#phase === 'before') {
      this.#phase = 'first';
      this.#set({ status: 'starting', restarts: 0 });
    }
    // Who heard of that may have stopped it.
    if (this.#phase === 'first') {
      this.#following.add(
        this.#client.state$.subscribe({
          next: (state) => {
            this.#follow(state);
          },
          error: () => undefined,
        }),
      );
      try {
        await firstValueFrom(this.#first(), { defaultValue: undefined });
      } catch (error) {
        this.#fail(error);
      }
    }
    // What has failed leaves nothing.
    await this.#ended;
    return this.#state;
  }

  #first(): Observable<unknown> {
    const { startupTimeoutMs: timeoutMs } = this.#terms;
    return this.#client.server(UNTIMED).pipe(
      concatMap(() => this.#client.listTools(UNTIMED)),
      firstWithin(timeoutMs, this.#gate.connector.waits$, () => lateStart(timeoutMs)),
      tap((list) => {
        this.#listed(list);
        this.#phase = 'running';
        this.#up();
      }),
      takeUntil(this.#halted),
    );
  }

  #follow({ status, error }: ConnectionState): void {
    if (status === 'connected') {
      if (this.#phase === 'running') this.#up();
      this.#hasConnected = true;
    }
    if (status !== 'failed') return;
    if (this.#phase === 'running') this.#died(error);
    // A start is one try, whatever its calls would repeat; but the probe may need another process.
    else if (this.#hasConnected) this.#gate.bar(asMcpError(error));
  }

  #up(): void {
    this.#attempt.unsubscribe();
    this.#isBack = true;
    this.#client.server().subscribe({
      next: (server) => {
        this.#server = server;
      },
      error: () => undefined,
    });
    this.#set({ status: 'connected', restarts: this.#state.restarts });
  }

  #died(reported: unknown): void {
    this.#attempt.unsubscribe();
    // Of a wire that was given up the client may only know that it is closed.
    const error = this.#late ?? reported;
    this.#late = undefined;
    const { maxRestarts, restartWindowMs, startupTimeoutMs } = this.#terms;
    const now = asyncScheduler.now();
    // One that did not come back has not recovered, however long its starts took.
    const counted = this.#isBack ? this.#deaths.filter((at) => now - at < restartWindowMs) : this.#deaths;
    this.#deaths = [...counted, now];
    this.#isBack = false;
    if (this.#deaths.length === 1) this.#backoff.succeeded();
    if (this.#deaths.length > maxRestarts) {
      const seconds = Math.ceil((now - (this.#deaths[0] ?? now)) / 1_000);
      const often = `it was lost ${this.#deaths.length} times within ${seconds} s, and is not started again`;
      this.#fail(error, this.#deaths.length > 1 ? often : undefined);
      return;
    }
    const delayMs = this.#backoff.nextMs();
    this.#gate.holdFor(delayMs);
    const reason = this.#explain(error);
    this.#set({ status: 'starting', reason, error, restarts: this.#state.restarts + 1 });
    if (this.#phase !== 'running') return;
    const late$ = timer(delayMs + startupTimeoutMs).pipe(
      tap(() => {
        this.#late = lateStart(startupTimeoutMs);
        this.#gate.abandon(this.#late);
      }),
    );
    // Not before everybody has heard of the death. How it ends is told by the state of the client.
    const again$ = this.#client.server(UNTIMED).pipe(subscribeOn(asapScheduler));
    this.#attempt = merge(late$, again$).subscribe({ error: () => undefined });
  }

  #fail(error: unknown, also?: string): void {
    if (this.#phase === 'over') return;
    this.#gate.bar(asMcpError(error));
    const reason = [this.#explain(error), ...(also === undefined ? [] : [also])].join('; ');
    this.#end({ status: 'failed', reason, error, restarts: this.#state.restarts });
  }

  #end(state: ManagedState): void {
    this.#phase = 'over';
    this.#attempt.unsubscribe();
    this.#following.unsubscribe();
    // In a turn of its own: calls in flight are still being told how the wire ended.
    this.#ended ??= Promise.resolve().then(() => this.#client.close());
    this.#set(state);
    this.#halted.next();
  }

  /** Whoever hears of a state may bring about another one: that is told when everybody has heard of the first. */
  #set(state: ManagedState): void {
    this.#state = state;
    this.#untold.push(state);
    if (this.#untold.length > 1) return;
    for (let next: ManagedState | undefined = state; next !== undefined; next = this.#untold[0]) {
      this.#states.next(next);
      if (next.status === 'stopped') this.#states.complete();
      this.#untold.shift();
    }
  }
}
