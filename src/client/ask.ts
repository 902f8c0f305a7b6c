import { defer, filter, map, merge, type Observable, of, take, throwError } from 'rxjs';
import { CancelledError, OptionError, TransportClosedError } from '../errors/index.js';
import { inRounds, type Result, type Retry, whenUrlRequired } from '../protocol/index.js';
import { abortWith } from '../rx/index.js';
import type { Params } from '../session/index.js';
import type { CallOptions, ReadOptions } from './call-options.js';
import { type CallEvent, withEvents } from './events.js';
import type { Operation } from './operation.js';
import type { ClientParts } from './parts.js';

/** Options of a call whose events are wanted beside its result. */
export interface EventOptions extends ReadOptions {
  readonly onInput?: 'hooks' | undefined;
  /** `'events'` gives the call's events, the result last. */
  readonly observe: 'events';
}

/** Options of a call of which only the result is wanted. */
export interface ResultOptions extends ReadOptions {
  readonly onInput?: 'hooks' | undefined;
  /** `'result'`, the default, gives the result alone. */
  readonly observe?: 'result' | undefined;
}

/** An operation a server may answer with questions; its params are known beforehand. */
export interface Question extends Operation {
  readonly params: Params;
}

/** What a question ended with. */
export interface Answered {
  readonly result: Result;
  /** Whether it took the application's answers: such a result is never kept. */
  readonly retried: boolean;
}

/** Asks in as many rounds as it takes, each a request with clocks of its own. */
export const inAllRounds = (
  parts: ClientParts,
  operation: Question,
  events: Operation['events'],
): Observable<Answered> => {
  const { answerer, channels, closed$, connection, requests, server, settings } = parts;
  const { inputTimeoutMs, maxInputRounds } = settings;
  const { method, params, options } = operation;
  const { signal } = options ?? {};
  // While a hook is open no request is out that would notice.
  const ended$ = closed$.pipe(
    map((): never => {
      throw new TransportClosedError();
    }),
  );
  const answering = <T>(answers$: Observable<T>): Observable<T> => {
    const open$ = merge(ended$, answers$).pipe(take(1));
    return signal === undefined
      ? open$
      : open$.pipe(abortWith(signal, (reason) => new CancelledError(method, undefined, reason)));
  };
  const question = { answerer, server, answering, onInput: events?.input };
  const asked$ = defer(() => {
    let retried = false;
    const again = (retry: Retry): Observable<Result> =>
      requests.run({ ...operation, events, params: { ...params, ...retry }, continues: true });
    // In a client that is closed it is no loss, but the end of everything.
    const lost$ = defer(() => connection.life?.session.ended$ ?? of(undefined)).pipe(filter(() => !connection.closed));
    const { notifications$ } = channels;
    const urls = { ...question, inputTimeoutMs, notifications$, lost$, again: () => again({}) };
    const send = (retry: Retry | undefined): Observable<Result> => {
      if (retry === undefined) return requests.run({ ...operation, events }).pipe(whenUrlRequired(urls));
      retried = true;
      return again(retry);
    };
    return inRounds(send, { ...question, method, maxInputRounds }).pipe(map((result) => ({ result, retried })));
  });
  // It is in flight between its requests, too.
  return requests.inFlight.hold(asked$);
};

/** Runs what has a result, with its events where its options want them. */
export const observed = <T>(
  run: (events: Operation['events']) => Observable<T>,
  options: EventOptions | ResultOptions | undefined,
): Observable<T | CallEvent<T>> => {
  // The types say so; plain JavaScript is told.
  if ((options as CallOptions | undefined)?.onInput === 'return') {
    return throwError(() => new OptionError('onInput', "only callTool can hand the server's questions to its caller"));
  }
  return options?.observe === 'events' ? withEvents(run) : run(undefined);
};

/** Runs a question; `finish` makes the result of the answer. */
export const ask = <T>(
  parts: ClientParts,
  operation: Question,
  finish: (answer$: Observable<Result>) => Observable<T>,
  options: EventOptions | ResultOptions | undefined,
): Observable<T | CallEvent<T>> =>
  observed((events) => finish(inAllRounds(parts, operation, events).pipe(map(({ result }) => result))), options);
