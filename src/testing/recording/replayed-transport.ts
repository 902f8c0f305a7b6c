import { Observable, ReplaySubject, type SchedulerLike, type Subscriber, Subscription, timer } from 'rxjs';
import { TransportClosedError, TransportError } from '../../errors/index.js';
import { CODES, type Inbound, type Outbound, type RequestId } from '../../jsonrpc/index.js';
import { jsonCopy } from '../../jsonrpc/json-copy.js';
import { LONGEST_MS } from '../../rx/index.js';
import type { Transport } from '../../transport/index.js';
import { notJson } from '../../transport/framing/encode-line.js';
import { Mailbox } from '../../transport/memory/mailbox.js';
import { readFailure } from './failures.js';
import type { RecordedLine } from './lines.js';
import { Names, tokenOf } from './matching.js';
import { type Life, type Lives, nextOpening, openingOf, passProbes } from './openings.js';
import { nameOf, strayText, waitText } from './strays.js';

/** How a recording is played. */
export interface Terms {
  readonly keepTimes: boolean;
  readonly scheduler: SchedulerLike;
}

type Line<K> = Extract<RecordedLine, { kind: K }>;

/** A message that was sent, and whose end the recording has yet to tell. */
interface Waiting {
  readonly sent: Outbound;
  readonly recorded: Outbound;
  readonly subscriber: Subscriber<never>;
}

/** Requests that are answered when what they opened ends. */
const LASTING: ReadonlySet<string> = new Set(['subscriptions/listen']);

/** How much longer than then a message of the client is waited for, before its silence is told, in ms. */
const PATIENCE = 1_000;

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
const byItself = ({ reason, error }: Line<'end'>): boolean => reason !== undefined || error !== undefined;

/** One life of a recording, played. */
export class ReplayedTransport implements Transport {
  readonly #inbox = new Mailbox();
  readonly #names = new Names();
  readonly #lives: Lives;
  readonly #terms: Terms;
  readonly #waiting = new Subscription();
  readonly #warnings = new ReplaySubject<string>(Number.POSITIVE_INFINITY);
  /** The messages of the client that were played. */
  readonly #gone: Outbound[] = [];
  /** What it asked, by the recorded id, and has had no answer to. */
  readonly #asked = new Map<RequestId, Outbound>();
  readonly #missed = new WeakSet<Line<'out'>>();
  readonly #open = new Set<Waiting>();
  readonly #cameOn = new WeakMap<Inbound, RequestId>();
  /** How it ended; nothing where whoever recorded it did not get to its end. */
  #end: Line<'end'> | undefined;
  #life: Life;
  #left: RecordedLine[];
  #before: number;
  #stalled = Subscription.EMPTY;
  #refused = false;
  #playing = false;
  #timed = false;
  #alive = true;

  readonly cancelBy: 'notice' | 'hang-up';
  readonly mirrorsHeaders: boolean;
  readonly warnings$ = this.#warnings.asObservable();
  readonly inbound$: Observable<Inbound> = this.#inbox.messages$;

  constructor(life: Life & { readonly open: Line<'open'> }, lives: Lives, terms: Terms, warning?: string) {
    this.cancelBy = life.open.cancelBy;
    this.mirrorsHeaders = life.open.mirrorsHeaders;
    this.#lives = lives;
    this.#terms = terms;
    this.#life = life;
    this.#left = life.left;
    this.#before = life.open.at;
    this.#end = this.#left.find((line) => line.kind === 'end');
    if (warning !== undefined) this.#warnings.next(warning);
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
      if (this.#isRefused(sent)) {
        subscriber.complete();
        return;
      }
      const place = this.#left.findIndex((line) => line.kind === 'out' && this.#names.fits(sent, line.message));
      const line = this.#left[place];
      if (line?.kind === 'out') {
        this.#names.learn(sent, line.message);
        this.#left.splice(place, 1);
        this.#take(sent, line.message);
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
    if (this.#alive && this.#refused && this.#gone.length === 0) this.#lives.giveBack(this.#life);
    const [next] = this.#left;
    // The end by the client is the last line of its life.
    if (next?.kind === 'end' && !byItself(next)) this.#left.shift();
    this.#finish();
    return Promise.resolve();
  }

  #take(sent: Outbound, recorded: Outbound): void {
    this.#gone.push(recorded);
    if (!('method' in recorded)) return;
    if ('id' in recorded && !LASTING.has(recorded.method)) this.#asked.set(recorded.id, sent);
    if (recorded.method === 'notifications/cancelled') this.#asked.delete(recorded.params?.['requestId'] as RequestId);
  }

  #stray(sent: Outbound): string {
    const left = this.#left.flatMap((line) => (line.kind === 'out' ? [line.message] : []));
    return strayText(sent, { left, gone: this.#gone, endsHere: this.#end === undefined && this.#left.length === 0 });
  }

  /**
   * Whether the client opens the life as the recorded one did not, which knew more or less of the era: it is refused as by a server of the
   * other one. Where the recorded one went on like this, after a probe or in a life behind it, what came before is passed over.
   */
  #isRefused(sent: Outbound): boolean {
    const opening = openingOf(sent);
    if (opening === undefined || nextOpening(this.#left) === opening) return false;
    const life = this.#gone.length === 0 ? this.#lives.takeInstead(this.#life, opening) : undefined;
    if (life !== undefined) this.#goOnWith(life);
    if (opening === 'initialize') passProbes(this.#left);
    const next = nextOpening(this.#left);
    if (next === undefined || next === opening || !('id' in sent)) return false;
    this.#refused = true;
    const error = { code: CODES.methodNotFound, message: 'Method not found' };
    this.#inbox.put([{ jsonrpc: '2.0', id: sent.id, error }]);
    return true;
  }

  #goOnWith(life: Life): void {
    this.#life = life;
    this.#left = life.left;
    this.#before = life.open.at;
    this.#end = this.#left.find((line) => line.kind === 'end');
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
    this.#stalled.unsubscribe();
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
    const [next] = this.#left;
    if (next?.kind === 'out' && this.#alive) this.#missAfterAll(next);
  }

  /** Tells, once the client has been silent for longer than the recorded one was, that an answer waits for what it has not sent. */
  #missAfterAll(next: Line<'out'>): void {
    if (this.#asked.size === 0 || this.#missed.has(next)) return;
    const answer = this.#left.find(
      (line) => line.kind === 'in' && !('method' in line.message) && this.#asked.has(line.message.id as RequestId),
    );
    const waiting = answer?.kind === 'in' && 'id' in answer.message && this.#asked.get(answer.message.id as RequestId);
    if (waiting === undefined || waiting === false) return;
    const ms = Math.min(LONGEST_MS, Math.max(0, next.at - this.#before) + PATIENCE);
    this.#stalled = timer(ms, this.#terms.scheduler).subscribe({
      next: () => {
        this.#missed.add(next);
        this.#warnings.next(waitText(waiting, next.message));
      },
      error: () => undefined,
    });
  }

  #hear({ message, on }: Extract<RecordedLine, { kind: 'in' }>): void {
    if (!('method' in message) && message.id !== undefined) this.#asked.delete(message.id);
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
    this.#stalled.unsubscribe();
    this.#warnings.complete();
    this.#inbox.end(end);
  }
}
