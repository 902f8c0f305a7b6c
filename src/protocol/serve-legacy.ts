import { excerptOf } from '../errors/index.js';
import { defer, map, type Observable } from 'rxjs';
import { CODES, isObject, type JsonRpcRequest, type RequestId } from '../jsonrpc/index.js';
import { RequestRefused } from '../session/serve.js';
import type { LegacyTerms } from './legacy-handlers.js';
import { abandoned, type QuestionMethod } from './questions.js';
import type { ClientCapabilities } from './schemas/index.js';

/** What a client answers to a sampling a person refused. MCP 2025-11-25 client/sampling. */
const REFUSED_BY_USER = -1;

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
    if (!offered)
      throw undeclared(
        `elicitation in ${typeof mode === 'string' || mode === null ? `the mode ${excerptOf(JSON.stringify(mode))}` : 'a mode that is no text'}`,
      );
  } else if (method === 'sampling/createMessage' && declared.sampling?.tools === undefined) {
    if (given['tools'] !== undefined || given['toolChoice'] !== undefined) throw undeclared('tools in sampling');
  }
};

/** Answers one question of a legacy server by the hooks. Cold; its last value is the result. Errors with `RequestRefused`. */
export const answerLegacy = (
  method: QuestionMethod,
  { id, params }: JsonRpcRequest,
  channel: RequestId | undefined,
  { answerer, declared, server, during }: LegacyTerms,
): Observable<unknown> =>
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
