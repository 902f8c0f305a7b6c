import { asyncScheduler, Observable, type SchedulerLike, Subscription, timer } from 'rxjs';
import { OptionError, TransportClosedError, TransportError } from '../../errors/index.js';
import { isObject, type Inbound, type Outbound } from '../../jsonrpc/index.js';
import { boolean, type Check, checkOptions } from '../../jsonrpc/checks.js';
import type { Connector, Transport } from '../../transport/index.js';
import { Mailbox } from '../../transport/memory/mailbox.js';
import { readLines, type RecordedLine } from './lines.js';
import { Names } from './matching.js';

/** Options of {@link replay}. An unknown one is an `OptionError` that names it. */
export interface ReplayOptions {
  /** Whether the server takes the time it took. Default true; false: none. */
  readonly keepTimes?: boolean | undefined;
  /** Whose time that is. Default `asyncScheduler`, which `TestScheduler` makes virtual. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** A recording as a server; {@link replay} makes one. */
export interface Replay extends Connector {
  /** What has not been played yet, of all lives: nothing, where the client has done all that was recorded. A new array each time. */
  readonly remaining: readonly RecordedLine[];
}

const CHECKS: Readonly<Record<keyof ReplayOptions, Check>> = {
  keepTimes: boolean,
  scheduler: (value, name) => {
    if (!isObject(value) || typeof value['schedule'] !== 'function')
      throw new OptionError(name, 'give a scheduler of rxjs');
  },
};

type Terms = { readonly keepTimes: boolean; readonly scheduler: SchedulerLike };
type OpenLine = Extract<RecordedLine, { kind: 'open' }>;

const nameOf = (message: Outbound): string => ('method' in message ? message.method : 'an answer');

/** One life of a recording, played. */
class ReplayedTransport implements Transport {
  readonly #inbox = new Mailbox();
  readonly #names = new Names();
  readonly #left: RecordedLine[];
  readonly #terms: Terms;
  readonly #waiting = new Subscription();
  #before: number;
  #playing = false;
  #timed = false;
  #alive = true;

  readonly cancelBy: 'notice' | 'hang-up';
  readonly mirrorsHeaders: boolean;
  readonly inbound$: Observable<Inbound> = this.#inbox.messages$;

  constructor(open: OpenLine, left: RecordedLine[], terms: Terms) {
    this.cancelBy = open.cancelBy;
    this.mirrorsHeaders = open.mirrorsHeaders;
    this.#left = left;
    this.#terms = terms;
    this.#before = open.at;
    this.#play();
  }

  get alive(): boolean {
    return this.#alive;
  }

  send(message: Outbound): Observable<never> {
    return new Observable<never>((subscriber) => {
      if (!this.#alive) {
        subscriber.error(new TransportClosedError());
        return;
      }
      const place = this.#left.findIndex((line) => line.kind === 'out' && this.#names.fits(message, line.message));
      const line = this.#left[place];
      if (line?.kind === 'out') {
        this.#names.learn(message, line.message);
        this.#left.splice(place, 1);
        if (place === 0) this.#before = line.at;
        this.#play();
      } else if ('method' in message && 'id' in message) {
        subscriber.error(new TransportError(new Error(this.#stray(message)), 'the recording'));
        return;
      }
      // What wants no answer, and was not recorded, changes nothing.
      subscriber.complete();
    });
  }

  close(): Promise<void> {
    const [next] = this.#left;
    // The end by the client is the last line of its life.
    if (next?.kind === 'end' && next.reason === undefined) this.#left.shift();
    this.#finish();
    return Promise.resolve();
  }

  #stray(message: Outbound): string {
    const next = this.#left.find(({ kind }) => kind === 'out');
    const goesOn =
      next?.kind === 'out' ? `it goes on with ${nameOf(next.message)}` : 'it goes on with no message of the client';
    return `the client sent ${nameOf(message)}, which was not recorded here: ${goesOn}`;
  }

  /** Plays on until it is the client's turn, or time has to pass. What is sent meanwhile is played by the same loop. */
  #play(): void {
    if (this.#playing || this.#timed) return;
    this.#playing = true;
    for (let [line] = this.#left; line !== undefined && this.#alive; [line] = this.#left) {
      if (line.kind === 'out' || line.kind === 'open' || (line.kind === 'end' && line.reason === undefined)) break;
      const ms = Math.max(0, line.at - this.#before);
      this.#before = line.at;
      if (ms > 0 && this.#terms.keepTimes) {
        this.#wait(ms);
        break;
      }
      this.#left.shift();
      if (line.kind === 'in') this.#inbox.put([this.#names.translated(line.message)]);
      else this.#finish({ reason: new TransportError(new Error(line.reason), 'the recorded wire') });
    }
    this.#playing = false;
  }

  #wait(ms: number): void {
    this.#timed = true;
    this.#waiting.add(
      timer(ms, this.#terms.scheduler).subscribe({
        next: () => {
          this.#timed = false;
          this.#play();
        },
        error: () => undefined,
      }),
    );
  }

  #finish(end?: { readonly reason: unknown }): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#waiting.unsubscribe();
    this.#inbox.end(end);
  }
}

/**
 * Plays a recording to a client that does what was done when it was made: a connector whose lives are those of the recording. The server says
 * what it said, in order, when the client has said what it had said before that, and after as long as it took then; ids and progress tokens
 * are the client's own. Messages of the client are told by method and params, apart from `_meta`, from who it says it is, and from what was
 * redacted; several that were sent at once may come in another order. A request that was not recorded errors with a `TransportError` that
 * names it, a life that was not recorded with one that says so. Takes lines or their text; throws an `OptionError` for one that is none.
 *
 * ```ts
 * const server = replay(lines);
 * const mcp = connect(server);
 * await mcp.promises.listTools(); // what it was then
 * server.remaining; // what is yet to come
 * ```
 */
export const replay = (lines: readonly string[] | string, options: ReplayOptions = {}): Replay => {
  checkOptions(options, CHECKS, 'options');
  const { keepTimes = true, scheduler = asyncScheduler } = options;
  const lives: RecordedLine[][] = [];
  for (const line of readLines(lines)) (lives[line.life - 1] ??= []).push(line);
  let played = 0;
  const connector = (): Observable<Transport> =>
    new Observable((subscriber) => {
      const life = lives[played];
      const open = life?.[0];
      played += 1;
      if (life === undefined || open?.kind !== 'open') {
        subscriber.error(new TransportError(new Error(`it has no life ${played}`), 'the recording'));
        return undefined;
      }
      life.shift();
      const transport = new ReplayedTransport(open, life, { keepTimes, scheduler });
      subscriber.next(transport);
      return () => void transport.close();
    });
  return Object.defineProperty(connector, 'remaining', { get: () => lives.flat() }) as Replay;
};
