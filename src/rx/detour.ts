import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import { turned } from './turned.js';

/**
 * Mirrors its source, but for values and errors that want more: where `onValue` or `onError` returns a stream, that
 * stream is mirrored in place of the value or the error. See {@link turned} for the rest.
 */
export const detour = <T>(
  onValue: (value: T) => Observable<T> | undefined,
  onError?: (reason: unknown) => Observable<T> | undefined,
): MonoTypeOperatorFunction<T> => turned<T, T>((value) => onValue(value) ?? value, onError);
