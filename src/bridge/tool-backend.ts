import { catchError, defer, map, Observable, of, throwError } from 'rxjs';
import { canonical } from '../client/canonical.js';
import {
  NetworkError,
  SpawnFailedError,
  TimeoutError,
  UnauthorizedError,
  UnsupportedVersionError,
} from '../errors/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import { jsonCopy } from '../jsonrpc/json-copy.js';
import type { Backend, PlannedCall, Ready } from './backend.js';
import type { BatchOptions } from './batch-options.js';
import type { RunEvent } from './events.js';
import { answered, failedBy } from './outcome.js';
import { overlapRule } from './overlap.js';
import { schedule } from './schedule.js';
import type { ToolSource } from './source.js';
import { WayBack } from './way-back.js';

/** How many declarations back a name may come from. */
const REMEMBERED = 4;

/** What is known of one list of tools. */
interface Known {
  readonly byName: ReadonlyMap<string, Tool>;
  readonly wayBack: WayBack;
}

/** Whether a list failed since there is no connection, and for no reason of its own. */
const isUnopened = (reason: unknown): boolean =>
  reason instanceof SpawnFailedError ||
  reason instanceof UnsupportedVersionError ||
  reason instanceof UnauthorizedError ||
  (reason instanceof NetworkError && !reason.left) ||
  (reason instanceof TimeoutError && reason.id === undefined);

const STARTED: RunEvent = { kind: 'started' };

/** The same for calls that are the same on the wire. What has no form in JSON is like nothing else. */
const keyOf = (call: PlannedCall): unknown => {
  try {
    return canonical(jsonCopy([call.name, call.arguments]));
  } catch {
    return call;
  }
};

/** Makes the calls of batches by a source of tools, as its catalogue permits: without one, one after another. */
export class ToolBackend implements Backend {
  readonly #source: ToolSource;
  readonly #known = new WeakMap<readonly Tool[], Known>();
  /** The ways back from what was declared, the latest first: a model goes on calling by the names it once read. */
  #ways: readonly WayBack[] = [];
  #lastWayBack: WayBack | undefined;

  constructor(source: ToolSource) {
    this.#source = source;
  }

  declared(tools: readonly Tool[]): void {
    const latest = new WayBack(tools.map(({ name }) => name));
    if (this.#ways[0]?.isLike(latest) !== true) this.#ways = [latest, ...this.#ways].slice(0, REMEMBERED);
  }

  prepare({ timeoutMs, maxTotalMs }: BatchOptions): Observable<Ready> {
    return defer(() => this.#source.tools({ timeoutMs, maxTotalMs })).pipe(
      map((tools) => this.#ready(tools)),
      // Where there is no server there is no call, either: each would only wait for it once more.
      catchError((reason: unknown) => (isUnopened(reason) ? throwError(() => reason) : of(this.#ready(undefined)))),
    );
  }

  #ready(tools: readonly Tool[] | undefined): Ready {
    const known = tools === undefined ? undefined : this.#knownOf(tools);
    // The model has the names of the list before, even where there is no list any longer.
    const latest = (this.#lastWayBack = known?.wayBack ?? this.#lastWayBack);
    const ways = latest === undefined ? this.#ways : [...this.#ways, latest];
    return {
      rawName: (name, format) => {
        for (const way of ways) {
          const raw = way.find(name, format);
          if (raw !== undefined) return raw;
        }
        return name;
      },
      knows: (name) => known?.byName.has(name),
      run: (calls, options, reports) => {
        const { overlap, trustAnnotations, toolConcurrency } = this.#source;
        const rule = overlapRule(options.overlap ?? overlap, trustAnnotations);
        const terms = {
          overlap: rule.overlap,
          isSafe: ({ name }: PlannedCall) => rule.isSafe(known?.byName.get(name)),
          keyOf: (call: PlannedCall) => (rule.isOnce(known?.byName.get(call.name)) ? keyOf(call) : call),
          concurrency: options.toolConcurrency ?? toolConcurrency,
        };
        return schedule(calls, terms, (call) => this.#run(call, options, reports));
      },
    };
  }

  #knownOf(tools: readonly Tool[]): Known {
    let known = this.#known.get(tools);
    if (known === undefined) {
      const byName = new Map(tools.map((tool) => [tool.name, tool]));
      known = { byName, wayBack: new WayBack(byName.keys()) };
      this.#known.set(tools, known);
    }
    return known;
  }

  #run(
    { toolCallId, name, arguments: args }: PlannedCall,
    options: BatchOptions,
    reports: boolean,
  ): Observable<RunEvent> {
    const { timeoutMs, maxTotalMs, resetOnProgress, logLevel, meta } = options;
    const how = { toolCallId, reports, timeoutMs, maxTotalMs, resetOnProgress, logLevel, meta };
    return new Observable((subscriber) => {
      if (reports) subscriber.next(STARTED);
      if (subscriber.closed) return undefined;
      return defer(() => this.#source.call(name, args, how)).subscribe({
        next: (event) => {
          subscriber.next(event.kind === 'result' ? { kind: 'outcome', outcome: answered(event.result) } : event);
        },
        error: (reason: unknown) => {
          subscriber.next({ kind: 'outcome', outcome: failedBy(reason) });
          subscriber.complete();
        },
        complete: () => {
          subscriber.complete();
        },
      });
    });
  }
}
