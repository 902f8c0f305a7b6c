import { identity, type MonoTypeOperatorFunction } from 'rxjs';
import { CancelledError } from '../errors/index.js';
import type { RequestId } from '../jsonrpc/index.js';
import { abortWith } from '../rx/index.js';

/**
 * Mirrors its source until the caller's signal is aborted: then errors with a `CancelledError` that names the call.
 * Without a signal it changes nothing. See `abortWith` for `settles`.
 */
export const abortable = <T>(
  signal: AbortSignal | undefined,
  method: string,
  id: () => RequestId | undefined = () => undefined,
  settles = false,
): MonoTypeOperatorFunction<T> =>
  signal === undefined ? identity : abortWith(signal, (reason) => new CancelledError(method, id(), reason), settles);
