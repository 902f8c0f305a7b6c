import type { CallEvent } from '../client/index.js';
import type { CallToolResult } from '../protocol/schemas/index.js';
import type { AnswerOf, CallFormat } from './formats/index.js';
import type { CallOutcome } from './outcome.js';

/** What a call tells while it runs, as a client's own call does. */
type Told = Exclude<CallEvent<CallToolResult>, { readonly kind: 'result' }>;

/** Which call of a batch an event is about. */
interface Which {
  /** The id of the call; `''` for one that had none. */
  readonly toolCallId: string;
  /** The place of the call in the batch: ids may be missing, or there twice. */
  readonly index: number;
}

type About<T> = T extends unknown ? Which & Omit<T, keyof Which> : never;

/**
 * What happens to the calls of a batch, for tool cards. For each call: `started` (with the name the model wrote), unless
 * it cannot be made; what it tells, in wire order; `result` last. The events of calls that overlap are mingled.
 */
export type ToolCallEvent<F extends CallFormat = CallFormat> =
  | (Which & { readonly kind: 'started'; readonly name: string })
  | About<Told>
  | (Which & { readonly kind: 'result'; readonly result: AnswerOf<F> });

/** What a call tells those who ran it, in a batch that is not written for a model yet. `outcome` is last. */
export type RunEvent =
  { readonly kind: 'started' } | Told | { readonly kind: 'outcome'; readonly outcome: CallOutcome };
