import { defer, type Observable, throwError } from 'rxjs';
import { OptionError } from '../errors/index.js';
import { isUrlRequired, type Result } from '../protocol/index.js';
import { detour, turned } from '../rx/index.js';
import type { Params } from '../session/index.js';
import type { CallOptions, ReadOptions } from './call-options.js';
import { type CallEvent, withEvents } from './events.js';
import type { Operation } from './operation.js';
import type { ClientParts } from './parts.js';
import type { Turn } from './run.js';

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

/** The rest of a call whose first result asks something; nothing if it is complete. */
const later = (
  parts: ClientParts,
  operation: Question,
  events: Operation['events'],
  first: Result,
): Observable<Result> | undefined => {
  if (first.resultType === 'complete') return undefined;
  // It is in flight between its requests, too.
  return parts.requests.inFlight.hold(parts.inputs.use(({ later: rest }) => rest(parts, operation, events, first)));
};

/** The call once more, where it was refused until a matter at a URL is done; nothing for other refusals. */
const onceDone = (
  parts: ClientParts,
  operation: Question,
  events: Operation['events'],
  reason: unknown,
): Observable<Result> | undefined => {
  if (!isUrlRequired(reason)) return undefined;
  return parts.requests.inFlight.hold(parts.inputs.use((module) => module.onceDone(parts, operation, events, reason)));
};

/**
 * Asks in as many rounds as it takes, each a request with clocks of its own. Emits the complete result once and
 * completes. `onLater` is called where it took the application's answers: such a result is never kept.
 */
export const inAllRounds = (
  parts: ClientParts,
  operation: Question,
  events: Operation['events'],
  onLater?: () => void,
): Observable<Result> =>
  defer(() => {
    return parts.requests.run(events === undefined ? operation : { ...operation, events }).pipe(
      detour<Result>(
        (first) => {
          const rounds$ = later(parts, operation, events, first);
          if (rounds$ !== undefined) onLater?.();
          return rounds$;
        },
        (reason) => onceDone(parts, operation, events, reason),
      ),
    );
  });

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

/** What the result of the last answer is made with. */
export type Finish<T> = (answer: Result, operation: Question) => T | Observable<T>;

/** What becomes of the first answer to a question. A class and no closures: there is one for each call. */
class FirstAnswer<T> implements Turn<T> {
  readonly #parts: ClientParts;
  readonly #question: Question;
  readonly #events: Operation['events'];
  readonly #make: Finish<T>;

  constructor(parts: ClientParts, question: Question, events: Operation['events'], make: Finish<T>) {
    this.#parts = parts;
    this.#question = question;
    this.#events = events;
    this.#make = make;
  }

  result(first: Result): T | Observable<T> {
    const rounds$ = later(this.#parts, this.#question, this.#events, first);
    return rounds$ === undefined ? this.#make(first, this.#question) : this.#finished(rounds$);
  }

  error(reason: unknown): Observable<T> | undefined {
    const again$ = onceDone(this.#parts, this.#question, this.#events, reason);
    return again$ === undefined ? undefined : this.#finished(again$);
  }

  #finished(answer$: Observable<Result>): Observable<T> {
    return answer$.pipe(turned((answer) => this.#make(answer, this.#question)));
  }
}

/** Runs a question in as many rounds as it takes; `finish` makes the result of the last answer. */
export const ask = <T>(
  parts: ClientParts,
  operation: Question,
  finish: Finish<T>,
  options: EventOptions | ResultOptions | undefined,
): Observable<T | CallEvent<T>> =>
  observed((events) => {
    const asked = events === undefined ? operation : { ...operation, events };
    return parts.requests.turned(asked, new FirstAnswer(parts, operation, events, finish));
  }, options);
