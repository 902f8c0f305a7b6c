import { asyncScheduler, type Observable } from 'rxjs';
import { excerptOf, reasonText } from '../errors/index.js';
import type { Inbound, JsonRpcNotification, Outbound, RequestId } from '../jsonrpc/index.js';
import { guarded } from '../rx/index.js';
import { Channel } from './channel.js';
import type { Warning, WarningKind } from './warnings.js';

/** A server's report on how far a call is. MCP 2026-07-28 basic/patterns/progress. */
export interface Progress {
  readonly requestId: RequestId;
  readonly progressToken: string | number;
  /** The method of the call it belongs to. */
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name?: string | undefined;
  /** The id of the model's tool call, where there is one. */
  readonly toolCallId?: string | undefined;
  /** How far it is: a finite number, which should grow with each report, and may be less than 0 or more than `total`. */
  readonly progress: number;
  /** What `progress` is out of, if the server knows: a finite number, which may be 0 or less. */
  readonly total?: number | undefined;
  /** Words for a person. */
  readonly message?: string | undefined;
}

/** The severities of RFC 5424, mildest first. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** A severity of RFC 5424. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A server's log message. MCP 2026-07-28 server/utilities/logging (deprecated there, and supported). */
export interface LogMessage {
  readonly level: LogLevel;
  readonly logger?: string | undefined;
  /** Any JSON value. */
  readonly data: unknown;
}

/** A notification as it came. */
export interface RawNotification {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** One frame of the wire, as it was written or read. */
export interface WireFrame {
  readonly direction: 'in' | 'out';
  readonly message: Inbound | Outbound;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The longest message of a warning. */
const LONGEST_WARNING = 1_000;

/** The callbacks an application may give beside the streams. */
export interface Callbacks {
  readonly onLog?: ((log: LogMessage) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onWarn?: ((warning: Warning) => void) | undefined;
}

/** Who hears of each notification. */
export interface NotificationListener {
  notified(notification: JsonRpcNotification): void;
}

const NO_CALLBACKS: Callbacks = {};

/** Those that somebody has looked at: a client has many, and most clients are never listened to. */
interface OpenChannels {
  notifications?: Channel<RawNotification>;
  progress?: Channel<Progress>;
  logs?: Channel<LogMessage>;
  warnings?: Channel<Warning>;
  stderr?: Channel<string>;
  wire?: Channel<WireFrame>;
}

/**
 * Everything a server says besides its answers, each kind on a stream of its own. The streams are hot,
 * without replay, outlive any number of connections, complete at `close()` and never error.
 */
export class Channels {
  #open: OpenChannels | undefined;
  readonly #callbacks: Callbacks;
  readonly #listener: NotificationListener | undefined;
  /** Of what there has been a warning that comes once. */
  #warned: Set<WarningKind> | undefined;
  #closed = false;

  /** @param listener told of each notification before anybody else */
  constructor(callbacks: Callbacks = NO_CALLBACKS, listener?: NotificationListener) {
    this.#callbacks = callbacks;
    this.#listener = listener;
  }

  get notifications$(): Observable<RawNotification> {
    return (this.#opened.notifications ??= this.#made<RawNotification>()).values$;
  }

  get progress$(): Observable<Progress> {
    return (this.#opened.progress ??= this.#made<Progress>()).values$;
  }

  get logs$(): Observable<LogMessage> {
    return (this.#opened.logs ??= this.#made<LogMessage>()).values$;
  }

  get warnings$(): Observable<Warning> {
    return (this.#opened.warnings ??= this.#made<Warning>()).values$;
  }

  get stderr$(): Observable<string> {
    return (this.#opened.stderr ??= this.#made<string>()).values$;
  }

  get wire$(): Observable<WireFrame> {
    return (this.#opened.wire ??= this.#made<WireFrame>()).values$;
  }

  /** True while somebody wants progress reports of any call. */
  get wantsProgress(): boolean {
    return this.#callbacks.onProgress !== undefined || this.#open?.progress?.observed === true;
  }

  /** True while somebody wants log messages. */
  get wantsLogs(): boolean {
    return this.#callbacks.onLog !== undefined || this.#open?.logs?.observed === true;
  }

  notification(notification: JsonRpcNotification): void {
    if (this.#closed) return;
    this.#listener?.notified(notification);
    const channel = this.#open?.notifications;
    if (channel?.observed !== true) return;
    const { method, params } = notification;
    channel.next({ method, params });
  }

  progress(progress: Progress): void {
    const { onProgress } = this.#callbacks;
    if (onProgress !== undefined) {
      guarded(onProgress, progress, (reason) => {
        this.#threw('onProgress', reason);
      });
    }
    this.#open?.progress?.next(progress);
  }

  log(log: LogMessage): void {
    const { onLog } = this.#callbacks;
    if (onLog !== undefined) {
      guarded(onLog, log, (reason) => {
        this.#threw('onLog', reason);
      });
    }
    this.#open?.logs?.next(log);
  }

  warn(kind: WarningKind, message: string, detail?: unknown): void {
    // A reason may go on for lines; those are in `detail`.
    const [line = ''] = message.split('\n', 1);
    const text = excerptOf(line, LONGEST_WARNING);
    const warning: Warning = detail === undefined ? { kind, message: text } : { kind, message: text, detail };
    const { onWarn } = this.#callbacks;
    // There is nowhere left to tell that onWarn itself threw, but on the stream.
    if (onWarn !== undefined) {
      guarded(onWarn, warning, (reason) => {
        this.#open?.warnings?.next({
          kind: 'callback-threw',
          message: `onWarn threw: ${reasonText(reason)}`,
          detail: reason,
        });
      });
    }
    this.#open?.warnings?.next(warning);
  }

  /** The same, the first time only. */
  warnOnce(kind: WarningKind, message: string): void {
    if (this.#warned?.has(kind) === true) return;
    (this.#warned ??= new Set()).add(kind);
    this.warn(kind, message);
  }

  stderr(line: string): void {
    this.#open?.stderr?.next(line);
  }

  wire(direction: 'in' | 'out', message: Inbound | Outbound): void {
    const channel = this.#open?.wire;
    if (channel?.observed === true) channel.next({ direction, message, at: asyncScheduler.now() });
  }

  /** Completes every stream. */
  close(): void {
    this.#closed = true;
    const { notifications, progress, logs, stderr, wire, warnings } = this.#open ?? {};
    for (const channel of [notifications, progress, logs, stderr, wire, warnings]) channel?.close();
  }

  get #opened(): OpenChannels {
    this.#open ??= {};
    return this.#open;
  }

  #made<T>(): Channel<T> {
    const channel = new Channel<T>();
    if (this.#closed) channel.close();
    return channel;
  }

  #threw(name: string, reason: unknown): void {
    this.warn('callback-threw', `${name} threw: ${reasonText(reason)}`, reason);
  }
}
