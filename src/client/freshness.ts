import { asyncScheduler } from 'rxjs';
import { CancelledError, OptionError, TransportClosedError, UnsupportedFeatureError } from '../errors/index.js';
import type { Result } from '../protocol/index.js';
import type { CacheEntry } from './cache.js';

/** No result is kept longer, whatever its server says. */
export const DAY_MS = 86_400_000;

/** A result as it came. */
export interface Received {
  readonly result: Result;
  /** When, in ms since the epoch. */
  readonly receivedAt: number;
  readonly chain?: string | undefined;
}

/** How long a result is fresh, in ms: what is no positive number counts as not at all. MCP 2026-07-28 server/utilities/caching. */
export const ttlOf = (result: object): number => {
  const { ttlMs } = result as { readonly ttlMs?: unknown };
  return typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(ttlMs, DAY_MS) : 0;
};

/** How long an entry is still as good as new, in ms. One that claims more than a day is not to be believed. */
export const freshMsOf = ({ freshUntil }: CacheEntry): number => {
  const left = freshUntil - asyncScheduler.now();
  return left > 0 && left <= DAY_MS ? left : 0;
};

/** How much longer a result that came then is fresh, in ms. */
export const leftOf = ({ result, receivedAt }: Received): number =>
  Math.max(0, receivedAt + ttlOf(result) - asyncScheduler.now());

const OWN_DOING = [CancelledError, OptionError, TransportClosedError, UnsupportedFeatureError];

/** Whether a read failed by the server or the way to it, and not by what was done here: then a stale result may stand in. */
export const isServersFailure = (reason: unknown): boolean => !OWN_DOING.some((kind) => reason instanceof kind);
