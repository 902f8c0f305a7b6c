import { catchError, concat, concatMap, defer, EMPTY, from, map, type Observable, of, take } from 'rxjs';
import { abortable } from '../client/abortable.js';
import { OptionError, ProtocolError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { CallToolResult } from '../protocol/schemas/index.js';
import { type BatchAnswer, collected, observed, reporting } from './answers.js';
import type { Asked, Backend, Happened, PlannedCall, Ready } from './backend.js';
import { type BatchOptions, checkBatchOptions } from './batch-options.js';
import type { ToolCallEvent } from './events.js';
import { type MalformedCall, type ReadCall, readCall } from './formats/index.js';
import { failed, failedBy, NOT_ANSWERED } from './outcome.js';
import { settled } from './settled.js';

const NO_SUCH_TOOL = 'There is no tool of this name among those that are declared: call one of them.';

/** Many servers answer with a result that there is no such tool. */
const saysNotFound = ({ content: [first] }: CallToolResult): boolean =>
  first?.type === 'text' && /not found|unknown|no such/i.test(first.text);

/** A call that failed, of a tool that nobody has, is first told that. */
const hinted = (happened: Happened, asked: readonly Asked[], ready: Ready): Happened => {
  const { slot, value } = happened;
  if (value.kind !== 'outcome' || value.outcome.result.isError !== true) return happened;
  const { name } = asked[slot] as Asked;
  const { result, raw, error } = value.outcome;
  // A tool that is in no list may be there, and fail for reasons of its own.
  const isUnknown = raw === undefined ? error instanceof ProtocolError : saysNotFound(result);
  if (!isUnknown || ready.knows?.(name) !== false) return happened;
  const content = [{ type: 'text' as const, text: NO_SUCH_TOOL }, ...result.content];
  return { slot, value: { kind: 'outcome', outcome: { ...value.outcome, result: { ...result, content } } } };
};

/** What happens to the calls: those that cannot be made have their results at once; whatever becomes of the others. */
const outcomes = (
  asked: readonly Asked[],
  ready: Ready,
  options: BatchOptions,
  reports: boolean,
): Observable<Happened> =>
  defer(() => {
    const malformed: Happened[] = [];
    const slots: number[] = [];
    const calls: PlannedCall[] = [];
    for (const [slot, { call, name }] of asked.entries()) {
      if ('malformed' in call) malformed.push({ slot, value: { kind: 'outcome', outcome: failed(call.malformed) } });
      else {
        slots.push(slot);
        calls.push({ toolCallId: call.id, name, arguments: call.arguments });
      }
    }
    const run$ = defer(() => ready.run(calls, options, reports));
    const made$ =
      malformed.length === 0
        ? run$
        : concat(malformed, run$.pipe(map(({ slot, value }) => ({ slot: slots[slot] ?? -1, value }))));
    return settled(asked.length, made$, NOT_ANSWERED).pipe(map((happened) => hinted(happened, asked, ready)));
  });

/** Whether a call has no arguments by which to tell its shape. */
const isBare = ({ format, name }: ReadCall | MalformedCall, call: unknown): boolean =>
  format === 'neutral' && name !== '' && isObject(call) && !('arguments' in call);

const readAll = (calls: unknown): readonly (ReadCall | MalformedCall)[] => {
  // A model that calls nothing may leave the whole member out.
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) throw new OptionError('calls', 'give the list of the calls');
  const read = Array.from(calls, (call) => readCall(call));
  if (!read.some(({ format }) => format === 'gemini')) return read;
  // Gemini may leave `args` out where there are none, and then there is no telling but by its neighbours.
  return read.map((call, slot) => (isBare(call, calls[slot]) ? { ...call, format: 'gemini' } : call));
};

/** A backend none of whose tools is known. */
const unprepared = (reason: unknown): Ready => ({
  rawName: (name) => name,
  run: (calls) =>
    from(calls.map((_, slot) => ({ slot, value: { kind: 'outcome', outcome: failedBy(reason) } }) as const)),
});

/**
 * Makes the calls of a model and answers each in its slot and its shape, whatever happens to it. Cold. Emits the answers
 * once, or with `observe: 'events'` what happens to each call. Errors with `OptionError`, and with `CancelledError` where
 * `signal` is aborted.
 */
export const executeBatch = (
  calls: unknown,
  options: BatchOptions,
  backend: Backend,
): Observable<BatchAnswer[] | ToolCallEvent> =>
  defer(() => {
    checkBatchOptions(options);
    const read = readAll(calls);
    const events = options.observe === 'events';
    const reports = events || options.onProgress !== undefined;
    const ready$ = read.some((call) => !('malformed' in call)) ? defer(() => backend.prepare(options)) : EMPTY;
    return concat(ready$, of(unprepared(new Error('no tool is called')))).pipe(
      catchError((reason: unknown) => of(unprepared(reason))),
      take(1),
      concatMap((ready): Observable<BatchAnswer[] | ToolCallEvent> => {
        const asked = read.map((call): Asked => ({ call, name: ready.rawName(call.name, call.format) }));
        const happened$ = outcomes(asked, ready, options, reports).pipe(reporting(options, asked));
        return events ? observed(happened$, asked, options) : collected(happened$, asked, options);
      }),
      abortable(options.signal, 'executeToolCalls', undefined, !events),
    );
  });
