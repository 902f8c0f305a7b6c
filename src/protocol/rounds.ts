import { concatMap, EMPTY, expand, filter, map, type Observable, of } from 'rxjs';
import { excerptOf, InputLoopExceededError, InputRefusedError, InvalidMessageError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import { together } from '../rx/together.js';
import type { Result } from './codec.js';
import { type InputQuestion, type InputTerms, isQuestion, put } from './questions.js';

/** How many questions one result may ask: each is put to a person or a model of its own, all at once. */
export const QUESTION_CAP = 100;

/** What a retry adds to the original params. */
export interface Retry {
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
  readonly requestState?: string | undefined;
}

/** A result that asks: its questions, and the state to be echoed. */
export interface Round {
  readonly questions: readonly InputQuestion[];
  readonly requestState: string | undefined;
}

/** Reads an `input_required` result. Throws `InvalidMessageError` where it neither asks nor carries state, or asks what is no question, or too many. */
export const roundOf = (method: string, result: Result): Round => {
  const { inputRequests, requestState } = result;
  const invalid = (reason: string): InvalidMessageError => new InvalidMessageError(method, undefined, reason);
  if (requestState !== undefined && typeof requestState !== 'string') throw invalid('its requestState is not a string');
  if (inputRequests !== undefined && !isObject(inputRequests)) throw invalid('its inputRequests are not an object');
  const requests = Object.entries(inputRequests ?? {});
  if (requests.length > QUESTION_CAP) {
    throw invalid(`it asks ${requests.length} questions at once, which are more than ${QUESTION_CAP}`);
  }
  const questions = requests.map(([key, request]): InputQuestion => {
    if (!isObject(request) || typeof request['method'] !== 'string')
      throw invalid(`its question ${excerptOf(JSON.stringify(key))} has no method`);
    if (!isQuestion(request['method']))
      throw invalid(`it asks ${excerptOf(JSON.stringify(request['method']))}, which is no question`);
    return { key, method: request['method'], params: request['params'] };
  });
  if (questions.length === 0 && requestState === undefined) throw invalid('it asks for input and says not for what');
  return { questions, requestState };
};

/** The retry that answers a round: the server's keys, and its state exactly as it was, if it gave any. */
export const retryOf = (
  { questions, requestState }: { readonly questions: readonly unknown[]; readonly requestState?: string | undefined },
  answers: Readonly<Record<string, unknown>>,
): Retry => ({
  ...(questions.length === 0 ? undefined : { inputResponses: answers }),
  ...(requestState === undefined ? undefined : { requestState }),
});

export interface RoundsTerms extends InputTerms {
  readonly method: string;
  readonly maxInputRounds: number;
}

/** Without a prototype: a server's key may be `__proto__`. */
const recordOf = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> => {
  const record = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) record[key] = value;
  return record;
};

const answerRound = (round: Round, terms: RoundsTerms): Observable<Retry> => {
  if (round.questions.length === 0) return of(retryOf(round, {}));
  const answered = round.questions.map((question) =>
    put(question, terms).pipe(map((outcome) => [question.key, outcome] as const)),
  );
  // All questions of a round are put at once: each has a person or a model of its own to wait for.
  return together(answered).pipe(
    map((outcomes) => {
      const refused = outcomes.filter(([, outcome]) => 'refused' in outcome).map(([key]) => key);
      // A round must be answered whole, and a refused sampling has no shape.
      if (refused.length > 0) throw new InputRefusedError(terms.method, refused);
      return retryOf(
        round,
        recordOf(outcomes.map(([key, outcome]) => [key, 'result' in outcome ? outcome.result : undefined])),
      );
    }),
  );
};

/**
 * The rounds that follow a first result; `undefined` if it is complete. Answers the server's questions by the hooks,
 * sends the request again with the answers and the server's state, until a result is complete. Emits that result once
 * and completes. Errors with what `send` raises, with `InputLoopExceededError` after `maxInputRounds` rounds, with
 * `InputRefusedError` where sampling was refused, and with `InvalidMessageError` where a server asks what it must not.
 * Unsubscribing abandons request and hooks. MCP 2026-07-28 basic/patterns/mrtr.
 */
export const roundsAfter = (
  first: Result,
  send: (retry: Retry) => Observable<Result>,
  terms: RoundsTerms,
): Observable<Result> | undefined => {
  if (first.resultType === 'complete') return undefined;
  return of(first).pipe(
    expand((result, index) => {
      if (result.resultType === 'complete') return EMPTY;
      if (index >= terms.maxInputRounds) throw new InputLoopExceededError(terms.maxInputRounds, terms.method);
      return terms.answering(answerRound(roundOf(terms.method, result), terms)).pipe(concatMap((retry) => send(retry)));
    }),
    filter((result) => result.resultType === 'complete'),
  );
};
