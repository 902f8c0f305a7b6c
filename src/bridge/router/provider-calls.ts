import {
  concat,
  concatMap,
  defer,
  identity,
  isObservable,
  type MonoTypeOperatorFunction,
  type Observable,
  take,
  takeUntil,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { messageOf, TimeoutError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import type { CallToolResult } from '../../protocol/schemas/index.js';
import { answerOf } from '../../rx/index.js';
import type { Backend, Happened, PlannedCall } from '../backend.js';
import type { BatchOptions } from '../batch-options.js';
import type { RunEvent } from '../events.js';
import { type CallOutcome, failed } from '../outcome.js';
import { offeredBackend } from '../own-backend.js';
import type { ResultPart, ToolCall } from '../provider.js';
import { settled } from '../settled.js';
import type { Mount } from './mount.js';

type Block = CallToolResult['content'][number];

/** Whatever it is: who writes results for a model is used to foreign blocks. */
const blockOf = (part: unknown): Block => {
  if (!isObject(part) || typeof part['type'] !== 'string') return { type: 'text', text: textOf(part) };
  if (part['type'] !== 'file') return part as unknown as Block;
  const { data, mimeType, name } = part as unknown as Exclude<ResultPart, { readonly type: 'text' }>;
  return { type: 'resource', resource: { uri: name ?? 'file', blob: data, mimeType } };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const blocksOf = (content: unknown): Block[] => {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? Array.from(content, blockOf) : [{ type: 'text', text: textOf(content) }];
};

/** A result of a provider's as an outcome; it may be anything. */
const outcomeOf = (answer: unknown): CallOutcome => {
  if (!isObject(answer)) return failed('Error: the provider of the tool answered with no result.');
  try {
    const { raw, content, is_error: isError, structured_content: structuredContent } = answer;
    // Copied, so that what cannot be read fails here, and costs no other.
    if (isObject(raw) && Array.isArray(raw['content'])) {
      return { result: { ...raw } as unknown as CallToolResult, raw: raw as unknown as CallToolResult };
    }
    return {
      result: {
        content: blocksOf(content),
        ...(isError === true ? { isError } : undefined),
        ...(structuredContent === undefined ? undefined : { structuredContent }),
      },
      raw: undefined,
    };
  } catch (reason) {
    return failed(`Error: what the provider of the tool answered cannot be read: ${messageOf(reason)}`);
  }
};

const UNANSWERED = failed('Error: the provider of the tool did not answer this call.');

const idOf = (result: unknown): unknown => (isObject(result) ? result['tool_call_id'] : undefined);

/**
 * Which result belongs to which call: by position, while there are as many and no id says otherwise, else by id. What
 * belongs to none is left out. Emits for the calls that have one.
 */
const matched = (calls: readonly PlannedCall[], results: readonly unknown[]): readonly Happened[] => {
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
    const slot = slotOf(calls, open, idOf(result));
    if (slot === undefined) return [];
    open.delete(slot);
    return [outcome(slot, result)];
  });
};

/** The first of the calls that are open which has this id. */
const slotOf = (calls: readonly PlannedCall[], open: ReadonlySet<number>, id: unknown): number | undefined =>
  [...open].find((slot) => calls[slot]?.toolCallId === id);

const isId = (id: unknown): boolean => typeof id === 'string' && id !== '';

const TOLD: readonly unknown[] = ['progress', 'log', 'input'];

/** What a provider with events emits: an event under the place of its call, or under its id alone. */
const happened = (
  calls: readonly PlannedCall[],
  open: ReadonlySet<number>,
  event: Readonly<Record<string, unknown>>,
): readonly Happened[] => {
  const { index, toolCallId, result, ...told } = event;
  const isHere = typeof index === 'number' && (!isId(toolCallId) || calls[index]?.toolCallId === toolCallId);
  const slot = isHere ? index : slotOf(calls, open, toolCallId);
  if (slot === undefined) return [];
  if (told['kind'] === 'result') return [{ slot, value: { kind: 'outcome', outcome: outcomeOf(result) } }];
  // Where it is and what it is called is for the batch above to say.
  if (told['kind'] === 'started') return [{ slot, value: { kind: 'started' } }];
  return TOLD.includes(told['kind']) ? [{ slot, value: told as unknown as RunEvent }] : [];
};

/** The options of a batch that are for who makes the calls; the others are for who writes the answers. */
const optionsFor = ({ overlap, toolConcurrency }: Mount, options: BatchOptions, tells: boolean): BatchOptions => {
  const { timeoutMs, maxTotalMs, resetOnProgress, logLevel, meta } = options;
  return {
    // What may never overlap does not because of a provider.
    overlap: options.overlap === 'never' ? 'never' : (overlap ?? options.overlap),
    toolConcurrency: toolConcurrency ?? options.toolConcurrency,
    observe: tells ? 'events' : undefined,
    ...{ timeoutMs, maxTotalMs, resetOnProgress, logLevel, meta },
  };
};

/** The clocks of calls that a provider of the application's own makes, which may have none: of silence, and of all of it. */
const inTime = <T>(
  [call]: readonly PlannedCall[],
  { timeoutMs = 0, maxTotalMs = 600_000 }: BatchOptions,
): MonoTypeOperatorFunction<T> => {
  const late = (ms: number) => (): Observable<never> =>
    throwError(() => new TimeoutError('tools/call', call?.toolCallId ?? '', ms));
  return (answers$) =>
    answers$.pipe(
      timeoutMs === 0 ? identity : timeout({ each: timeoutMs, with: late(timeoutMs) }),
      // A notifier that errors is the error of what it bounds.
      maxTotalMs === 0 ? identity : takeUntil(timer(maxTotalMs).pipe(concatMap(late(maxTotalMs)))),
    );
};

/** The calls as a provider of ours makes them: nothing is written for a model in between. */
const madeBy = (
  backend: Backend,
  calls: readonly PlannedCall[],
  options: BatchOptions,
  reports: boolean,
): Observable<Happened> =>
  backend.prepare(options).pipe(
    take(1),
    concatMap((ready) => {
      // A router knows tools by their own names, or by the prefix alone: then it may be a name that was once declared.
      const rawName = (name: string): string => (ready.knows?.(name) === true ? name : ready.rawName(name, 'neutral'));
      const own = calls.map((call) => ({ ...call, name: rawName(call.name) }));
      return ready.run(own, options, reports);
    }),
  );

/**
 * Has a provider make calls, its own way. Never errors: what it raises is the outcome of the calls it did not answer.
 * Completes as soon as each call has its outcome, whether the provider says that it is done or not.
 */
export const callsOf = (
  mount: Mount,
  calls: readonly PlannedCall[],
  options: BatchOptions,
  reports: boolean,
): Observable<Happened> => {
  const made$ = defer(() => {
    const { provider } = mount;
    const backend = offeredBackend(provider);
    if (backend !== undefined) return madeBy(backend, calls, optionsFor(mount, options, reports), reports);
    const tells = reports && provider.tellsEvents === true;
    const asked = calls.map(({ toolCallId: id, name, arguments: args }): ToolCall => ({ id, name, arguments: args }));
    const answers$ = defer((): Observable<unknown> => {
      const answer: unknown = provider.executeToolCalls(asked, optionsFor(mount, options, tells));
      // Events are read as they come; of an Observable of results the last are meant.
      return tells && isObservable(answer) ? answer : answerOf(() => answer);
    });
    const open = new Set(calls.keys());
    const told$ = answers$.pipe(
      inTime(calls, options),
      concatMap((answer): readonly Happened[] => {
        // A list with holes is one, too.
        if (Array.isArray(answer)) return matched(calls, Array.from<unknown>(answer));
        const told = isObject(answer) ? happened(calls, open, answer) : [];
        for (const { slot, value } of told) if (value.kind === 'outcome') open.delete(slot);
        return told;
      }),
    );
    // Who tells nothing has all of them from now on.
    return tells || !reports
      ? told$
      : concat(
          calls.map((_, slot): Happened => ({ slot, value: { kind: 'started' } })),
          told$,
        );
  });
  return settled(calls.length, made$, UNANSWERED);
};
