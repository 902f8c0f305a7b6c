import type { Observable } from 'rxjs';
import type { Tool } from '../protocol/schemas/index.js';
import type { BatchOptions } from './batch-options.js';
import type { RunEvent } from './events.js';
import type { CallFormat, MalformedCall, ReadCall } from './formats/index.js';
import type { Slotted } from './schedule.js';

/** A call that is to be made. */
export interface PlannedCall {
  readonly toolCallId: string;
  /** The tool's own name. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What makes the calls of a batch. */
export interface Backend {
  /**
   * Learns what there is to know of the tools, in the time that the options give each call. Emits once, and completes; an
   * error counts for every call.
   */
  prepare(options: BatchOptions): Observable<Ready>;
  /** Hears which tools were declared to a model: from then on its names mean those, whatever is listed since. */
  declared?(tools: readonly Tool[]): void;
}

/** A backend that knows its tools. */
export interface Ready {
  /** The tool that a model of this format means by a name; the name itself where there is none. */
  rawName(name: string, format: CallFormat): string;
  /** Whether there is such a tool; `undefined` where nobody knows what there is. Default: nobody knows. */
  knows?(name: string): boolean | undefined;
  /** Makes the calls. `reports`: whether anybody wants to hear of progress. */
  run(calls: readonly PlannedCall[], options: BatchOptions, reports: boolean): Observable<Slotted<RunEvent>>;
}

/** A call of the batch as the model wrote it, and the name by which its tool is known here. */
export interface Asked {
  readonly call: ReadCall | MalformedCall;
  readonly name: string;
}

/** What happens to the call in a slot. */
export type Happened = Slotted<RunEvent>;
