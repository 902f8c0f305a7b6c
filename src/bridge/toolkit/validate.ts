import { catchError, defer, map, type Observable, of, throwError } from 'rxjs';
import { messageOf } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import type { CallToolResult } from '../../protocol/schemas/index.js';
import { jsonCopy } from '../../jsonrpc/json-copy.js';
import type { LocalTool } from './definition.js';
import { readAnswer, structuredResult } from './results.js';
import type { Checked, ToolSchema } from './schema.js';

const unusable = (tool: LocalTool, side: 'input' | 'output', reason: unknown): Error =>
  new Error(`The ${side} schema of tool ${tool.declaration.name} cannot be used: ${messageOf(reason)}`);

const checked = (tool: LocalTool, side: 'input' | 'output', schema: ToolSchema, value: unknown): Observable<Checked> =>
  defer(() => schema.check(value)).pipe(
    catchError((reason: unknown) => throwError(() => unusable(tool, side, reason))),
  );

/**
 * The arguments as the handler gets them, sharing nothing with those of the caller. Emits once and completes; errors with
 * an `Error` that tells a model what is wrong where.
 */
export const readArguments = (tool: LocalTool, args: unknown): Observable<unknown> =>
  defer(() => {
    const { name } = tool.declaration;
    // The words of the official server, which models know.
    const invalid = (issues: readonly string[]): Error =>
      new Error(`Input validation error: Invalid arguments for tool ${name}: ${issues.join(', ')}`);
    const given = args === undefined ? {} : jsonCopy(args);
    if (!isObject(given)) throw invalid(['give an object']);
    if (tool.input === undefined) return of(given);
    return checked(tool, 'input', tool.input, given).pipe(
      map((outcome) => {
        if ('issues' in outcome) throw invalid(outcome.issues);
        return outcome.value;
      }),
    );
  });

const asJson = <T>(write: () => T): T => {
  try {
    return write();
  } catch (reason) {
    throw new Error(`The result of the tool has no form in JSON: ${messageOf(reason)}`, { cause: reason });
  }
};

/**
 * What a handler returned, as the result that would come over a wire. Emits once and completes; errors with an `Error` that
 * says why it is none.
 */
export const readOutput = (tool: LocalTool, value: unknown): Observable<CallToolResult> =>
  defer(() => {
    const { output, declaration } = tool;
    const answer = readAnswer(value, output !== undefined);
    if (output === undefined)
      return of('result' in answer ? answer.result : asJson(() => structuredResult(answer.structured)));
    if ('result' in answer && answer.result.isError === true) return of(answer.result);
    const structured = 'result' in answer ? answer.result.structuredContent : answer.structured;
    if (structured === undefined) {
      throw new Error(
        `Output validation error: Tool ${declaration.name} has an output schema but no structured content was provided`,
      );
    }
    return checked(tool, 'output', output, structured).pipe(
      map((outcome) => {
        if ('issues' in outcome) {
          const issues = outcome.issues.join(', ');
          throw new Error(
            `Output validation error: Invalid structured content for tool ${declaration.name}: ${issues}`,
          );
        }
        return 'result' in answer
          ? { ...answer.result, structuredContent: outcome.value }
          : asJson(() => structuredResult(outcome.value));
      }),
    );
  }).pipe(map((result) => asJson(() => jsonCopy(result) as CallToolResult)));
