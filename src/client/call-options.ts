import { isObject } from '../jsonrpc/index.js';
import { LOG_LEVELS, type LogLevel } from '../session/index.js';
import { boolean, type Check, checkOptions, milliseconds, object, oneOf, refuse } from '../jsonrpc/checks.js';

/** Options of one call. An unknown one is an `OptionError` that names it. */
export interface CallOptions {
  /** In place of `requestTimeoutMs`, in ms; 0 is without limit. */
  readonly timeoutMs?: number | undefined;
  /** In place of the client's `maxTotalMs`, in ms; 0 is without limit. */
  readonly maxTotalMs?: number | undefined;
  /** In place of the client's `resetOnProgress`. True on the call itself asks for progress reports. */
  readonly resetOnProgress?: boolean | undefined;
  /** Gives the call up when it is aborted: `CancelledError`, whose `cause` is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The progress token that goes with the call. It must not be that of a call in flight. Default: a fresh one, where one is needed. */
  readonly progressToken?: string | number | undefined;
  /** In place of the client's `logLevel`, for this call: modern servers only. */
  readonly logLevel?: LogLevel | undefined;
  /** Who answers what a server asks within `callTool`: `'hooks'` (default), or the caller, with `'return'`. */
  readonly onInput?: 'hooks' | 'return' | undefined;
  /** Further keys of `_meta`. Those of the protocol's own prefixes are refused. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a list or a read, which may be served from the cache. */
export interface ReadOptions extends CallOptions {
  /** True asks the server, whatever is kept. */
  readonly refresh?: boolean | undefined;
  /** True takes what is kept, however old, where the server fails. */
  readonly staleOnError?: boolean | undefined;
}

/** An `AbortSignal`. */
export const signal: Check = (value, name) => {
  // By shape: a signal of another realm, or of a polyfill, does as well.
  const { aborted, addEventListener } = (isObject(value) ? value : {}) as Partial<AbortSignal>;
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function') refuse(name, 'give an AbortSignal');
};

const token: Check = (value, name) => {
  if (typeof value !== 'string' && !Number.isInteger(value)) refuse(name, 'give a string or an integer');
};

const CALL_CHECKS: Readonly<Record<keyof ReadOptions | 'observe', Check>> = {
  timeoutMs: milliseconds(0),
  maxTotalMs: milliseconds(0),
  resetOnProgress: boolean,
  refresh: boolean,
  staleOnError: boolean,
  signal,
  progressToken: token,
  logLevel: oneOf(...LOG_LEVELS),
  onInput: oneOf('hooks', 'return'),
  meta: object,
  observe: oneOf('result', 'events'),
};

/** Throws an `OptionError` for an option of a call that is unknown or cannot be used. */
export const checkCallOptions = (options: object): void => {
  // The official client's word for it, which is near to another option of ours.
  for (const key of ['onprogress', 'onProgress'])
    if (isObject(options) && key in options)
      refuse(key, "a call has no such option; give it observe: 'events', or the client onProgress");
  checkOptions(options, CALL_CHECKS, 'options');
  const { onInput, observe } = options as { readonly onInput?: unknown; readonly observe?: unknown };
  if (onInput === 'return' && observe === 'events') refuse('observe', "a call with onInput: 'return' has no events");
};
