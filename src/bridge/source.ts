import type { Observable } from 'rxjs';
import type { CallEvent, Overlap, ReadOptions, TrustAnnotations } from '../client/index.js';
import type { CallToolResult, Tool } from '../protocol/schemas/index.js';
import type { BatchOptions } from './batch-options.js';

/** How one call of a batch is made. */
export interface SourceCall extends Pick<
  BatchOptions,
  'timeoutMs' | 'maxTotalMs' | 'resetOnProgress' | 'logLevel' | 'meta'
> {
  readonly toolCallId: string;
  /** Whether anybody wants to hear of progress. */
  readonly reports: boolean;
}

/** Where tools are: a server, or this process. */
export interface ToolSource {
  /** How batches are run where their options say nothing. */
  readonly overlap: Overlap;
  readonly toolConcurrency: number;
  readonly trustAnnotations: TrustAnnotations;
  /** All tools, as they are known without asking again; the same array as long as they stay the same. Emits once. */
  tools(options: Pick<ReadOptions, 'timeoutMs' | 'maxTotalMs'>): Observable<readonly Tool[]>;
  /** Makes a call. Cold; the result comes last. Errors where the call did not get as far as a result. */
  call(name: string, args: Readonly<Record<string, unknown>>, how: SourceCall): Observable<CallEvent<CallToolResult>>;
}
