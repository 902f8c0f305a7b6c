import {
  forkJoin,
  fromEvent,
  ignoreElements,
  concat,
  map,
  merge,
  race,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { Observable } from 'rxjs';
import type { Subscription } from 'rxjs';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ServerGoneError, TransportClosedError } from '../../errors/index.js';
import type { McpError } from '../../errors/index.js';
import { type Inbound, isInvalid, type Outbound } from '../../jsonrpc/index.js';
import type { Transport } from '../transport.js';
import { encodeLine, splitLines, toInbound } from '../framing/index.js';
import { Breather } from './breather.js';
import { Inbox } from '../inbox.js';
import { liveGroups } from './live-groups.js';
import { Outbox } from './outbox.js';
import { ProcessGroup } from './process-group.js';
import { StderrLog } from './stderr-log.js';
import { bytesOf, endOf } from './streams.js';

/** A child process that was started, with pipes for its three streams. */
export type StartedChild = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

/** What a {@link StdioTransport} has to know besides its child. */
export interface StdioSettings {
  /** The command, for the error when the server dies. */
  readonly command: string;
  /** Takes secrets out of what is told of the server. */
  readonly redact: (text: string) => string;
  /** How long each of the two grace periods of a close lasts, in milliseconds. */
  readonly killGraceMs: number;
  /** The largest message that is accepted, in bytes. */
  readonly maxMessageBytes: number;
  /** The failure for an error of a start that comes to light only afterwards, as on Windows. */
  readonly explain: (error: unknown) => McpError;
}

/** How long the output of a process that ended is waited for, in milliseconds. */
const DRAIN_MS = 100;

/**
 * One child process as a wire: a message a line on its stdin and stdout. Its life is `stdioConnector`'s to begin.
 *
 * The wire dies when the process ends, closes its stdout, or can no longer be written to. What it had written is
 * delivered first, for up to 100 ms; then `inbound$` errors once with `ServerGoneError`, and what is left of its process
 * group is ended as by {@link close}. MCP 2026-07-28 basic/transports, "stdio".
 */
export class StdioTransport implements Transport {
  readonly cancelBy = 'notice';
  readonly mirrorsHeaders = false;

  readonly #child: StartedChild;
  readonly #settings: StdioSettings;
  readonly #group: ProcessGroup;
  readonly #outbox: Outbox;
  readonly #inbox = new Inbox<Inbound>();
  readonly #log = new StderrLog();
  readonly #forget: () => void;
  readonly #watch: Subscription;
  #startFailure: unknown;
  #isAlive = true;
  #death: McpError | undefined;
  #ending: Promise<void> | undefined;

  /**
   * The lines of the server's stderr, hot and without replay; completes when the wire has died or `close()` is done, and
   * never errors. It is always read, whether somebody listens or not. A line over 64 KiB is cut.
   */
  readonly stderr$: Observable<string>;

