import { identity, type Observable } from 'rxjs';
import { CancelledError } from '../errors/index.js';
import { inRounds, type Result, type Retry, whenUrlRequired } from '../protocol/index.js';
import { abortWith } from '../rx/index.js';
import type { Params } from '../session/index.js';
import type { CallOptions } from './call-options.js';
import { type CallEvent, withEvents } from './events.js';
import type { Operation } from './operation.js';
import type { ClientParts } from './parts.js';

/** Options of a call whose events are wanted beside its result. */
export interface EventOptions extends CallOptions {
  readonly onInput?: 'hooks' | undefined;
  /** `'events'` gives the call's events, the result last. */
  readonly observe: 'events';
}

/** Options of a call of which only the result is wanted. */
export interface ResultOptions extends CallOptions {
  readonly onInput?: 'hooks' | undefined;
  /** `'result'`, the default, gives the result alone. */
  readonly observe?: 'result' | undefined;
}

/** An operation a server may answer with questions; its params are known beforehand. */
export interface Question extends Operation {
  readonly params: Params;
}

/** Asks in as many rounds as it takes, each a request with clocks of its own. */
const rounds = (parts: ClientParts, operation: Question, events: Operation['events']): Observable<Result> => {
  const { answerer, channels, requests, server, settings } = parts;
  const { inputTimeoutMs, maxInputRounds } = settings;
  const { method, params, options } = operation;
  const { signal } = options ?? {};
  // While a hook is open no request is out that would notice.
  const answering =
    signal === undefined
      ? identity
      : abortWith<Retry>(signal, (reason) => new CancelledError(method, undefined, reason));
  return inRounds(
    (retry) =>
      requests
        .run(
          retry === undefined
            ? { ...operation, events }
            : { ...operation, events, params: { ...params, ...retry }, continues: true },
        )
        .pipe(whenUrlRequired({ answerer, server, inputTimeoutMs, notifications$: channels.notifications$ })),
    {
      method,
      maxInputRounds,
      answerer,
      server,
      onInput: events?.input,
      answering,
      hold: (round$) => requests.inFlight.hold(round$),
    },
  );
};

/** Runs a question, with its events where its options want them; `finish` makes the result of the answer. */
export const ask = <T>(
  parts: ClientParts,
  operation: Question,
  finish: (answer$: Observable<Result>) => Observable<T>,
  options: EventOptions | ResultOptions | undefined,
): Observable<T | CallEvent<T>> =>
  options?.observe === 'events'
    ? withEvents((events) => finish(rounds(parts, operation, events)))
    : finish(rounds(parts, operation, undefined));
