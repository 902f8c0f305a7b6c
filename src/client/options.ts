import { isObservable } from 'rxjs';
import { isObject } from '../jsonrpc/index.js';
import {
  capabilitiesOf,
  type Era,
  EraCache,
  type Hooks,
  type Identity,
  isLegacyVersion,
  legacyCapabilitiesOf,
  MODERN_VERSIONS,
  processEraCache,
} from '../protocol/index.js';
import type { ClientCapabilities, Implementation, Tool } from '../protocol/schemas/index.js';
import { type Callbacks, LOG_LEVELS, type LogLevel } from '../session/index.js';
import type { CacheStore } from './cache.js';
import type { Limits } from './clocks.js';
import {
  boolean,
  bytes,
  callback,
  type Check,
  checkOptions,
  milliseconds,
  object,
  oneOf,
  refuse,
  whole,
} from '../jsonrpc/checks.js';
import { VERSION } from './version.js';

/** How far a server's own word on its tools is believed. */
export type TrustAnnotations =
  /** calls of tools it calls read-only or idempotent may be repeated after a lost connection, and overlap */
  | 'all'
  /** such calls may overlap, but are never repeated */
  | 'overlap'
  | 'none';

/**
 * Which calls of a batch may run beside each other. `'annotated'`: a batch of calls that are all of tools annotated
 * `readOnlyHint` and `idempotentHint`; equal ones among them are one request. `'read-only'`: `readOnlyHint` will do, and
 * runs of such calls between others overlap, too. `'never'`: none, also not of several providers. A function decides for
 * each tool, in place of the annotations, whether it does no harm beside others: then for whole batches, as `'annotated'`;
 * equal calls are one request only of tools that are annotated with one of the two.
 */
export type Overlap = 'annotated' | 'read-only' | 'never' | ((tool: Tool) => boolean);

/** How batches of calls are run. */
export interface BridgeOptions {
  /** How many calls of a batch run at a time, at most, where they may overlap. Default 4. */
  readonly toolConcurrency?: number | undefined;
  /** Default `'annotated'`. */
  readonly overlap?: Overlap | undefined;
}

/** Options of every client, whatever its transport. An unknown one is an `OptionError` that names it. */
export interface ClientOptions extends Callbacks, Hooks, BridgeOptions {
  /** Who this client says it is. Default `{ name: 'rx-mcp', version }`. */
  readonly clientInfo?: Implementation | undefined;
  /** The modern revisions to offer, best first. Default `['2026-07-28']`. A legacy one is refused: it is reached by handshake. */
  readonly protocolVersions?: readonly string[] | undefined;
  /** `'auto'` (default) finds the era by a probe; the others pin it and skip the probe. */
  readonly era?: Era | 'auto' | undefined;
  /** Where verdicts about eras are remembered. Default: one memory for the whole process. */
  readonly eraCache?: EraCache | undefined;
  /** How long a call may take from subscribing, or from its last progress report, in ms. Default 60 000; 0 is without limit. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a call may take altogether, whatever it reports, in ms. Default 600 000; 0 is without limit. */
  readonly maxTotalMs?: number | undefined;
  /** Whether a progress report starts a call's timeout anew. Default true. */
  readonly resetOnProgress?: boolean | undefined;
  /** How long the probe may take before the server is asked the old way, in ms. Default 5 000. */
  readonly probeTimeoutMs?: number | undefined;
  /**
   * Where cacheable results are kept; `false` keeps none. Default: a `MemoryCacheStore` of its own. Private results of
   * credentials that are not known beforehand are kept by this client, and go into no other store than a `MemoryCacheStore`.
   */
  readonly cache?: CacheStore | false | undefined;
  /** How many rounds of questions a server may put within one call. Default 8. */
  readonly maxInputRounds?: number | undefined;
  /** How long a hook may take, in ms. It runs in place of the call's own clocks, and its end counts as cancelled. Default 600 000; 0 is without limit. */
  readonly inputTimeoutMs?: number | undefined;
  /** Called with each log message. A throw is a warning. */
  readonly onLog?: Callbacks['onLog'];
  /** Called with each progress report of any call; asks for reports by being set. A throw is a warning. */
  readonly onProgress?: Callbacks['onProgress'];
  /** Called with each warning. */
  readonly onWarn?: Callbacks['onWarn'];
  /** The severity from which servers are asked to log. Without it a modern server sends no logs. */
  readonly logLevel?: LogLevel | undefined;
  /** Capabilities to declare in place of, or beside, those that follow from the hooks: each replaces a whole one. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Default `'all'` for stdio and in-memory servers, `'overlap'` for other transports. */
  readonly trustAnnotations?: TrustAnnotations | undefined;
  /** What happens to structured output that does not match its tool's schema. Default `'warn'`. */
  readonly validateOutput?: 'warn' | 'error' | 'off' | undefined;
  /** The largest message that is read, in bytes. Default 64 MiB (67 108 864). */
  readonly maxMessageBytes?: number | undefined;
}

