import { catchError, type MonoTypeOperatorFunction, throwError } from 'rxjs';
import { TimeoutError } from '../../errors/index.js';
import { toolTimeoutText } from '../timeouts.js';

/** The clocks of a call. */
interface Clocks {
  readonly timeoutMs?: number | undefined;
  readonly maxTotalMs?: number | undefined;
}

/**
 * Options of a call with the bound of its server: of the whole call, whatever it reports. Clocks that the call brings along
 * go before it.
 */
export const bounded = <O extends Clocks>(options: O | undefined, callTimeoutMs: number | undefined): O | undefined => {
  if (callTimeoutMs === undefined || options?.timeoutMs !== undefined) return options;
  return { ...(options as O), timeoutMs: callTimeoutMs, maxTotalMs: options?.maxTotalMs ?? callTimeoutMs };
};

/** A timeout of a tool, in the words that hosts know. */
export const toolTimeout = ({ method, id, timeoutMs }: TimeoutError): TimeoutError =>
  new TimeoutError(method, id, timeoutMs, toolTimeoutText(timeoutMs));

/** Whether it was the call that took too long, and not the start of its server that it waited for. */
export const isToolTimeout = (reason: unknown): reason is TimeoutError =>
  reason instanceof TimeoutError && reason.method === 'tools/call';

/** Says of a call of a tool that took too long what hosts know it by. */
export const tellTimeout = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((reason: unknown) => throwError(() => (isToolTimeout(reason) ? toolTimeout(reason) : reason)));
