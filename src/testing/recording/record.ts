import { asyncScheduler, defer, map, type Observable, ReplaySubject, type SchedulerLike, tap } from 'rxjs';
import { OptionError, reasonText } from '../../errors/index.js';
import { isObject, type Inbound, type Outbound, type RequestId } from '../../jsonrpc/index.js';
import { callback, type Check, checkOptions } from '../../jsonrpc/checks.js';
import type { Connector, SendHints, Transport } from '../../transport/index.js';
import { textOf } from '../text-of.js';
import type { RecordedLine } from './lines.js';
import { redactText } from './redact-text.js';
import { redactValue } from './redact.js';

/** Options of {@link record}. An unknown one is an `OptionError` that names it. */
export interface RecordOptions {
  /**
   * Takes more out of a message before it is written down, after texts that look like secrets, and texts of members named like one, have
   * become `[redacted]`. Gets a copy. Default: nothing more.
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

type Said =
  | Omit<Extract<RecordedLine, { kind: 'open' }>, 'at' | 'life'>
  | Omit<Extract<RecordedLine, { kind: 'in' }>, 'at' | 'life'>
  | Omit<Extract<RecordedLine, { kind: 'out' }>, 'at' | 'life'>
  | Omit<Extract<RecordedLine, { kind: 'end' }>, 'at' | 'life'>;

class Recorder implements Recording {
  readonly #options: RecordOptions;
  readonly #scheduler: SchedulerLike;
  readonly #began: number;
  readonly #lines: string[] = [];
  readonly #told = new ReplaySubject<string>(Number.POSITIVE_INFINITY);
  #lives = 0;

  readonly lines$ = this.#told.asObservable();

  constructor(options: RecordOptions) {
    checkOptions(options, CHECKS, 'options');
    this.#options = options;
    this.#scheduler = options.scheduler ?? asyncScheduler;
    this.#began = this.#scheduler.now();
  }

  get lines(): readonly string[] {
    return [...this.#lines];
  }

  begin(): number {
    this.#lives += 1;
    return this.#lives;
  }

  write(life: number, said: Said): void {
    const at = Math.max(0, this.#scheduler.now() - this.#began);
    const line = textOf({
      life,
      at,
      ...('message' in said ? { ...said, message: this.#clean(said.message) } : said),
    });
    this.#lines.push(line);
    this.#told.next(line);
    this.#options.onLine?.(line);
  }

  #clean(message: Inbound | Outbound): unknown {
    const clean = redactValue(message);
    const { redact } = this.#options;
    return redact === undefined ? clean : redact(clean);
  }
}

/** One life of a wire that is being recorded. */
class RecordedTransport implements Transport {
  readonly #inner: Transport;
  readonly #recorder: Recorder;
  readonly #life: number;
  #ended = false;

  readonly cancelBy: 'notice' | 'hang-up';
  readonly mirrorsHeaders: boolean;
  readonly stderr$: Observable<string> | undefined;
  readonly warnings$: Observable<string> | undefined;
  readonly inbound$: Observable<Inbound>;

  constructor(inner: Transport, recorder: Recorder) {
    this.#inner = inner;
    this.#recorder = recorder;
    this.#life = recorder.begin();
    this.cancelBy = inner.cancelBy;
    this.mirrorsHeaders = inner.mirrorsHeaders;
    this.stderr$ = inner.stderr$;
    this.warnings$ = inner.warnings$;
    const { cancelBy, mirrorsHeaders } = inner;
    recorder.write(this.#life, { kind: 'open', cancelBy, mirrorsHeaders });
    this.inbound$ = defer(() => inner.inbound$).pipe(
      tap({
        next: (message) => {
          // An error that a transport made itself is no JSON; what it says is in the text.
          const plain =
            'invalid' in message ? { invalid: message.invalid, excerpt: message.excerpt, id: message.id } : message;
          recorder.write(this.#life, { kind: 'in', message: plain });
        },
        error: (reason: unknown) => {
          this.#end(redactText(reasonText(reason)));
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
      if (this.#inner.alive) this.#recorder.write(this.#life, { kind: 'out', message });
      return this.#inner.send(message, hints);
    });
  }

  async close(): Promise<void> {
    this.#end();
    await this.#inner.close();
  }

  #end(reason?: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#recorder.write(this.#life, reason === undefined ? { kind: 'end' } : { kind: 'end', reason });
  }
}

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
    const connector: Connector = (form) =>
      wire(form).pipe(map((transport) => new RecordedTransport(transport, recorder)));
    return asRecording(Object.assign(connector, wire));
  }
  const { inbound$, send } = (wire ?? {}) as Partial<Transport>;
  if (inbound$ === undefined || typeof send !== 'function')
    throw new OptionError('wire', 'give a Transport or a Connector');
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