  /**
   * @param child the process, started as the leader of a group of its own
   * @param settings what is needed besides
   */
  constructor(child: StartedChild, settings: StdioSettings) {
    this.#child = child;
    this.#settings = settings;
    this.stderr$ = this.#log.lines$.pipe(map(settings.redact));
    this.#group = new ProcessGroup(child);
    this.#outbox = new Outbox(child.stdin);
    this.#forget = liveGroups.add(this.#group);
    // A pipe's error is the death of the wire, which is noticed below; unheard it would end this process.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') this.#startFailure = error;
    });
    this.#read();
    this.#watch = this.#watchForDeath();
  }

  /**
   * Every message of the server, synchronously with the bytes that end its line; buffers until its one subscriber is
   * there. Completes at `close()`; errors once, with `ServerGoneError` (or `SpawnFailedError`, where it turns out late
   * that the command does not exist). Unsubscribing closes nothing: further messages are dropped.
   */
  get inbound$(): Observable<Inbound> {
    return this.#inbox.stream$;
  }

  /** The id of the process, and of the group it leads. */
  get pid(): number {
    return this.#child.pid;
  }

  /** True until `close()`, or the first sign of the wire's death. */
  get alive(): boolean {
    return this.#isAlive;
  }

  /**
   * Cold: subscribing writes the message, together with the others of the same tick. Emits nothing; completes when it
   * was flushed. Errors with `TransportClosedError` when the wire is not alive or is closed before that, with the
   * death's error when the server dies before that, with `OptionError` when it cannot be written as JSON.
   * Unsubscribing does not take a message back.
   */
  send(message: Outbound): Observable<never> {
    return new Observable<never>((sender) => {
      if (this.#isAlive) this.#outbox.add(encodeLine(message), sender);
      else sender.error(this.#closedError());
    });
  }

  /**
   * Ends the server: its stdin is ended, after `killGraceMs` its process group gets SIGTERM, after as long again SIGKILL
   * (Windows: `taskkill /T /F`). A process of the group that outlives a server which ended by itself is ended too; one
   * that left the group is out of reach. `inbound$` completes at once and unflushed messages error with
   * `TransportClosedError`. Idempotent; resolves within 2 x `killGraceMs` + 500 ms, never rejects.
   */
  close(): Promise<void> {
    if (this.#ending !== undefined) return this.#ending;
    this.#isAlive = false;
    this.#watch.unsubscribe();
    const ending = this.#finish(concat(this.#group.end(this.#settings.killGraceMs), this.#lastOutput$()));
    this.#outbox.end(this.#closedError());
    this.#inbox.complete();
    return ending;
  }

  /** Ends the server and what it started before it returns, without grace; the wire then dies as by any other death. */
  killNow(): void {
    this.#group.killNow();
  }

  #read(): void {
    const { stdout, stderr } = this.#child;
    const breather = new Breather(stdout);
    bytesOf(stdout)
      .pipe(splitLines({ maxBytes: this.#settings.maxMessageBytes }), toInbound())
      .subscribe({
        next: (message) => {
          this.#inbox.next(message);
          breather.count(isInvalid(message));
        },
        error: (reason: unknown) => this.#inbox.error(reason),
      });
    bytesOf(stderr).subscribe({
      next: (chunk) => this.#log.push(chunk),
      error: () => this.#log.complete(),
    });
  }

  #watchForDeath(): Subscription {
    const { stdin, stdout, stderr } = this.#child;
    const settled$ = forkJoin([this.#group.exited$, endOf(stdout), endOf(stderr)]);
    // The second timer lets one more round of reading pass, should a consumer have blocked the loop for the first.
    const waited$ = timer(DRAIN_MS).pipe(switchMap(() => timer(0)));
    return merge(this.#group.exited$, endOf(stdout), fromEvent(stdin, 'error'))
      .pipe(
        take(1),
        tap(() => {
          this.#isAlive = false;
        }),
        switchMap(() => race(settled$, waited$)),
        tap(() => this.#destroyStreams()),
        // The last line may lack its end: it is delivered when the stream is closed.
        switchMap(() => endOf(stdout)),
      )
      .subscribe({ next: () => this.#die(), error: () => this.#die() });
  }

  #die(): void {
    const exit = this.#group.exit;
    const { command, redact, explain, killGraceMs } = this.#settings;
    const death =
      this.#startFailure === undefined
        ? new ServerGoneError(exit?.code ?? null, exit?.signal ?? null, redact(command), redact(this.#log.tail()))
        : explain(this.#startFailure);
    this.#death = death;
    void this.#finish(this.#group.terminate(killGraceMs));
    this.#log.complete();
    this.#outbox.fail(death);
    this.#inbox.error(death);
  }

  #finish(end$: Observable<never>): Promise<void> {
    this.#ending = new Promise((resolve) => {
      const done = (): void => {
        this.#forget();
        this.#destroyStreams();
        this.#log.complete();
        resolve();
      };
      end$.subscribe({ error: done, complete: done });
    });
    return this.#ending;
  }

  /** What a process that ended had written; not waited for long, since one outside the group may hold a pipe open. */
  #lastOutput$(): Observable<never> {
    return forkJoin([endOf(this.#child.stdout), endOf(this.#child.stderr)]).pipe(
      ignoreElements(),
      takeUntil(timer(DRAIN_MS)),
    );
  }

  #destroyStreams(): void {
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #closedError(): TransportClosedError {
    return this.#death === undefined
      ? new TransportClosedError()
      : new TransportClosedError(`the connection is closed: ${this.#death.message}`);
  }
}
