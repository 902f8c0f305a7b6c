import { concatMap, map, of, type Observable } from 'rxjs';
import { UnsupportedFeatureError } from '../errors/index.js';
import type { Agreement, SuspendedCall } from '../protocol/index.js';
import { roundOf } from '../protocol/rounds.js';
import { suspend } from '../protocol/suspended.js';
import type { CallToolResult } from '../protocol/schemas/index.js';
import { turned } from '../rx/index.js';
import type { Finish, Question } from './ask.js';
import type { CallOptions } from './call-options.js';
import type { Requests } from './requests.js';

/** Options of a call whose questions are handed to the caller, in place of the hooks. */
export interface SuspendOptions extends CallOptions {
  /** `'return'` gives the server's questions to the caller. */
  readonly onInput: 'return';
  /** Such a call has no events. */
  readonly observe?: 'result' | undefined;
}

/** A question of the server, by its key, that waits for an answer. */
export interface InputRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** How a call went that may be suspended: it has a result, or it waits for answers and can be resumed with them. */
export type SuspendableResult =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | {
      readonly kind: 'input';
      /** The server's questions by its keys; every one wants an answer. */
      readonly requests: Readonly<Record<string, InputRequest>>;
      /** Plain JSON: what `resume` needs to carry on, in another process if need be. */
      readonly resume: SuspendedCall;
    };

const requireModern = ({ server }: Agreement): void => {
  if (server.era === 'modern') return;
  throw new UnsupportedFeatureError("onInput: 'return'", 'legacy', 'set the hooks, which serve both eras');
};

/** Sends a call once, and hands back what it asks. Emits once and completes; errors like any call. */
export const suspendable = (
  requests: Requests,
  operation: Question,
  original: Readonly<Record<string, unknown>>,
  finish: Finish<CallToolResult>,
): Observable<SuspendableResult> =>
  requests
    .run({
      ...operation,
      check: (agreement) => {
        requireModern(agreement);
        operation.check?.(agreement, operation);
      },
    })
    .pipe(
      concatMap((answer): Observable<SuspendableResult> => {
        if (answer.resultType === 'complete') {
          return of(answer).pipe(
            turned((complete) => finish(complete, operation)),
            map((result) => ({ kind: 'result', result })),
          );
        }
        const round = roundOf(operation.method, answer);
        const questions = round.questions.map(({ key, method, params }) => [key, { method, params }] as const);
        return of({ kind: 'input', requests: Object.fromEntries(questions), resume: suspend(original, round) });
      }),
    );