/** The options, complete and checked. */
export interface Settings {
  readonly protocolVersions: readonly string[];
  readonly era: Era | 'auto';
  readonly eraCache: EraCache;
  readonly requestTimeoutMs: number;
  readonly maxTotalMs: number;
  /** The two of them, as those of a call that has none of its own. */
  readonly limits: Limits;
  readonly resetOnProgress: boolean;
  readonly probeTimeoutMs: number;
  readonly callbacks: Callbacks;
  readonly logLevel: LogLevel | undefined;
  /** False: none. Nothing: one of the client's own, made when it is needed. */
  readonly cache: CacheStore | false | undefined;
  readonly hooks: Hooks;
  readonly maxInputRounds: number;
  readonly inputTimeoutMs: number;
  readonly identity: Identity;
  readonly trustAnnotations: TrustAnnotations;
  readonly validateOutput: 'warn' | 'error' | 'off';
  readonly toolConcurrency: number;
  readonly overlap: Overlap;
}

const overlap: Check = (value, name) => {
  if (typeof value !== 'function') oneOf('annotated', 'read-only', 'never')(value, name);
};

/** One check for each option of batches. */
export const BRIDGE_CHECKS: Readonly<Record<keyof BridgeOptions, Check>> = { toolConcurrency: whole(1), overlap };

const versions: Check = (value, name) => {
  if (!Array.isArray(value) || value.length === 0 || !value.every((version) => typeof version === 'string')) {
    return refuse(name, 'give a list of at least one version');
  }
  const legacy = value.find(isLegacyVersion);
  if (legacy !== undefined) {
    refuse(
      name,
      `'${legacy}' is a legacy revision, which is reached by handshake: leave it out, or give era: 'legacy'`,
    );
  }
  const unknown = value.find((version) => !MODERN_VERSIONS.includes(version));
  if (unknown !== undefined) refuse(name, `'${unknown}' is not spoken here; known are ${MODERN_VERSIONS.join(', ')}`);
  return undefined;
};

const identity: Check = (value, name) => {
  if (!isObject(value) || typeof value['name'] !== 'string' || typeof value['version'] !== 'string') {
    refuse(name, 'give an object with a name and a version');
  }
};

const eraCache: Check = (value, name) => {
  if (!(value instanceof EraCache)) refuse(name, 'give an EraCache');
};

const cache: Check = (value, name) => {
  const { get, set, delete: remove } = (isObject(value) ? value : {}) as Partial<CacheStore>;
  const fits = [get, set, remove].every((method) => typeof method === 'function');
  if (value !== false && !fits) refuse(name, 'give a store with get, set and delete, or false');
};

