import type { Observable } from 'rxjs';
import type { RequestId } from '../jsonrpc/index.js';
import { type Part, part } from '../rx/index.js';
import type { RequestHandler } from '../session/index.js';
import type { ServerDescription } from './agreement.js';
import type { Answering, InputQuestion, Outcome, QuestionMethod } from './questions.js';
import type { ClientCapabilities } from './schemas/index.js';

/** What answers the questions of legacy servers: few ask any. */
export const legacyAnswers: Part<typeof import('./serve-legacy.js')> = /* @__PURE__ */ part(
  () => import('./serve-legacy.js'),
);

export interface LegacyTerms {
  readonly answerer: Answering;
  /** What was declared; the rest is answered as not served. */
  readonly declared: ClientCapabilities;
  readonly server: () => ServerDescription;
  /**
   * Wraps the answering of one question: clocks stand still meanwhile, and events show it. Ends it with `unwanted`,
   * where there is such a thing, when the calls it may be for were given up. It is for the request on whose own `channel`
   * it came; without one it may be for any.
   */
  readonly during: (
    question: InputQuestion,
    outcome$: Observable<Outcome>,
    unwanted: Outcome | undefined,
    channel?: RequestId,
  ) => Observable<Outcome>;
}

/**
 * The handlers for a legacy server's own requests: the same hooks that answer a modern server's rounds. What was
 * not declared has no handler, and is answered `-32601`. MCP 2025-11-25 client.
 */
export const legacyHandlers = (terms: LegacyTerms): ReadonlyMap<string, RequestHandler> => {
  const { elicitation, sampling, roots } = terms.declared;
  const handlers = new Map<string, RequestHandler>();
  const add = (method: QuestionMethod): void => {
    handlers.set(method, (request, channel) =>
      legacyAnswers.use(({ answerLegacy }) => answerLegacy(method, request, channel, terms)),
    );
  };
  if (elicitation !== undefined) add('elicitation/create');
  if (sampling !== undefined) add('sampling/createMessage');
  if (roots !== undefined) add('roots/list');
  return handlers;
};
