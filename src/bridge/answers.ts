import {
  concat,
  concatMap,
  defer,
  EMPTY,
  identity,
  map,
  mergeMap,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  reduce,
  tap,
} from 'rxjs';
import { guarded } from '../rx/index.js';
import type { Asked, Happened } from './backend.js';
import type { BatchOptions } from './batch-options.js';
import type { ToolCallEvent } from './events.js';
import { answerIn, type Answers, type CallFormat } from './formats/index.js';
import { type CallOutcome, NOT_ANSWERED, toolResult } from './outcome.js';
import { type Outcome, renderBatch, renderingOf, renderResult } from './render/index.js';

/** What answers a call, in the shape of the call. */
export type BatchAnswer = Answers[CallFormat];

/** Writes outcomes for the model that made the calls. */
const writer = (asked: readonly Asked[], options: BatchOptions) => {
  const rendering = renderingOf(options);
  const outcomeOf = (slot: number, { result }: CallOutcome): Outcome => {
    const { call, name } = asked[slot] as Asked;
    return { tool: name, toolCallId: call.id, result };
  };
  const written = (slot: number, outcome: CallOutcome, content: Parameters<typeof toolResult>[2]) => {
    const { call } = asked[slot] as Asked;
    return answerIn(call.format, call, toolResult(call.id, outcome, content));
  };
  return {
    /** Whether what one may say depends on all the others. */
    shares: rendering.perBatch !== Infinity,
    one: (slot: number, outcome: CallOutcome) =>
      renderResult(outcomeOf(slot, outcome), rendering).pipe(map((content) => written(slot, outcome, content))),
    all: (all: readonly CallOutcome[]) =>
      renderBatch(
        all.map((outcome, slot) => outcomeOf(slot, outcome)),
        rendering,
      ).pipe(map((contents) => contents.map((content, slot) => written(slot, all[slot] as CallOutcome, content)))),
  };
};

/** Tells the application of progress. */
export const reporting = ({ onProgress }: BatchOptions, asked: readonly Asked[]): MonoTypeOperatorFunction<Happened> =>
  onProgress === undefined
    ? identity
    : tap<Happened>(({ slot, value }) => {
        if (value.kind !== 'progress') return;
        const { progress, total, message } = value;
        const report = {
          toolCallId: (asked[slot] as Asked).call.id,
          progress,
          ...(total === undefined ? undefined : { total }),
          ...(message === undefined ? undefined : { message }),
        };
        guarded(onProgress, report, () => undefined);
      });

/** The answers to a batch, in its order, once all are there. */
export const collected = (
  happened$: Observable<Happened>,
  asked: readonly Asked[],
  options: BatchOptions,
): Observable<BatchAnswer[]> =>
  defer(() => {
    const none: CallOutcome[] = [];
    return happened$.pipe(
      reduce((all, { slot, value }) => {
        if (value.kind === 'outcome') all[slot] = value.outcome;
        return all;
      }, none),
      concatMap((all) => writer(asked, options).all(all)),
    );
  });

/** What happens to a batch, as it happens; results that share a budget come when all are there. */
export const observed = (
  happened$: Observable<Happened>,
  asked: readonly Asked[],
  options: BatchOptions,
): Observable<ToolCallEvent> =>
  defer(() => {
    const write = writer(asked, options);
    const kept: CallOutcome[] = [];
    const which = (index: number) => ({ toolCallId: (asked[index] as Asked).call.id, index });
    const resultOf = (index: number, result: BatchAnswer): ToolCallEvent => ({
      ...which(index),
      kind: 'result',
      result,
    });
    const events$ = happened$.pipe(
      mergeMap(({ slot, value }): Observable<ToolCallEvent> => {
        if (value.kind === 'started') return of({ ...which(slot), ...value, name: (asked[slot] as Asked).call.name });
        if (value.kind !== 'outcome') return of({ ...value, ...which(slot) });
        if (!write.shares) return write.one(slot, value.outcome).pipe(map((result) => resultOf(slot, result)));
        kept[slot] = value.outcome;
        return EMPTY;
      }),
    );
    if (!write.shares) return events$;
    const results$ = defer(() => write.all(Array.from(asked, (_, slot) => kept[slot] ?? NOT_ANSWERED)));
    return concat(events$, results$.pipe(mergeMap((results) => results.map((result, slot) => resultOf(slot, result)))));
  });
