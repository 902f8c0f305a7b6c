import { NEVER, type Observable, tap } from 'rxjs';
import type { ServerDescription } from './agreement.js';
import type { Hooks } from './hooks.js';

/** The questions a server may ask. MCP 2026-07-28 basic/patterns/mrtr. */
export type QuestionMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** How a question ended: with a result for the server, or refused where the protocol has no shape for a refusal. */
export type Outcome =
  | {
      readonly result: Readonly<Record<string, unknown>>;
      /** The user's word that what was asked for at a URL is done; between hook and client alone. */
      readonly completed?: boolean | undefined;
    }
  | { readonly refused: true };

/** The question was taken back, or nobody answered it. */
export const CANCEL: Outcome = { result: { action: 'cancel' } };
/** There is no answer, and no shape for saying so. */
export const REFUSED: Outcome = { refused: true };

/** What a question ends with that nobody waits for any longer; `undefined` where it is answered all the same. */
export const abandoned = (method: QuestionMethod): Outcome | undefined =>
  method === 'roots/list' ? undefined : method === 'elicitation/create' ? CANCEL : REFUSED;

/** True for what a server may ask. */
export const isQuestion = (method: unknown): method is QuestionMethod =>
  method === 'elicitation/create' || method === 'sampling/createMessage' || method === 'roots/list';

/** What answers questions, the same in both eras. */
export interface Answering {
  readonly hooks: Hooks;
  /** The outcome of one question: cold, emitted once. Unsubscribing abandons the hook. */
  answer(method: QuestionMethod, params: unknown, server: ServerDescription): Observable<Outcome>;
}

/** One question of a round, under the server's key. */
export interface InputQuestion {
  readonly key: string;
  readonly method: QuestionMethod;
  readonly params: unknown;
}

/** What a call's events show of a question: first it alone, then with its answer. */
export interface InputEvent extends InputQuestion {
  /** The answer that goes to the server, once there is one. Absent from a sampling that was refused. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined;
}

/** What is needed to put questions to the application within a call. */
export interface InputTerms {
  readonly answerer: Answering;
  readonly server: () => ServerDescription;
  /** Shows a question, or its answer; false if whoever looked has left, and no hook is to be asked any longer. */
  readonly onInput?: ((event: InputEvent) => boolean) | undefined;
  /** Wraps the wait for the application: ends it when the caller gives the call up, or the client is closed. */
  readonly answering: <T>(answers$: Observable<T>) => Observable<T>;
}

/** Shows a question and then puts it. Emits its outcome once, when that was shown too; never if nobody looks any longer. */
export const put = (question: InputQuestion, { answerer, server, onInput }: InputTerms): Observable<Outcome> => {
  if (onInput?.(question) === false) return NEVER;
  return answerer.answer(question.method, question.params, server()).pipe(
    tap((outcome) => {
      if ('result' in outcome) onInput?.({ ...question, answer: outcome.result });
    }),
  );
};
