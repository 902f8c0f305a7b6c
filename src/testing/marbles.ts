import { asyncScheduler, type Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import { connect, type McpClient } from '../bridge/index.js';
import { canonical } from '../client/canonical.js';
import type { ClientOptions } from '../client/index.js';
import { quietly } from '../rx/index.js';
import { EraCache } from '../protocol/index.js';
import type { Connector, Transport } from '../transport/index.js';
import { momentsInto } from './moments.js';
import { VirtualScheduler } from './virtual-scheduler.js';

/** One thing that a stream did: the moment in ms of virtual time, and the value, `'|'` for its completion, or its error. */
export type Mark = readonly [at: number, what: unknown];

/** What a test in virtual time has at hand: rxjs' own helpers, and these. */
export interface MarbleHelpers extends RunHelpers {
  /** `connect`, whose clocks are virtual and whose memory of eras is its own. It is closed after the test, once all time has passed. */
  readonly connect: (wire: Connector | Transport, options?: ClientOptions) => McpClient;
  /** Does something at a moment, in ms from now. What it throws fails the test. */
  readonly at: (ms: number, work: () => void) => void;
  /** The moment it is, in ms of virtual time. */
  readonly now: () => number;
  /** Subscribes at once, and writes down what happens in an array that fills as time passes. */
  readonly marksOf: (source$: Observable<unknown>) => readonly Mark[];
  /** Lets all time pass that something is waiting for; also at the end of the test. What never ends must be ended before: see `at`. */
  readonly flush: () => void;
}

/** Compares what `expectObservable` saw with what it should have; throws where they differ. */
export type AssertEqual = (actual: unknown, expected: unknown) => unknown;

/** An error is no JSON: what it says is told apart by its class and message. */
const plain = (value: unknown): unknown => {
  if (value instanceof Error) return { error: value.name, message: value.message };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
};

const assertSame: AssertEqual = (actual, expected) => {
  const [was, should] = [canonical(plain(actual)), canonical(plain(expected))];
  if (was !== should) throw new Error(`the streams differ\n  expected: ${should}\n  actual:   ${was}`);
};

/**
 * Runs a test in virtual time, by rxjs' `TestScheduler`: every clock of a client is virtual in it, so that a test of a minute takes no time.
 * Returns when all that was scheduled has happened; throws what an expectation or a callback of `at` threw. Promises are not virtual: within it
 * use the Observables of a client. Without `assertEqual` values are compared as JSON, and errors by name and message.
 *
 * ```ts
 * marbles(({ connect, expectObservable }) => {
 *   const mcp = connect(scriptedTransport({ 'tools/call': scriptedTransport.silence }), { era: 'modern' });
 *   expectObservable(mcp.callTool('slow')).toBe('60s #', undefined, new TimeoutError('tools/call', 2, 60_000));
 * });
 * ```
 */
export const marbles = (body: (helpers: MarbleHelpers) => void, assertEqual: AssertEqual = assertSame): void => {
  const clients: McpClient[] = [];
  const failures: unknown[] = [];
  const scheduler = new VirtualScheduler((actual, expected) => {
    assertEqual(actual, expected);
  });
  try {
    scheduler.run((helpers) => {
      body({
        ...helpers,
        connect: (wire, options = {}) => {
          const client = connect(wire, { eraCache: new EraCache(), ...options });
          clients.push(client);
          return client;
        },
        at: momentsInto(failures),
        now: () => asyncScheduler.now(),
        marksOf: (source$) => {
          const marks: Mark[] = [];
          const mark = (what: unknown): void => void marks.push([asyncScheduler.now(), what]);
          source$.subscribe({
            next: mark,
            error: mark,
            complete: () => {
              mark('|');
            },
          });
          return marks;
        },
      });
      helpers.flush();
    });
  } finally {
    for (const client of clients) quietly(() => client.close());
  }
  if (failures.length > 0) throw failures[0];
};
