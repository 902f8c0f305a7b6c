import { concatMap, defaultIfEmpty, defer, filter, isObservable, mergeMap, Observable, of, takeLast } from 'rxjs';
import { CallClocks, type Limits } from '../../client/clocks.js';
import type { CallEvent } from '../../client/index.js';
import { CancelledError, type McpError, TimeoutError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import type { CallToolResult } from '../../protocol/schemas/index.js';
import { answerOf, type Deadlines } from '../../rx/index.js';
import { LOG_LEVELS, type LogLevel } from '../../session/index.js';
import type { HandlerEvent, LocalTool, ToolContext } from './definition.js';
import { thrown } from './results.js';
import { readArguments, readOutput } from './validate.js';

const METHOD = 'tools/call';

/** What one call of a tool needs beside its arguments. */
export interface RunTerms {
  readonly requestId: number;
  readonly toolCallId: string | undefined;
  readonly limits: Limits;
  readonly resetOnProgress: boolean;
  readonly deadlines: Deadlines;
}

const isEvent = (value: unknown): value is HandlerEvent => {
  if (!isObject(value)) return false;
  if (value['kind'] === 'progress') return typeof value['progress'] === 'number';
  return value['kind'] === 'log' && LOG_LEVELS.includes(value['level'] as LogLevel) && 'data' in value;
};

/** Does the work: emits what the handler answered, once. The events of its Observable go to the context. */
const work = (tool: LocalTool, args: unknown, context: ToolContext): Observable<unknown> => {
  const lastOf = (emissions: Observable<unknown>): Observable<unknown> =>
    emissions.pipe(
      filter((emission) => {
        if (!isEvent(emission)) return true;
        if (emission.kind === 'progress') context.progress(emission.progress, emission.total, emission.message);
        else context.log(emission.level, emission.data, emission.logger);
        return false;
      }),
      takeLast(1),
      defaultIfEmpty(undefined),
    );
  return defer(() => {
    const answer = tool.handler(args, context);
    if (isObservable(answer)) return lastOf(answer);
    // An async function may return an Observable, too.
    return answerOf<unknown>(() => answer).pipe(mergeMap((value) => (isObservable(value) ? lastOf(value) : of(value))));
  });
};

/**
 * Calls a tool in this process. Cold; each subscriber runs it. Emits `progress` and `log` events as they happen, then the
 * `result`, and completes. Whatever the tool does wrong, and arguments that are not as its schema says, are a result with
 * `isError`; the only error is a `TimeoutError`. Unsubscribing aborts the handler's signal.
 */
export const runTool = (tool: LocalTool, args: unknown, terms: RunTerms): Observable<CallEvent<CallToolResult>> =>
  new Observable((subscriber) => {
    const { requestId, toolCallId, limits, resetOnProgress, deadlines } = terms;
    const { name } = tool.declaration;
    const controller = new AbortController();
    let settled = false;
    let reason: McpError | undefined;
    const open = (): boolean => !settled && !subscriber.closed;

    const clocks = new CallClocks(deadlines, limits, {
      expire: (ms) => {
        reason = new TimeoutError(METHOD, requestId, ms);
        subscriber.error(reason);
      },
    });
    // Any tool may report progress, and so start the timeout anew.
    clocks.cap();

    const context: ToolContext = {
      signal: controller.signal,
      requestId,
      toolCallId,
      progress: (progress, total, message) => {
        if (!open() || !Number.isFinite(progress)) return;
        if (resetOnProgress) clocks.restart();
        subscriber.next({
          kind: 'progress',
          requestId,
          progressToken: requestId,
          method: METHOD,
          name,
          ...(toolCallId === undefined ? undefined : { toolCallId }),
          progress,
          ...(typeof total === 'number' ? { total } : undefined),
          ...(typeof message === 'string' ? { message } : undefined),
        });
      },
      log: (level, data, logger) => {
        if (!open() || !LOG_LEVELS.includes(level)) return;
        subscriber.next({ kind: 'log', level, ...(typeof logger === 'string' ? { logger } : undefined), data });
      },
    };

    const finish = (result: CallToolResult): void => {
      settled = true;
      subscriber.next({ kind: 'result', result });
      subscriber.complete();
    };

    // Before the work is subscribed to: it may end, or be given up, before that returns.
    subscriber.add(() => {
      clocks.stop();
      if (!settled) controller.abort(reason ?? new CancelledError(METHOD, requestId));
    });
    subscriber.add(
      readArguments(tool, args)
        .pipe(
          concatMap((read) => work(tool, read, context)),
          concatMap((answer) => readOutput(tool, answer)),
          defaultIfEmpty(thrown(undefined)),
        )
        .subscribe({
          next: finish,
          error: (failed: unknown) => {
            finish(thrown(failed));
          },
        }),
    );
  });
