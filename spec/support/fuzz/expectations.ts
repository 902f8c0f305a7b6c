import { expect } from '@jest/globals';
import { McpError, ProtocolError, TimeoutError } from '../../../src/index.js';
import { type Got, type Line, LIMITS, type Outcome } from './run-program.js';

const textOf = (value: unknown): string | undefined =>
  (value as { content?: { text?: string }[] } | undefined)?.content?.[0]?.text;

/** The last value of a call, out of its events if it had some. */
const resultOf = ({ values }: Got): unknown => {
  const last = values.at(-1) as { kind?: string; result?: unknown } | undefined;
  return last?.kind === 'result' ? last.result : last;
};

const isCall = ({ step }: Got): boolean => step.do !== 'watch';

/** Each call gets one outcome in its time, and nothing afterwards. */
const checkOutcomes = ({ calls }: Outcome): void => {
  for (const got of calls) {
    expect([got.late, got.step]).toEqual([0, got.step]);
    if (got.cancelled) {
      expect(got.ends).toEqual([]);
      continue;
    }
    if (!isCall(got)) continue;
    expect([got.ends.length, got.step]).toEqual([1, got.step]);
    const [{ at = NaN, reason } = {}] = got.ends;
    expect(at - got.began).toBeLessThanOrEqual(LIMITS.maxTotalMs + LIMITS.inputTimeoutMs);
    if (reason !== undefined) {
      expect(reason).toBeInstanceOf(McpError);
      continue;
    }
    const results = got.values.filter(
      (value) => ((value as { kind?: string } | undefined)?.kind ?? 'result') === 'result',
    );
    expect([results.length, results[0] === got.values.at(-1)]).toEqual([1, true]);
  }
};

const requestsOf = (lines: readonly Line[]): readonly Line[] =>
  lines.filter(({ kind, message }) => kind === 'out' && message?.method !== undefined && message.id !== undefined);

/** What the client may write: no id or token twice in a life, nothing after its end, a cancellation once and of what is out. */
const checkWire = ({ lines, linesAtClose, callbacks }: Outcome): void => {
  for (const life of new Set(lines.map((line) => line.life))) {
    const own = lines.filter((line) => line.life === life);
    const ids = requestsOf(own).map(({ message }) => message?.id);
    expect(new Set(ids).size).toBe(ids.length);
    const tokens = requestsOf(own).flatMap(({ message }) => {
      const { progressToken } = (message?.params?.['_meta'] ?? {}) as { progressToken?: unknown };
      return progressToken === undefined ? [] : [progressToken];
    });
    expect(new Set(tokens).size).toBe(tokens.length);
    const cancelled = own.flatMap(({ kind, message }) =>
      kind === 'out' && message?.method === 'notifications/cancelled' ? [message.params?.['requestId']] : [],
    );
    expect(new Set(cancelled).size).toBe(cancelled.length);
    for (const id of cancelled) expect(ids).toContain(id);
    const initialize = own.find(({ message }) => message?.method === 'initialize')?.message?.id;
    if (initialize !== undefined) expect(cancelled).not.toContain(initialize);
    const end = own.findIndex(({ kind }) => kind === 'end');
    if (end >= 0) expect(own.slice(end + 1).filter(({ kind }) => kind === 'out')).toEqual([]);
  }
  expect(lines.slice(linesAtClose).filter(({ kind }) => kind === 'out' || kind === 'open')).toEqual([]);
  expect(callbacks).toEqual([]);
};

/** After the end nothing is left. */
const checkRest = ({ wasQuiet, closed, connections, working, open }: Outcome): void => {
  expect({ wasQuiet, closed, connections, working, open }).toEqual({
    wasQuiet: true,
    closed: true,
    connections: 0,
    working: 0,
    open: 0,
  });
};

/** What holds whatever goes wrong. */
export const checkAlways = (outcome: Outcome): void => {
  checkOutcomes(outcome);
  checkWire(outcome);
  checkRest(outcome);
};

/** What each call must get where nothing is lost. */
export const checkCalm = (outcome: Outcome): void => {
  for (const got of outcome.calls) {
    if (got.cancelled) continue;
    const [{ reason } = {}] = got.ends;
    const { step } = got;
    if (step.do === 'watch') expect(reason).toBeUndefined();
    else if (step.do === 'ping') expect([reason, got.values]).toEqual([undefined, [true]]);
    else if (step.do !== 'call') expect([reason, got.values.length]).toEqual([undefined, 1]);
    else if (step.tool === 'hang') expect(reason).toBeInstanceOf(TimeoutError);
    else if (step.tool === 'nope') expect(reason).toBeInstanceOf(ProtocolError);
    else {
      expect([reason, step]).toEqual([undefined, step]);
      const result = resultOf(got) as { isError?: boolean; structuredContent?: unknown };
      if (step.tool === 'echo') expect(textOf(result)).toBe(got.word);
      if (step.tool === 'slow') expect(textOf(result)).toBe('3 steps');
      if (step.tool === 'fail') expect(result.isError).toBe(true);
      if (step.tool === 'add') expect(result.structuredContent).toEqual({ sum: 3 });
      if (step.tool === 'ask') expect(textOf(result)).toContain('file:///here');
    }
  }
};
