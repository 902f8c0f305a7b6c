import {
  catchError,
  concatMap,
  connect,
  defaultIfEmpty,
  defer,
  filter,
  from,
  isObservable,
  map,
  merge,
  of,
  takeLast,
  type Observable,
} from 'rxjs';
import { messageOf, OptionError, ProtocolError } from '../errors/index.js';
import { CODES, type JsonRpcRequest } from '../jsonrpc/index.js';
import { helpers, ScriptedNotice, ScriptedReply } from './answers.js';
import { completed } from './methods.js';
import { faultOfAnswer, isThenable, type ScriptEntry } from './script.js';
import { virtual } from './virtual-time.js';

const stepsOf = (answer: unknown): Observable<unknown> => {
  if (isObservable(answer)) return answer;
  if (typeof answer === 'object' && answer !== null && isThenable(answer)) return from(answer).pipe(concatMap(stepsOf));
  return of(answer);
};

const replyTo = (request: JsonRpcRequest, answer: unknown, modern: boolean): ScriptedReply => {
  if (answer instanceof ScriptedReply) return answer;
  const fault = faultOfAnswer(answer);
  if (fault !== undefined) throw new OptionError(request.method, fault);
  return helpers.verbatim(modern ? completed(request.method, answer as object) : answer);
};

const failed = (reason: unknown): ScriptedReply =>
  reason instanceof ProtocolError
    ? helpers.error(reason.code, reason.message, reason.data)
    : helpers.error(CODES.internalError, messageOf(reason));

/** In place of an answer that never came. */
const NONE = Symbol('no answer');

const isFrame = (frame: object | undefined): frame is object => frame !== undefined;

/**
 * The frames with which a script answers one request: its notices as they come, then the answer, if it
 * has one, else `unanswered` is told; what the script throws is answered as a JSON-RPC error. As synchronous as the script is. Never errors.
 */
export const play = (
  entry: ScriptEntry,
  request: JsonRpcRequest,
  modern: boolean,
  unanswered: () => void = () => undefined,
): Observable<object> =>
  defer(() =>
    stepsOf(
      virtual(
        request.method,
        typeof entry === 'function' ? (entry as (...of: unknown[]) => unknown)(request.params ?? {}, request) : entry,
      ),
    ),
  ).pipe(
    connect((steps$) =>
      merge(
        steps$.pipe(filter((step) => step instanceof ScriptedNotice)),
        steps$.pipe(
          filter((step) => !(step instanceof ScriptedNotice)),
          takeLast(1),
          defaultIfEmpty(NONE),
          map((answer) => {
            if (answer !== NONE) return replyTo(request, answer, modern);
            unanswered();
            return helpers.silence;
          }),
        ),
      ),
    ),
    catchError((reason: unknown) => of(failed(reason))),
    map((said) => said.frame(request)),
    filter(isFrame),
  );
