import { asyncScheduler, defer, map, type Observable, ReplaySubject, type SchedulerLike, tap } from 'rxjs';
import { OptionError, reasonText } from '../../errors/index.js';
import { isObject, type Inbound, type JsonRpcFailure, type Outbound, type RequestId } from '../../jsonrpc/index.js';
import { jsonCopy } from '../../jsonrpc/json-copy.js';
import { callback, type Check, checkOptions } from '../../jsonrpc/checks.js';
import { LONGEST_MS } from '../../rx/index.js';
import type { Connector, SendHints, Transport, WireForm } from '../../transport/index.js';
import { noWire } from '../../transport/no-wire.js';
import { textOf } from '../text-of.js';
import { isFailure, readFailure, type RecordedFailure, writtenFailure } from './failures.js';
import { messageOf, type RecordedLine, type WireTerms } from './lines.js';
import { redactValue } from './redact.js';
import { Sent } from './sent.js';

/** Options of {@link record}. An unknown one is an `OptionError` that names it. */
export interface RecordOptions {
  /**
   * Takes more out of a message before it is written down, after texts that look like secrets, and texts and numbers of members named like
   * one, have become `[redacted]`. Gets a copy, of a failure of the wire one as a JSON-RPC error whose `data` it is; returns a message. What it
   * throws is the wire's error, and so is an `OptionError` where it returns something else. Default: nothing more.
   */
  readonly redact?: ((message: unknown) => unknown) | undefined;
  /** Told of each line as it is written. What it throws is the wire's error. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Whose time is written down. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** What was said on a wire so far. */
export interface Recording {
  /** Lines of JSON, in order, of all lives of the wire: a new array each time. */
  readonly lines: readonly string[];
  /** The same, those so far and then each as it is written. Never completes, never errors. */
  readonly lines$: Observable<string>;
}

const CHECKS: Readonly<Record<keyof RecordOptions, Check>> = {
  redact: callback,
  onLine: callback,
  scheduler: (value, name) => {
    if (!isObject(value) || typeof value['schedule'] !== 'function')
      throw new OptionError(name, 'give a scheduler of rxjs');
  },
};

type Untimed<Line> = Line extends unknown ? Omit<Line, 'at' | 'life'> : never;
type Said = Untimed<RecordedLine>;

/** A failure, as a message that is given to `redact`. */
const FAILED = { jsonrpc: '2.0', code: -32_000 } as const;

class Recorder implements Recording {
  readonly #options: RecordOptions;
  readonly #scheduler: SchedulerLike;
  readonly #lines: string[] = [];
  readonly #told = new ReplaySubject<string>(Number.POSITIVE_INFINITY);
  readonly #sent = new Sent();
  #lives = 0;
  #clock: number;
  #at = 0;

  readonly lines$ = this.#told.asObservable();

  constructor(options: RecordOptions) {
    checkOptions(options, CHECKS, 'options');
    this.#options = options;
    this.#scheduler = options.scheduler ?? asyncScheduler;
    this.#clock = this.#scheduler.now();
  }

