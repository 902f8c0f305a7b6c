import { concat, defer, map, type Observable } from 'rxjs';
import type { Backend, PlannedCall, Ready } from '../../bridge/backend.js';
import type { BatchOptions } from '../../bridge/batch-options.js';
import type { RunEvent } from '../../bridge/events.js';
import { type CallOutcome, failed } from '../../bridge/outcome.js';
import type { CallToolResult } from '../../protocol/schemas/index.js';
import { toolTimeoutText } from '../timeouts.js';
import { bounded, isToolTimeout } from './calls.js';
import type { ManagedTools } from './managed-tools.js';

/** What a managed server adds to the batches of its client. */
export interface BackendTerms {
  /** The calls of the client, by the server's own names. */
  readonly inner: Backend;
  readonly tools: () => ManagedTools;
  /** Throws where the server is not connected. */
  readonly requireUp: () => void;
  readonly callTimeoutMs: number | undefined;
  /** Which calls may overlap, as the entry says. */
  readonly overlap: () => BatchOptions['overlap'];
  /** What of a result is the host's own is taken out. */
  readonly strip: <T>(result: T) => T;
  /** What a model can bear of it. */
  readonly limit: (result: CallToolResult) => CallToolResult;
}

const lateText = (timeoutMs: number, hasLeft: boolean): string => {
  const after = hasLeft ? 'the tool may have run all the same: check before you call it again' : 'the tool did not run';
  return `TimeoutError: ${toolTimeoutText(timeoutMs)}: ${after}`;
};

/** The batches of a client under the names and within the bounds of its entry. */
export class ManagedBackend implements Backend {
  readonly #terms: BackendTerms;

  constructor(terms: BackendTerms) {
    this.#terms = terms;
  }

  prepare(options: BatchOptions): Observable<Ready> {
    const { inner, requireUp, callTimeoutMs } = this.#terms;
    return defer(() => {
      requireUp();
      return inner.prepare(bounded(options, callTimeoutMs) ?? options).pipe(map((ready) => this.#named(ready)));
    });
  }

  #named(ready: Ready): Ready {
    const tools = this.#terms.tools();
    return {
      rawName: (name) => tools.published(name),
      knows: (name) => tools.has(name),
      run: (calls, options, reports) => {
        const offered: PlannedCall[] = [];
        const slots: number[] = [];
        const refused = calls.flatMap((call, slot) => {
          const name = tools.target(call.name);
          if (name === undefined) {
            const text = `Error: the tool ${JSON.stringify(call.name)} is not offered here: call another one.`;
            return [{ slot, value: { kind: 'outcome', outcome: failed(text) } } as const];
          }
          slots.push(slot);
          offered.push({ ...call, name });
          return [];
        });
        const made$ = ready
          .run(offered, this.#options(options), reports)
          .pipe(map(({ slot, value }) => ({ slot: slots[slot] ?? -1, value: this.#told(value) })));
        return concat(refused, made$);
      },
    };
  }

  #options(options: BatchOptions): BatchOptions {
    const { callTimeoutMs, overlap } = this.#terms;
    // What may never overlap does not because of an entry.
    const rule = options.overlap === 'never' ? 'never' : (overlap() ?? options.overlap);
    return { ...(bounded(options, callTimeoutMs) ?? options), overlap: rule };
  }

  #told(event: RunEvent): RunEvent {
    return event.kind === 'outcome' ? { kind: 'outcome', outcome: this.#outcome(event.outcome) } : event;
  }

  #outcome({ result, raw, error }: CallOutcome): CallOutcome {
    const { strip, limit } = this.#terms;
    if (isToolTimeout(error)) {
      const { timeoutMs, id } = error;
      return { ...failed(lateText(timeoutMs, id !== undefined)), error };
    }
    if (raw === undefined) return { result, raw, error };
    const own = strip(raw);
    return { result: limit(result === raw ? own : strip(result)), raw: own, error };
  }
}
