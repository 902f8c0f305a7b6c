import { asyncScheduler, Observable, of, type SchedulerLike, type Subscriber, Subscription, timer } from 'rxjs';
import { OptionError, TransportClosedError, TransportError } from '../../errors/index.js';
import { isObject, jsonCopy, type Inbound, type Outbound, type RequestId } from '../../jsonrpc/index.js';
import { boolean, type Check, checkOptions } from '../../jsonrpc/checks.js';
import type { Connector, Transport } from '../../transport/index.js';
import { notJson } from '../../transport/framing/encode-line.js';
import { Mailbox } from '../../transport/memory/mailbox.js';
import { LONGEST_MS } from '../../rx/index.js';
import { readFailure } from './failures.js';
import { readRecording, type RecordedLine } from './lines.js';
import { Names, tokenOf } from './matching.js';

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
type EndLine = Extract<RecordedLine, { kind: 'end' }>;
type OpenLine = Extract<RecordedLine, { kind: 'open' }>;

/** A message that was sent, and whose end the recording has yet to tell. */
interface Waiting {
  readonly sent: Outbound;
  readonly recorded: Outbound;
  readonly subscriber: Subscriber<never>;
}

const CUT_OFF = 'the recording ends in the middle of a line, which was left out';

/** Requests that are answered when what they opened ends. */
const LASTING: ReadonlySet<string> = new Set(['subscriptions/listen']);

const nameOf = (message: Outbound): string => ('method' in message ? message.method : 'an answer');

/** Whether a line is heard by who sent that: of its failure, or while it waits for the answer. */
const isAbout = (line: RecordedLine, sent: Outbound): boolean => {
  const id = 'id' in sent ? sent.id : undefined;
  if (line.kind === 'fail') return line.id === id && line.method === ('method' in sent ? sent.method : undefined);
  if (line.kind !== 'in' || id === undefined || !('method' in sent)) return false;
  const token = tokenOf(sent);
  const told = 'method' in line.message ? line.message.params?.['progressToken'] : undefined;
  return line.on === id || (token !== undefined && told === token);
};

/** Whether the wire ended by itself, and not by the client. */
const byItself = ({ reason, error }: EndLine): boolean => reason !== undefined || error !== undefined;

/** One life of a recording, played. */
class ReplayedTransport implements Transport {
  readonly #inbox = new Mailbox();
  readonly #names = new Names();
  readonly #left: RecordedLine[];
  readonly #terms: Terms;
  readonly #waiting = new Subscription();
  readonly #open = new Set<Waiting>();
  readonly #cameOn = new WeakMap<Inbound, RequestId>();
  /** How it ended; nothing where whoever recorded it did not get to its end. */
  readonly #end: EndLine | undefined;
  #before: number;
  #playing = false;
  #timed = false;
  #alive = true;

  readonly cancelBy: 'notice' | 'hang-up';
  readonly mirrorsHeaders: boolean;
  readonly warnings$: Observable<string> | undefined;
  readonly inbound$: Observable<Inbound> = this.#inbox.messages$;

  constructor(open: OpenLine, left: RecordedLine[], terms: Terms, warning?: string) {
    this.cancelBy = open.cancelBy;
    this.mirrorsHeaders = open.mirrorsHeaders;
    this.#left = left;
    this.#terms = terms;
    this.#before = open.at;
    this.#end = left.find((line) => line.kind === 'end');
    this.warnings$ = warning === undefined ? undefined : of(warning);
    this.#play();
  }

  get alive(): boolean {
    return this.#alive;
  }

  channelOf(message: Inbound): RequestId | undefined {
    return this.#cameOn.get(message);
  }