/** One check for each option of a client; its keys are the options there are. */
const CHECKS: Readonly<Record<keyof ClientOptions, Check>> = {
  clientInfo: identity,
  protocolVersions: versions,
  era: oneOf('auto', 'modern', 'legacy'),
  eraCache,
  requestTimeoutMs: milliseconds(0),
  maxTotalMs: milliseconds(0),
  resetOnProgress: boolean,
  probeTimeoutMs: milliseconds(1),
  cache,
  maxInputRounds: whole(0),
  inputTimeoutMs: milliseconds(0),
  onElicit: callback,
  onElicitUrl: callback,
  onSample: callback,
  onListRoots: (value, name) => {
    if (!isObservable(value)) callback(value, name);
  },
  onLog: callback,
  onProgress: callback,
  onWarn: callback,
  logLevel: oneOf(...LOG_LEVELS),
  capabilities: object,
  trustAnnotations: oneOf('all', 'overlap', 'none'),
  validateOutput: oneOf('warn', 'error', 'off'),
  maxMessageBytes: bytes,
  ...BRIDGE_CHECKS,
};

// What clients have in common is there once, for all of them. None of it is ever changed.
const CLIENT_INFO: Implementation = { name: 'rx-mcp', version: VERSION };
const NO_HOOKS: Hooks = { onElicit: undefined, onElicitUrl: undefined, onSample: undefined, onListRoots: undefined };
const NO_CALLBACKS: Callbacks = { onLog: undefined, onProgress: undefined, onWarn: undefined };

const hooksOf = ({ onElicit, onElicitUrl, onSample, onListRoots }: ClientOptions): Hooks => {
  const isNone = [onElicit, onElicitUrl, onSample, onListRoots].every((hook) => hook === undefined);
  return isNone ? NO_HOOKS : { onElicit, onElicitUrl, onSample, onListRoots };
};

const callbacksOf = ({ onLog, onProgress, onWarn }: ClientOptions): Callbacks => {
  const isNone = [onLog, onProgress, onWarn].every((callback) => callback === undefined);
  return isNone ? NO_CALLBACKS : { onLog, onProgress, onWarn };
};

/** The settings of clients without options. */
const defaults = new Map<TrustAnnotations, Settings>();

/**
 * Checks a client's options and completes them. Throws `OptionError`.
 * @param also names of options that belong to the transport, for the message that names what is known
 */
export const resolveOptions = (
  options: ClientOptions,
  trustAnnotations: TrustAnnotations,
  also: readonly string[] = [],
): Settings => {
  checkOptions(options, CHECKS, 'options', also);
  if (Object.keys(options).length > 0) return settingsOf(options, trustAnnotations);
  const settings = defaults.get(trustAnnotations) ?? settingsOf(options, trustAnnotations);
  defaults.set(trustAnnotations, settings);
  return settings;
};

const settingsOf = (options: ClientOptions, trustAnnotations: TrustAnnotations): Settings => {
  const hooks = hooksOf(options);
  const capabilities = capabilitiesOf(hooks, options.capabilities);
  const { requestTimeoutMs = 60_000, maxTotalMs = 600_000 } = options;
  return {
    protocolVersions: options.protocolVersions === undefined ? MODERN_VERSIONS : [...options.protocolVersions],
    era: options.era ?? 'auto',
    eraCache: options.eraCache ?? processEraCache,
    requestTimeoutMs,
    maxTotalMs,
    limits: { timeoutMs: requestTimeoutMs, maxTotalMs },
    resetOnProgress: options.resetOnProgress ?? true,
    probeTimeoutMs: options.probeTimeoutMs ?? 5_000,
    callbacks: callbacksOf(options),
    logLevel: options.logLevel,
    cache: options.cache,
    hooks,
    maxInputRounds: options.maxInputRounds ?? 8,
    inputTimeoutMs: options.inputTimeoutMs ?? 600_000,
    identity: {
      clientInfo: options.clientInfo ?? CLIENT_INFO,
      capabilities,
      legacyCapabilities: legacyCapabilitiesOf(hooks, capabilities),
    },
    trustAnnotations: options.trustAnnotations ?? trustAnnotations,
    validateOutput: options.validateOutput ?? 'warn',
    toolConcurrency: options.toolConcurrency ?? 4,
    overlap: options.overlap ?? 'annotated',
  };
};
