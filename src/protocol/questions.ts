import { NEVER, type Observable, tap } from 'rxjs';
import type { ServerDescription } from './agreement.js';
import type { Answerer, Outcome, QuestionMethod } from './answerer.js';

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
  readonly answerer: Answerer;
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
