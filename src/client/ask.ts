import type { Observable } from 'rxjs';
import type { Result } from '../protocol/index.js';
import type { CallOptions } from './call-options.js';
import { type CallEvent, withEvents } from './events.js';
import type { Operation } from './operation.js';
import type { Requests } from './requests.js';

/** Options of a call whose events are wanted beside its result. */
export interface EventOptions extends CallOptions {
  readonly observe: 'events';
}

/** Options of a call of which only the result is wanted. */
export interface ResultOptions extends CallOptions {
  readonly observe?: 'result' | undefined;
}

/** Runs an operation, with its events where its options want them; `finish` makes the result of the answer. */
export const ask = <T>(
  requests: Requests,
  operation: Operation,
  finish: (answer$: Observable<Result>) => Observable<T>,
  options: EventOptions | ResultOptions | undefined,
): Observable<T | CallEvent<T>> =>
  options?.observe === 'events' ? withEvents(requests, operation, finish) : finish(requests.run(operation));