  send(message: Outbound): Observable<never> {
    return new Observable<never>((subscriber) => {
      if (!this.#alive) {
        subscriber.error(new TransportClosedError());
        return;
      }
      let sent: Outbound;
      try {
        // As it was recorded: what is no JSON became some.
        sent = jsonCopy(message) as Outbound;
      } catch (reason) {
        subscriber.error(notJson(reason));
        return;
      }
      const place = this.#left.findIndex((line) => line.kind === 'out' && this.#names.fits(sent, line.message));
      const line = this.#left[place];
      if (line?.kind === 'out') {
        this.#names.learn(sent, line.message);
        this.#left.splice(place, 1);
        if (place === 0) this.#before = line.at;
        const waiting = { sent, recorded: line.message, subscriber };
        const isOpen = this.#isOpen(line.message);
        if (isOpen) {
          this.#open.add(waiting);
          subscriber.add(() => this.#open.delete(waiting));
        }
        this.#play();
        if (isOpen) return;
      } else if ('method' in sent && 'id' in sent) {
        subscriber.error(new TransportError(new Error(this.#stray(sent)), 'the recording'));
        return;
      }
      // What wants no answer, and was not recorded, changes nothing.
      subscriber.complete();
    });
  }

  close(): Promise<void> {
    const [next] = this.#left;
    // The end by the client is the last line of its life.
    if (next?.kind === 'end' && !byItself(next)) this.#left.shift();
    this.#finish();
    return Promise.resolve();
  }

  #stray(message: Outbound): string {
    const next = this.#left.find(({ kind }) => kind === 'out');
    const goesOn =
      next?.kind === 'out'
        ? `it goes on with ${nameOf(next.message)}`
        : this.#end === undefined && this.#left.length === 0
          ? 'it ends here'
          : 'it goes on with no message of the client';
    return `the client sent ${nameOf(message)}, which was not recorded here: ${goesOn}`;
  }

  /** Whether a message has its end in a failure, or in that the recording has no answer to it. */
  #isOpen(recorded: Outbound): boolean {
    if (this.#left.some((line) => line.kind === 'fail' && isAbout(line, recorded))) return true;
    if (!('method' in recorded && 'id' in recorded) || LASTING.has(recorded.method)) return false;
    const { id } = recorded;
    // What the wire left unanswered ends with it, and what the client did is waited for as it was then.
    if (this.#end !== undefined && (byItself(this.#end) || this.#end.unanswered?.includes(id) === true)) return false;
    return !this.#left.some(
      ({ kind, message }: { kind: string; message?: Inbound | Outbound }) =>
        message !== undefined &&
        (kind === 'in'
          ? !('method' in message) && message.id === id
          : 'method' in message &&
            message.method === 'notifications/cancelled' &&
            message.params?.['requestId'] === id),
    );
  }

  #fail(line: Extract<RecordedLine, { kind: 'fail' }>): void {
    const failed = [...this.#open].find(({ recorded }) => isAbout(line, recorded));
    failed?.subscriber.error(readFailure(line.error));
  }

  /** Fails what has no answer in the recording, once nothing more of it is to be heard. */
  #failUnanswered(): void {
    for (const { sent, recorded, subscriber } of [...this.#open]) {
      if (this.#left.some((line) => isAbout(line, recorded))) continue;
      const said =
        this.#end === undefined
          ? `it ends here, before ${nameOf(sent)} was answered`
          : `it has no answer to ${nameOf(sent)}`;
      subscriber.error(new TransportError(new Error(said), 'the recording'));
    }
  }

  /** Plays on until it is the client's turn, or time has to pass. What is sent meanwhile is played by the same loop. */
  #play(): void {
    if (this.#playing || this.#timed) return;
    this.#playing = true;
    for (let [line] = this.#left; line !== undefined && this.#alive; [line] = this.#left) {
      if (line.kind === 'out' || (line.kind === 'end' && !byItself(line))) break;
      const ms = Math.min(LONGEST_MS, line.at - this.#before);
      this.#before += Math.max(0, ms);
      if (ms > 0 && this.#terms.keepTimes) {
        this.#wait(ms);
        break;
      }
      this.#left.shift();
      if (line.kind === 'in') this.#hear(line);
      else if (line.kind === 'fail') this.#fail(line);
      else if (line.kind === 'end') {
        const { error, reason } = line;
        const told = new TransportError(new Error(reason), 'the recorded wire');
        this.#finish({ reason: error === undefined ? told : readFailure(error) });
      }
    }
    this.#playing = false;
    this.#failUnanswered();
  }

  #hear({ message, on }: Extract<RecordedLine, { kind: 'in' }>): void {
    const translated = this.#names.translated(message);
    const channel = on === undefined ? undefined : this.#names.idOf(on);
    if (channel !== undefined) this.#cameOn.set(translated, channel);
    this.#inbox.put([translated]);
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
 * names it, a life that was not recorded with one that says so. What failed fails again, by an error of the same class. Where the recording
 * ends before its session did, or has no answer to a request that its client did not leave unanswered, that errors with a `TransportError`
 * that says so; half a line at the end of a text is left
 * out, which is a warning. Takes lines or their text; throws an `OptionError` for a line that is none or out of place.
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
  const { lines: read, isCutOff } = readRecording(lines);
  const lives: RecordedLine[][] = [];
  for (const line of read) (lives[line.life - 1] ??= []).push(line);
  const [first] = read;
  let played = 0;
  const connector = (): Observable<Transport> =>
    new Observable((subscriber) => {
      const life = lives[played];
      played += 1;
      const open = life?.shift();
      if (life === undefined || open === undefined) {
        subscriber.error(new TransportError(new Error(`it has no life ${played}`), 'the recording'));
        return undefined;
      }
      if (open.kind !== 'open') {
        subscriber.error(open.kind === 'unopened' ? readFailure(open.error) : new TransportClosedError());
        return undefined;
      }
      const warning = isCutOff && played === lives.length ? CUT_OFF : undefined;
      const transport = new ReplayedTransport(open, life, { keepTimes, scheduler }, warning);
      subscriber.next(transport);
      return () => void transport.close();
    });
  const { forms, retry } = first?.kind === 'open' || first?.kind === 'unopened' ? first : {};
  return Object.defineProperty(Object.assign(connector, { forms, retry }), 'remaining', {
    get: () => lives.flat(),
  }) as Replay;
};
