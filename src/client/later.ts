import { defer, filter, map, merge, type Observable, of, take, throwError } from 'rxjs';
import { type ProtocolError, TransportClosedError } from '../errors/index.js';
import type { Result, Retry, RoundsTerms } from '../protocol/index.js';
import { roundsAfter } from '../protocol/rounds.js';
import { whenUrlRequired } from '../protocol/url-required.js';
import { abortable } from './abortable.js';
import type { Question } from './ask.js';
import type { Operation } from './operation.js';
import type { ClientParts } from './parts.js';

/** What is only needed once a server asks something, or refuses a call until a matter at a URL is done. */
const inputTerms = (parts: ClientParts, { method, options }: Question, events: Operation['events']): RoundsTerms => {
  const { answerer, closed$, settings } = parts;
  const ended$ = closed$.pipe(
    map((): never => {
      throw new TransportClosedError();
    }),
  );
  // While a hook is open no request is out that would notice.
  const answering = <T>(answers$: Observable<T>): Observable<T> =>
    merge(ended$, answers$).pipe(take(1), abortable(options?.signal, method));
  return {
    answerer,
    server: () => parts.server,
    answering,
    onInput: events?.input,
    method,
    maxInputRounds: settings.maxInputRounds,
  };
};

/** The same call once more, behind what has come of it so far. */
const again = (
  { requests }: ClientParts,
  operation: Question,
  events: Operation['events'],
  outcome: object,
  retry?: Retry,
): Observable<Result> =>
  requests.run({
    ...operation,
    events,
    call: requests.callOf(outcome),
    params: { ...operation.params, ...retry },
    continues: true,
    since: undefined,
  });

/** The rest of a call whose first result asks something; for `ask`. */
export const later = (
  parts: ClientParts,
  operation: Question,
  events: Operation['events'],
  first: Result,
): Observable<Result> => {
  const send = (retry: Retry): Observable<Result> => again(parts, operation, events, first, retry);
  return roundsAfter(first, send, inputTerms(parts, operation, events)) ?? of(first);
};

/** The call once more, where it was refused until a matter at a URL is done; for `ask`. */
export const onceDone = (
  parts: ClientParts,
  operation: Question,
  events: Operation['events'],
  reason: ProtocolError,
): Observable<Result> => {
  const { channels, connection, settings } = parts;
  // In a client that is closed it is no loss, but the end of everything.
  const lost$ = defer(() => connection.life?.session.ended$ ?? of(undefined)).pipe(filter(() => !connection.closed));
  return throwError(() => reason).pipe(
    whenUrlRequired({
      ...inputTerms(parts, operation, events),
      inputTimeoutMs: settings.inputTimeoutMs,
      notifications$: channels.notifications$,
      lost$,
      again: () => again(parts, operation, events, reason),
    }),
  );
};
