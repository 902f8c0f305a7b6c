import { defer, map, type Observable } from 'rxjs';
import { CODES, isObject, type RequestId } from '../jsonrpc/index.js';
import { type RequestHandler, RequestRefused } from '../session/index.js';
import type { ServerDescription } from './agreement.js';
import { abandoned, type Answering, type InputQuestion, type Outcome, type QuestionMethod } from './questions.js';
import type { ClientCapabilities } from './schemas/index.js';

/** What a client answers to a sampling a person refused. MCP 2025-11-25 client/sampling. */
const REFUSED_BY_USER = -1;

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

const undeclared = (what: string): RequestRefused =>
  new RequestRefused({ code: CODES.invalidParams, message: `this client did not declare ${what}` });

/** Throws where a question uses what was not declared. MCP 2025-11-25 client/elicitation and client/sampling. */
const requireDeclared = (method: QuestionMethod, params: unknown, declared: ClientCapabilities): void => {
  const given = isObject(params) ? params : {};
  if (method === 'elicitation/create') {
    const { elicitation = {} } = declared;
    const { mode = 'form' } = given;
    // An empty declaration means forms alone: so the older revisions have it.
    const forms = elicitation.form !== undefined || elicitation.url === undefined;
    const offered = mode === 'form' ? forms : mode === 'url' && elicitation.url !== undefined;
    if (!offered) throw undeclared(`elicitation in the mode ${JSON.stringify(mode)}`);
  } else if (method === 'sampling/createMessage' && declared.sampling?.tools === undefined) {
    if (given['tools'] !== undefined || given['toolChoice'] !== undefined) throw undeclared('tools in sampling');
  }
};

/**
 * The handlers for a legacy server's own requests: the same hooks that answer a modern server's rounds. What was
 * not declared has no handler, and is answered `-32601`. MCP 2025-11-25 client.
 */
export const legacyHandlers = (terms: LegacyTerms): ReadonlyMap<string, RequestHandler> => {
  const { answerer, declared, server, during } = terms;
  const handler =
    (method: QuestionMethod): RequestHandler =>
    ({ id, params }, channel) =>
      defer(() => {
        requireDeclared(method, params, declared);
        const outcome$ = answerer.answer(method, params, server());
        return during({ key: String(id), method, params }, outcome$, abandoned(method), channel);
      }).pipe(
        map((outcome) => {
          if ('result' in outcome) return outcome.result;
          throw new RequestRefused({ code: REFUSED_BY_USER, message: 'the request to sample was refused' });
        }),
      );
  const handlers = new Map<string, RequestHandler>();
  if (declared.elicitation !== undefined) handlers.set('elicitation/create', handler('elicitation/create'));
  if (declared.sampling !== undefined) handlers.set('sampling/createMessage', handler('sampling/createMessage'));
  if (declared.roots !== undefined) handlers.set('roots/list', handler('roots/list'));
  return handlers;
};
