import { asyncScheduler, map, type Observable, type Subscription } from 'rxjs';
import { connect, EraCache, type McpClient } from '../../../src/index.js';
import { type Fault, faultyTransport, fixtureServer, record } from '../../../src/testing/index.js';
import { memoryConnector } from '../../../src/transport/memory/index.js';
import { unrecorded } from '../frames/unrecorded.js';
import type { Program, Step } from './program.js';
import { untilQuiet } from './virtual.js';

/** What one call got. */
export interface Got {
  readonly step: Step;
  /** What it was given to echo. */
  readonly word: string;
  readonly began: number;
  readonly values: unknown[];
  readonly ends: { readonly at: number; readonly reason?: unknown }[];
  /** Values and ends that came after it had ended or was unsubscribed. */
  late: number;
  cancelled: boolean;
}

/** One line of the wire. */
export interface Line {
  readonly life: number;
  readonly at: number;
  readonly kind: 'open' | 'unopened' | 'in' | 'out' | 'fail' | 'end';
  readonly message?: { readonly id?: unknown; readonly method?: string; readonly params?: Record<string, unknown> };
}

/** All that a program led to. */
export interface Outcome {
  readonly calls: readonly Got[];
  readonly lines: readonly Line[];
  /** How many lines there were when `close()` had returned, or undefined if it was never called. */
  readonly linesAtClose: number;
  /** Whether `close()` with time to drain found nothing to wait for. */
  readonly wasQuiet: boolean;
  readonly closed: boolean;
  readonly connections: number;
  readonly working: number;
  readonly open: number;
  readonly callbacks: readonly string[];
}

export const LIMITS = { requestTimeoutMs: 1_000, maxTotalMs: 3_000, probeTimeoutMs: 400, inputTimeoutMs: 500 } as const;

const callOf = (mcp: McpClient, step: Step, word: string): Observable<unknown> => {
  switch (step.do) {
    case 'call': {
      const known = { echo: { message: word }, slow: { steps: 3, ms: 40 }, add: { a: 1, b: 2 }, ask: { for: 'roots' } };
      const args = known[step.tool as keyof typeof known] ?? {};
      return step.observe ? mcp.callTool(step.tool, args, { observe: 'events' }) : mcp.callTool(step.tool, args);
    }
    case 'read':
      return mcp.readResource('fixture://text', { refresh: true });
    case 'ping':
      return mcp.ping();
    case 'watch':
      return mcp.tools$;
    default:
      return mcp.listTools({ refresh: true });
  }
};

/** Only what takes time may say how much. */
const timely = ({ ms, ...fault }: Fault): Fault =>
  ms !== undefined && ['delay', 'reorder'].includes(fault.kind) ? { ...fault, ms } : fault;

/** Runs a program to its end, and ten seconds on; then closes the client. */
export const runProgram = async ({ era, server: serverEra, steps, faults, seed }: Program): Promise<Outcome> => {
  const server = fixtureServer({ era: serverEra });
  const memory = memoryConnector(server);
  const wire = record(faultyTransport(() => memory().pipe(map(unrecorded)), { faults: faults.map(timely), seed }));
  const calls: Got[] = [];
  let [linesAtClose, wasQuiet, closed, open] = [0, true, false, 0];
  const callbacks: string[] = [];
  let closing: Promise<void> | undefined;
  const endMs = steps.reduce((sum, { after }) => sum + after, 0) + 10_000;

  untilQuiet(endMs, (at) => {
    const mcp = connect(wire, {
      era,
      eraCache: new EraCache(),
      // Its compiler is loaded in real time.
      validateOutput: 'off',
      ...LIMITS,
      // The answer to a form is checked by that compiler, too.
      onListRoots: () => [{ uri: 'file:///here' }],
    });
    const streams: readonly Observable<unknown>[] = [
      ...[mcp.notifications$, mcp.progress$, mcp.logs$],
      ...[mcp.warnings$, mcp.wire$, mcp.state$],
    ];
    for (const stream$ of streams) {
      open += 1;
      stream$.subscribe({ complete: () => (open -= 1), error: (reason: unknown) => callbacks.push(String(reason)) });
    }
    const close = (drainMs: number): void => {
      if (closed) return;
      let state = '';
      mcp.state$.subscribe(({ status }) => (state = status));
      closing = mcp.close({ drainMs });
      wasQuiet &&= drainMs === 0 || state === 'closed';
      closed = state === 'closed';
      linesAtClose = wire.lines.length;
    };
    const start = (step: Step): void => {
      const got: Got = {
        step,
        word: `word-${calls.length}`,
        began: asyncScheduler.now(),
        values: [],
        ends: [],
        late: 0,
        cancelled: false,
      };
      calls.push(got);
      const note = (work: () => void): void => {
        if (got.cancelled || got.ends.length > 0) got.late += 1;
        work();
      };
      const subscription: Subscription = callOf(mcp, step, got.word).subscribe({
        next: (value) => note(() => void got.values.push(value)),
        error: (reason: unknown) => note(() => void got.ends.push({ at: asyncScheduler.now(), reason })),
        complete: () => note(() => void got.ends.push({ at: asyncScheduler.now() })),
      });
      const cancelAfter = 'cancelAfter' in step ? step.cancelAfter : undefined;
      if (cancelAfter === undefined) return;
      const cancel = (): void => {
        got.cancelled ||= got.ends.length === 0;
        subscription.unsubscribe();
      };
      if (cancelAfter === 0) cancel();
      else at(cancelAfter, cancel);
    };
    let time = 0;
    for (const step of steps) {
      time += step.after;
      at(time, () => {
        if (step.do === 'announce') server.announce({ kind: step.kind });
        else if (step.do === 'drop') server.drop();
        else if (step.do === 'close') close(0);
        else start(step);
      });
    }
    at(endMs, () => close(1_000));
  });
  // Streams complete when every life of the wire is released, which is told by Promises.
  await closing;
  return {
    calls,
    lines: wire.lines.map((line) => JSON.parse(line) as Line),
    linesAtClose,
    wasQuiet,
    closed,
    connections: server.connections,
    working: server.working,
    open,
    callbacks,
  };
};
