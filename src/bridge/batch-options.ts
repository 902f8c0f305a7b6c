import { signal } from '../client/call-options.js';
import { boolean, callback, type Check, checkOptions, milliseconds, oneOf } from '../jsonrpc/checks.js';
import { type BridgeOptions, BRIDGE_CHECKS } from '../client/options.js';
import { checkMeta } from '../protocol/index.js';
import { LOG_LEVELS, type LogLevel } from '../session/index.js';
import { RENDER_CHECKS, type RenderOptions } from './render/index.js';

/** How far a call of a batch is. */
export interface ToolCallProgress {
  readonly toolCallId: string;
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Options of a batch. An unknown one is an `OptionError` that names it. */
export interface BatchOptions extends RenderOptions, BridgeOptions {
  /** `'results'` (default) gives all results at the end; `'events'` gives what happens to each call as it happens. */
  readonly observe?: 'results' | 'events' | undefined;
  /** Called with each progress report; asks for reports by being set. What it throws is ignored. */
  readonly onProgress?: ((progress: ToolCallProgress) => void) | undefined;
  /** For each call, and for the list if it is read first, in place of `requestTimeoutMs`, in ms; 0 is without limit. */
  readonly timeoutMs?: number | undefined;
  /** For the same, in place of the client's `maxTotalMs`, in ms; 0 is without limit. */
  readonly maxTotalMs?: number | undefined;
  /** For each call, in place of the client's `resetOnProgress`. */
  readonly resetOnProgress?: boolean | undefined;
  /** For each call, in place of the client's `logLevel`: modern servers only. */
  readonly logLevel?: LogLevel | undefined;
  /** Further keys of `_meta` of each call. Those of the protocol's own prefixes are refused. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Gives the whole batch up when it is aborted: `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
}

const BATCH_CHECKS: Readonly<Record<keyof BatchOptions, Check>> = {
  ...RENDER_CHECKS,
  ...BRIDGE_CHECKS,
  observe: oneOf('results', 'events'),
  onProgress: callback,
  timeoutMs: milliseconds(0),
  maxTotalMs: milliseconds(0),
  resetOnProgress: boolean,
  logLevel: oneOf(...LOG_LEVELS),
  meta: checkMeta,
  signal,
};

/** Throws an `OptionError` for an option of a batch that is unknown or cannot be used. */
export const checkBatchOptions = (options: unknown): void => {
  checkOptions(options, BATCH_CHECKS, 'options');
};
