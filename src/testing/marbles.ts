import { asyncScheduler, type Observable, Subscription } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import { connect, type McpClient } from '../bridge/index.js';
import type { ClientOptions, ConnectionState } from '../client/index.js';
import { messageOf, OptionError } from '../errors/index.js';
import { callback } from '../jsonrpc/checks.js';
import { quietly } from '../rx/index.js';
import { EraCache } from '../protocol/index.js';
import type { Connector, Transport } from '../transport/index.js';
import { momentsInto } from './moments.js';
import { havePartsAtHand } from './parts-at-hand.js';
import { isSame, shown } from './same.js';
import { VirtualScheduler } from './virtual-scheduler.js';
import { endVirtualTurn, inVirtualTime, virtualHooks } from './virtual-time.js';

/** One thing that a stream did: the moment in ms of virtual time, and the value, `'|'` for its completion, or its error. */
export type Mark = readonly [at: number, what: unknown];

/** What a test in virtual time has at hand: rxjs' own helpers, and these. */
export interface MarbleHelpers extends RunHelpers {
  /** `connect`, whose clocks are virtual and whose memory of eras is its own. It is closed at the end of the test, once all time has passed. */
  readonly connect: (wire: Connector | Transport, options?: ClientOptions) => McpClient;
  /** Does something at a moment, in ms from now. What it throws fails the test. */
  readonly at: (ms: number, work: () => void) => void;
  /** The moment it is, in ms of virtual time. */
  readonly now: () => number;
  /** Subscribes at once, and writes down what happens in an array that fills as time passes. What the end of the test brings is no mark. */
  readonly marksOf: (source$: Observable<unknown>) => readonly Mark[];
  /** Lets all time pass that something is waiting for; also at the end of the test. What never ends must be ended before: see `at`. See {@link marbles}. */
  readonly flush: () => void;
}

/** Compares what `expectObservable` saw with what it should have; throws where they differ. */
export type AssertEqual = (actual: unknown, expected: unknown) => unknown;

const assertSame: AssertEqual = (actual, expected) => {
  if (isSame(actual, expected)) return;
  throw new Error(`the streams differ\n  expected: ${shown(expected)}\n  actual:   ${shown(actual)}`);
};

const marksOf = (source$: Observable<unknown>, marked: Subscription): readonly Mark[] => {
  const marks: Mark[] = [];
  const mark = (what: unknown): void => void marks.push([asyncScheduler.now(), what]);
  marked.add(
    source$.subscribe({
      next: mark,
      error: mark,
      complete: () => {
        mark('|');
      },
    }),
  );
  return marks;
};

/** A stream that is read, where it has not ended. */
const streamInWords = (marks: readonly Mark[]): string | undefined => {
  const [at, what] = marks.at(-1) ?? [];
  if (what === '|' || what instanceof Error) return undefined;
  return at === undefined ? 'a stream of marksOf without a mark' : `a stream of marksOf, last mark at ${at} ms`;
};

/** A client, where it is open. */
const clientInWords = (client: McpClient): string | undefined => {
  let state = undefined as ConnectionState | undefined;
  client.state$.subscribe({ next: (now) => (state = now), error: () => undefined }).unsubscribe();
  if (state === undefined || state.status === 'closed') return undefined;
  return `a client that is ${state.status}${state.status === 'failed' ? ` (${messageOf(state.error)})` : ''}`;
};

/** What only looks as if it had passed, since nobody waits for it. */
const refuseLater = (made: unknown): void => {
  if (typeof (made as { then?: unknown } | null | undefined)?.then !== 'function') return;
  quietly(() => made);
  throw new OptionError('body', 'let it return nothing: a Promise is not waited for, and none is virtual');
};

/**
 * Runs a test in virtual time, by rxjs' `TestScheduler`: every clock of a client is virtual in it, so that a test of a minute takes no time.
 * Returns when all that was scheduled has happened; throws what an expectation or a callback of `at` threw. Promises are not virtual: within it
 * use the Observables of a client; a body that returns one is an `OptionError`. Without `assertEqual` values are compared by what is in them, and
 * errors by name, message and members. A test that does not end throws after 500 000 turns, or
 * 5000 beyond the third day of its time, and says what is open.
 *
 * ```ts
 * marbles(({ connect, expectObservable }) => {
 *   const mcp = connect(scriptedTransport({ 'tools/call': scriptedTransport.silence }), { era: 'modern' });
 *   expectObservable(mcp.callTool('slow')).toBe('60s #', undefined, new TimeoutError('tools/call', 2, 60_000));
 * });
 * ```
 */
export const marbles = (body: (helpers: MarbleHelpers) => void, assertEqual: AssertEqual = assertSame): void => {
  callback(body, 'body');
  havePartsAtHand();
  const clients: McpClient[] = [];
  const failures: unknown[] = [];
  const marked = new Subscription();
  const open: (() => string | undefined)[] = [];
  const scheduler = new VirtualScheduler(
    (actual, expected) => {
      assertEqual(actual, expected);
    },
    () => open.map((each) => each()).filter((words) => words !== undefined),
  );
  const end = (): void => {
    // What comes of the end is nothing that the test has seen.
    marked.unsubscribe();
    for (const client of clients) quietly(() => client.close());
    endVirtualTurn();
    scheduler.end();
  };
  const own = (helpers: RunHelpers): MarbleHelpers => ({
    ...helpers,
    connect: (wire, options = {}) => {
      const client = connect(wire, { eraCache: new EraCache(), ...virtualHooks(options) });
      clients.push(client);
      open.push(() => clientInWords(client));
      return client;
    },
    at: momentsInto(failures),
    now: () => asyncScheduler.now(),
    marksOf: (source$) => {
      const marks = marksOf(source$, marked);
      open.push(() => streamInWords(marks));
      return marks;
    },
  });
  inVirtualTime(failures, () => {
    try {
      scheduler.run((helpers) => {
        try {
          const run: (own: MarbleHelpers) => unknown = body;
          refuseLater(run(own(helpers)));
          helpers.flush();
        } finally {
          end();
        }
      });
    } catch (reason) {
      failures.push(reason);
    }
  });
  if (failures.length > 0) throw failures[0];
};
