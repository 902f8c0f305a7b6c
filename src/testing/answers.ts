import { concat, isObservable, of, type Observable } from 'rxjs';
import type { JsonRpcRequest } from '../jsonrpc/index.js';

/** The params of a request; empty where the request has none. */
export type ScriptedParams = Readonly<Record<string, unknown>>;

/** A reply that is no plain result: see `scriptedTransport.error`, `.verbatim` and `.silence`. */
export class ScriptedReply {
  /** @param frame the frame that answers a request; `undefined` if nothing does */
  constructor(readonly frame: (request: JsonRpcRequest) => object | undefined) {}
}

/** Something the server says on the way to its answer: see `scriptedTransport.notice`, `.progress` and `.log`. */
export class ScriptedNotice {
  /** @param frame the frame to send; `undefined` if the request did not ask for it */
  constructor(readonly frame: (request: JsonRpcRequest) => object | undefined) {}
}

/** One thing a scripted answer can be at last: a result, or a reply that is none. */
export type ScriptedResult = object | ScriptedReply;

/** A stream of notices, whose last value that is none is the answer. It completes without one: nothing is answered, which is a warning. */
export type ScriptedSteps = Observable<ScriptedResult | ScriptedNotice>;

/** What answers a request: a result, a reply, the steps to it, or a Promise of one of these. */
export type ScriptedAnswer = ScriptedResult | ScriptedSteps | PromiseLike<ScriptedResult | ScriptedSteps>;

const tokenOf = ({ params }: JsonRpcRequest): string | number | undefined =>
  (params?.['_meta'] as { progressToken?: string | number } | undefined)?.progressToken;

const notice = (method: string, params?: ScriptedParams): ScriptedNotice =>
  new ScriptedNotice(() => (params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params }));

/** The building blocks of a script, found on {@link scriptedTransport}. */
export interface ScriptedHelpers {
  /** Answers with a JSON-RPC error. A function of the script may also throw a `ProtocolError`. */
  error(code: number, message: string, data?: unknown): ScriptedReply;
  /** Answers with exactly this as the result: nothing is added, and it may be what no server should send. */
  verbatim(result: unknown): ScriptedReply;
  /** Never answers. The same as an Observable that completes empty, without the warning. */
  readonly silence: ScriptedReply;
  /** A notification on the way to the answer. */
  notice(method: string, params?: ScriptedParams): ScriptedNotice;
  /** A progress report under the token of the request; nothing, if the request carries no token. */
  progress(progress: number, total?: number, message?: string): ScriptedNotice;
  /** A log message. */
  log(level: string, data: unknown, logger?: string): ScriptedNotice;
  /**
   * Says one thing after the other; the last result is the answer. An Observable among the steps is run in its place, so
   * that `timer(100).pipe(ignoreElements())` is a pause of 100 ms.
   */
  steps(...steps: readonly (ScriptedNotice | ScriptedResult | ScriptedSteps | Observable<never>)[]): ScriptedSteps;
}

export const helpers: ScriptedHelpers = {
  error: (code, message, data) =>
    new ScriptedReply(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: data === undefined ? { code, message } : { code, message, data },
    })),
  verbatim: (result) => new ScriptedReply(({ id }) => ({ jsonrpc: '2.0', id, result })),
  silence: new ScriptedReply(() => undefined),
  notice,
  progress: (progress, total, message) =>
    new ScriptedNotice((request) => {
      const progressToken = tokenOf(request);
      return progressToken === undefined
        ? undefined
        : { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total, message } };
    }),
  log: (level, data, logger) => notice('notifications/message', { level, logger, data }),
  steps: (...steps) =>
    concat(...steps.map((step): ScriptedSteps => (isObservable(step) ? (step as ScriptedSteps) : of(step)))),
};
