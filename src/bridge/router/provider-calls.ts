import { catchError, concat, defer, EMPTY, from, isObservable, mergeMap, type Observable, of } from 'rxjs';
import { isObject } from '../../jsonrpc/index.js';
import type { CallToolResult } from '../../protocol/schemas/index.js';
import { answerOf } from '../../rx/index.js';
import type { Happened, PlannedCall } from '../backend.js';
import type { BatchOptions } from '../batch-options.js';
import type { RunEvent } from '../events.js';
import { type CallOutcome, failed, failedBy } from '../outcome.js';
import type { ResultPart, ToolCall } from '../provider.js';
import type { Mount } from './mount.js';

const blockOf = (part: ResultPart): CallToolResult['content'][number] => {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { data, mimeType } = part;
  if (part.type === 'file') {
    const uri = part.name ?? 'file';
    return { type: 'resource', resource: { uri, blob: data, mimeType } };
  }
  return { type: part.type, data, mimeType };
};

/** A result of a provider's as an outcome; it may be anything. */
const outcomeOf = (result: unknown): CallOutcome => {
  if (!isObject(result)) return failed('Error: the provider of the tool answered with no result.');
  const { raw, content, is_error: isError, structured_content: structuredContent } = result;
  if (isObject(raw) && Array.isArray(raw['content'])) {
    return { result: raw as unknown as CallToolResult, raw: raw as unknown as CallToolResult };
  }
  const blocks = Array.isArray(content)
    ? (content as readonly ResultPart[]).map(blockOf)
    : [{ type: 'text' as const, text: typeof content === 'string' ? content : (JSON.stringify(content) ?? '') }];
  return {
    result: {
      content: blocks,
      ...(isError === true ? { isError } : undefined),
      ...(structuredContent === undefined ? undefined : { structuredContent }),
    },
    raw: undefined,
  };
};

const UNANSWERED = failed('Error: the provider of the tool did not answer this call.');

const idOf = (result: unknown): unknown => (isObject(result) ? result['tool_call_id'] : undefined);

/**
 * Which result belongs to which call: by position, while there are as many and no id says otherwise, else by id. What
 * belongs to none is left out. Emits for the calls that have one.
 */
export const matched = (calls: readonly PlannedCall[], results: readonly unknown[]): readonly Happened[] => {
  const outcome = (slot: number, result: unknown): Happened => ({
    slot,
    value: { kind: 'outcome', outcome: outcomeOf(result) },
  });
  const agrees = results.every((result, index) => {
    const id = idOf(result);
    return id === undefined || id === '' || id === calls[index]?.toolCallId;
  });
  if (results.length === calls.length && agrees) return results.map((result, slot) => outcome(slot, result));
  const open = new Set(calls.keys());
  return results.flatMap((result) => {
    const slot = [...open].find((at) => calls[at]?.toolCallId === idOf(result));
    if (slot === undefined) return [];
    open.delete(slot);
    return [outcome(slot, result)];
  });
};

/** What a provider with events emits: an event under the place of its call, or under its id alone. */
const happened = (calls: readonly PlannedCall[], event: Readonly<Record<string, unknown>>): readonly Happened[] => {
  const { index, toolCallId, kind, result } = event;
  const slot = typeof index === 'number' ? index : calls.findIndex((call) => call.toolCallId === toolCallId);
  if (calls[slot] === undefined) return [];
  if (kind === 'result') return [{ slot, value: { kind: 'outcome', outcome: outcomeOf(result) } }];
  return ['started', 'progress', 'log', 'input'].includes(kind as string)
    ? [{ slot, value: event as unknown as RunEvent }]
    : [];
};

/** Has a provider make calls, its own way. Never errors: what it raises is the outcome of the calls it did not answer. */
export const callsOf = (
  { provider, overlap, toolConcurrency }: Mount,
  calls: readonly PlannedCall[],
  options: BatchOptions,
  reports: boolean,
): Observable<Happened> => {
  const { timeoutMs, maxTotalMs, resetOnProgress, logLevel, meta } = options;
  const tells = reports && provider.tellsEvents === true;
  const own: BatchOptions = {
    overlap: overlap ?? options.overlap,
    toolConcurrency: toolConcurrency ?? options.toolConcurrency,
    observe: tells ? 'events' : undefined,
    ...{ timeoutMs, maxTotalMs, resetOnProgress, logLevel, meta },
  };
  const asked = calls.map(({ toolCallId: id, name, arguments: args }): ToolCall => ({ id, name, arguments: args }));
  const answers$ = defer((): Observable<unknown> => {
    const answer: unknown = provider.executeToolCalls(asked, own);
    return isObservable(answer) ? answer : answerOf(() => answer);
  });
  return concat(
    // Who tells nothing has all of them from now on.
    tells ? EMPTY : from(calls.map((_, slot): Happened => ({ slot, value: { kind: 'started' } }))),
    answers$.pipe(
      mergeMap((answer): readonly Happened[] => {
        if (Array.isArray(answer)) return matched(calls, answer);
        return isObject(answer) ? happened(calls, answer) : [];
      }),
      catchError((reason: unknown) =>
        from(calls.map((_, slot): Happened => ({ slot, value: { kind: 'outcome', outcome: failedBy(reason) } }))),
      ),
    ),
    of(...calls.map((_, slot): Happened => ({ slot, value: { kind: 'outcome', outcome: UNANSWERED } }))),
  );
};
