import { defer, map, type Observable, of } from 'rxjs';
import type { CallToolResult } from '../../protocol/schemas/index.js';
import { together } from '../../rx/together.js';
import { type Content, type Fit, fit, fitFailure } from './fit.js';
import type { Rendering } from './options.js';
import { type Piece, piecesOf } from './pieces.js';
import { type Demand, shareOut } from './share.js';
import { spillOf } from './spill.js';

/** The answer to one call, to be rendered. What failed without an answer goes here as a result with `isError`. */
export interface Outcome {
  /** As the budget and the `spill` hook know it. */
  readonly tool: string;
  readonly toolCallId: string;
  readonly result: CallToolResult;
}

/** An outcome as it is read, before it is known how much of it fits. */
interface Read {
  readonly outcome: Outcome;
  readonly pieces: readonly Piece[];
  readonly failed: boolean;
  /** What it may take, by itself. */
  readonly limit: number;
}

const read = (outcome: Outcome, { media, perCall, perBatch }: Rendering): Read => {
  const all = piecesOf(outcome.result);
  const named = (piece: Piece): Piece => (piece.kind === 'media' ? { kind: 'text', text: piece.name } : piece);
  return {
    outcome,
    pieces: media === 'parts' ? all : all.map(named),
    failed: hasFailed(outcome.result),
    // Nothing may take more than the whole batch, and so much need not be counted.
    limit: Math.min(perCall(outcome.tool), perBatch),
  };
};

const hasFailed = (result: CallToolResult): boolean => {
  try {
    return result.isError === true;
  } catch {
    return false;
  }
};

const fitted = ({ pieces, failed }: Read, limit: number, { count }: Rendering): Fit =>
  (failed ? fitFailure : fit)(pieces, limit, count);

const finished = ({ outcome }: Read, found: Fit, rendering: Rendering): Observable<Content> => {
  if (!found.cut) return of(found.content);
  const { tool, toolCallId, result: raw } = outcome;
  return spillOf({ tool, toolCallId, text: found.text, raw }, rendering).pipe(map(found.to));
};

const demandOf = ({ failed, limit }: Read, found: Fit): Demand => ({
  tokens: failed ? found.tokens : Math.min(found.tokens, limit),
  fixed: failed,
});

/**
 * What a model reads of one result, by itself: the budget of a batch bounds it, but nobody shares it. Cold; emits once,
 * at once unless a `spill` hook takes its time, and completes; never errors. Unsubscribing lets go of the hook's answer.
 */
export const renderResult = (outcome: Outcome, rendering: Rendering): Observable<Content> =>
  defer(() => {
    const one = read(outcome, rendering);
    return finished(one, fitted(one, one.limit, rendering), rendering);
  });

/**
 * What a model reads of the results of one batch, in their order; with a budget for the batch they share it by
 * {@link shareOut}, whichever came first. Cold; emits once and completes; never errors.
 */
export const renderBatch = (outcomes: readonly Outcome[], rendering: Rendering): Observable<readonly Content[]> =>
  defer(() => {
    if (outcomes.length === 0) return of([]);
    const all = outcomes.map((outcome) => read(outcome, rendering));
    const alone = all.map((one) => fitted(one, one.limit, rendering));
    const limits =
      rendering.perBatch === Infinity
        ? undefined
        : shareOut(
            all.map((one, index) => demandOf(one, alone[index] as Fit)),
            rendering.perBatch,
          );
    const contents: Content[] = [];
    const cut: Observable<unknown>[] = [];
    for (const [index, one] of all.entries()) {
      const own = alone[index] as Fit;
      const limit = limits?.[index] ?? Infinity;
      // Read again only where the share is less than it may take by itself.
      const found = own.tokens <= limit || limit >= one.limit ? own : fitted(one, limit, rendering);
      if (!found.cut) contents[index] = found.content;
      else {
        const keep = (content: Content): void => {
          contents[index] = content;
        };
        cut.push(finished(one, found, rendering).pipe(map(keep)));
      }
    }
    // Most fit, and need not be waited for.
    return cut.length === 0 ? of(contents) : together(cut).pipe(map(() => contents));
  });