  get lines(): readonly string[] {
    return [...this.#lines];
  }

  follow(wire: object): void {
    this.#sent.follow(wire);
  }

  begin(): number {
    this.#lives += 1;
    return this.#lives;
  }

  write(life: number, said: Said): void {
    // Clocks may be put back, and a step that no timer takes is from real time into virtual time, or out of it: none of it passed.
    const now = this.#scheduler.now();
    const step = now - this.#clock;
    this.#clock = now;
    if (step > 0 && step <= LONGEST_MS) this.#at += step;
    const line = textOf({
      life,
      at: this.#at,
      ...('message' in said ? { ...said, message: this.#clean(redactValue(said.message, this.#sent.without)) } : said),
    });
    this.#lines.push(line);
    this.#told.next(line);
    this.#options.onLine?.(line);
  }

  /** A failure without secrets, those included that only the user knows. */
  failureOf(reason: unknown): RecordedFailure {
    const data = writtenFailure(reason, this.#sent.without);
    if (this.#options.redact === undefined) return data;
    const { jsonrpc, code } = FAILED;
    const { error } = this.#clean({ jsonrpc, error: { code, message: data.message, data } }) as JsonRpcFailure;
    return isFailure(error.data) ? error.data : { name: data.name, message: error.message };
  }

  #clean(message: unknown): unknown {
    const { redact } = this.#options;
    if (redact === undefined) return message;
    const clean = redact(message);
    if (messageOf(clean) === undefined)
      throw new OptionError('redact', 'return the message, as one that can be replayed');
    return clean;
  }
}

/** A message as it is on the wire; `undefined` where there is no JSON for it, which the wire is left to say. */
const onTheWire = (message: Outbound): Outbound | undefined => {
  try {
    return jsonCopy(message) as Outbound;
  } catch {
    return undefined;
  }
};

/** An error that a transport made itself is no JSON. */
const plain = (message: Inbound): object => {
  if (!('invalid' in message)) return message;
  const { invalid, excerpt, id, error } = message;
  return { invalid, excerpt, id, ...(error === undefined ? undefined : { error: writtenFailure(error) }) };
};

/** One life of a wire that is being recorded. */
class RecordedTransport implements Transport {
  readonly #inner: Transport;
  readonly #recorder: Recorder;
  readonly #life: number;
  /** What was asked, and has had no answer since, failed, or been taken back. */
  readonly #open = new Set<unknown>();
  #ended = false;

  readonly cancelBy: 'notice' | 'hang-up';
  readonly mirrorsHeaders: boolean;
  readonly stderr$: Observable<string> | undefined;
  readonly warnings$: Observable<string> | undefined;
  readonly inbound$: Observable<Inbound>;

  constructor(inner: Transport, recorder: Recorder, terms: WireTerms = {}) {
    this.#inner = inner;
    this.#recorder = recorder;
    this.#life = recorder.begin();
    this.cancelBy = inner.cancelBy;
    this.mirrorsHeaders = inner.mirrorsHeaders;
    this.stderr$ = inner.stderr$;
    this.warnings$ = inner.warnings$;
    const { cancelBy, mirrorsHeaders } = inner;
    recorder.write(this.#life, { kind: 'open', cancelBy, mirrorsHeaders, ...terms });
    this.inbound$ = defer(() => inner.inbound$).pipe(
      tap({
        next: (message) => {
          if (!this.#ended) this.#recorder.write(this.#life, this.#received(message));
        },
        error: (reason: unknown) => {
          this.#end({ reason });
        },
        complete: () => {
          this.#end();
        },
      }),
    );
  }

  get alive(): boolean {
    return this.#inner.alive;
  }

  channelOf(message: Inbound): RequestId | undefined {
    return this.#inner.channelOf?.(message);
  }

  send(message: Outbound, hints?: SendHints): Observable<never> {
    return defer(() => {
      const sent = this.#inner.alive && !this.#ended ? onTheWire(message) : undefined;
      if (sent === undefined) return this.#inner.send(message, hints);
      this.#sending(sent);
      this.#recorder.write(this.#life, { kind: 'out', message: sent });
      return defer(() => this.#inner.send(message, hints)).pipe(
        tap({
          error: (reason: unknown) => {
            this.#failed(sent, reason);
          },
        }),
      );
    });
  }

  async close(): Promise<void> {
    this.#end();
    await this.#inner.close();
  }

  #sending(message: Outbound): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#open.add(message.id);
    else if (message.method === 'notifications/cancelled') this.#open.delete(message.params?.['requestId']);
  }

  #received(message: Inbound): Said {
    if (!('method' in message)) this.#open.delete(message.id);
    const on = this.#inner.channelOf?.(message);
    return { kind: 'in', message: plain(message) as Inbound, ...(on === undefined ? undefined : { on }) };
  }

  #failed(message: Outbound, reason: unknown): void {
    if (this.#ended) return;
    const id = 'id' in message ? { id: message.id } : undefined;
    if (id !== undefined && 'method' in message) this.#open.delete(id.id);
    const method = 'method' in message ? { method: message.method } : undefined;
    this.#recorder.write(this.#life, { kind: 'fail', ...id, ...method, error: this.#recorder.failureOf(reason) });
  }

  #end(failed?: { readonly reason: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    if (failed === undefined) {
      const unanswered = [...this.#open] as RequestId[];
      this.#recorder.write(this.#life, { kind: 'end', ...(unanswered.length === 0 ? undefined : { unanswered }) });
      return;
    }
    const error = this.#recorder.failureOf(failed.reason);
    this.#recorder.write(this.#life, { kind: 'end', reason: reasonText(readFailure(error)), error });
  }
}

/** Opens a life of a connector; that it could not be opened is written down as well. */
const opening = (recorder: Recorder, connector: Connector, form: WireForm | undefined): Observable<Transport> =>
  defer(() => {
    const { forms, retry } = connector;
    const terms = { ...(forms === true ? { forms } : undefined), ...(retry === undefined ? undefined : { retry }) };
    let isOpen = false;
    return connector(form).pipe(
      map((transport) => {
        isOpen = true;
        return new RecordedTransport(transport, recorder, terms);
      }),
      tap({
        error: (reason: unknown) => {
          if (isOpen) return;
          recorder.write(recorder.begin(), { kind: 'unopened', ...terms, error: recorder.failureOf(reason) });
        },
      }),
    );
  });

/** {@link record}, in its two forms. */
export interface MakeRecording {
  (wire: Transport, options?: RecordOptions): Transport & Recording;
  (wire: Connector, options?: RecordOptions): Connector & Recording;
}

const make = (wire: Connector | Transport, options: RecordOptions = {}): (Connector | Transport) & Recording => {
  const recorder = new Recorder(options);
  const asRecording = <T extends object>(recorded: T): T & Recording =>
    Object.defineProperties(recorded, {
      lines: { get: () => recorder.lines, configurable: true },
      lines$: { value: recorder.lines$, configurable: true },
    }) as T & Recording;
  if (typeof wire === 'function') {
    const connector: Connector = (form) => opening(recorder, wire, form);
    recorder.follow(wire);
    return asRecording(Object.assign(connector, wire));
  }
  const { inbound$, send } = (wire ?? {}) as Partial<Transport>;
  if (inbound$ === undefined || typeof send !== 'function') throw new OptionError('wire', noWire(wire));
  recorder.follow(wire);
  return asRecording(new RecordedTransport(wire, recorder));
};

/**
 * Writes down what is said on a wire, as lines of JSON with the time of each: of a transport it makes a transport, of a connector one
 * whose lives all go into the same recording. What looks like a secret is `[redacted]`; look through a recording all the same before
 * it is given away. {@link replay} plays it again. Nothing of the wire is changed. Throws `OptionError`.
 *
 * ```ts
 * const wire = record(scriptedTransport({ 'tools/list': { tools: [] } }));
 * const mcp = connect(wire);
 * await mcp.promises.listTools();
 * await mcp.close();
 * wire.lines; // '{"life":1,"at":0,"kind":"open",…}', …
 * ```
 */
export const record: MakeRecording = make as MakeRecording;
