// Random frames, and real ones that were damaged, never throw, never hang and leave nothing.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Observable } from 'rxjs';
import { connect, EraCache } from '../../src/index.js';
import { fixtureServer, record, scriptedTransport } from '../../src/testing/index.js';
import { memoryConnector } from '../../src/transport/memory/index.js';
import { frame, type Mutation, mutated, mutation } from '../support/fuzz/frame.js';
import { FUZZ_MS, settings } from '../support/fuzz/settings.js';
import { untilQuiet } from '../support/fuzz/virtual.js';
import { unrecorded } from '../support/frames/unrecorded.js';
import { watch } from '../support/client/watch.js';

/** Frames for each run; under `npm run fuzz` there are 1 000 runs of each property, in either era: 100 000 frames. */
const FRAMES = 50;

const OPTIONS = {
  requestTimeoutMs: 1_000,
  maxTotalMs: 3_000,
  inputTimeoutMs: 500,
  logLevel: 'debug',
  validateOutput: 'off',
} as const;

/** Has a client with calls in flight hear these texts; it must still be of use, and nothing may be left at its end. */
const hear = async (era: 'modern' | 'legacy', texts: readonly string[]): Promise<void> => {
  const { silence } = scriptedTransport;
  const server = unrecorded(
    scriptedTransport(
      {
        'tools/call': ({ name }) => (name === 'echo' ? { content: [{ type: 'text', text: 'still here' }] } : silence),
        'tools/list': { tools: [] },
        'resources/read': silence,
        'subscriptions/listen': silence,
      },
      { era },
    ),
  );
  let closing: Promise<void> | undefined;
  const ends: boolean[] = [];
  const streams: boolean[] = [];
  untilQuiet(10_000, (at) => {
    const mcp = connect(server, {
      ...OPTIONS,
      era,
      eraCache: new EraCache(),
      onListRoots: () => [],
      onSample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: '' } }),
    });
    [mcp.notifications$, mcp.progress$, mcp.logs$, mcp.warnings$].forEach((stream$, index) => {
      (stream$ as typeof mcp.warnings$).subscribe({ complete: () => (streams[index] = true), error: () => undefined });
    });
    const calls = [
      mcp.callTool('a', {}, { observe: 'events' }),
      mcp.callTool('b', {}, { progressToken: 'token' }),
      mcp.readResource('a://b'),
    ];
    calls.forEach((call$, index) => {
      ends[index] = false;
      const end = (): void => void (ends[index] = true);
      (call$ as Observable<unknown>).subscribe({ complete: end, error: end });
    });
    watch(mcp.tools$);
    at(10, () => texts.forEach((text) => server.pushRaw(text)));
    at(5_000, () => {
      const call = watch(mcp.callTool('echo'));
      expect([call.values, call.error]).toEqual([[expect.objectContaining({ content: expect.anything() })], undefined]);
    });
    at(10_000, () => void (closing = mcp.close()));
  });
  await closing;
  expect([ends, streams]).toEqual([
    [true, true, true],
    [true, true, true, true],
  ]);
};

/** What a real server says in a session that has something of everything. */
const realFrames = async (era: 'modern' | 'legacy'): Promise<readonly string[]> => {
  const wire = record(memoryConnector(fixtureServer()));
  const mcp = connect(wire, { era, eraCache: new EraCache(), logLevel: 'debug', onListRoots: () => [] });
  await mcp.promises.listTools();
  await mcp.promises.listResources();
  await mcp.promises.callTool('ask', { for: 'roots' });
  await mcp.promises.readResource('fixture://picture');
  await mcp.promises.getPrompt('greeting', { name: 'Ada' });
  await watch(mcp.callTool('slow', { steps: 2, ms: 0 }, { observe: 'events' })).end;
  await mcp.close();
  return wire.lines
    .map((line) => JSON.parse(line) as { kind: string; message: unknown })
    .flatMap(({ kind, message }) => (kind === 'in' ? [JSON.stringify(message)] : []));
};

describe.each(['modern', 'legacy'] as const)('a %s client', (era) => {
  it(
    'survives frames of any kind',
    async () => {
      const frames = fc.array(frame, { minLength: FRAMES, maxLength: FRAMES });
      await fc.assert(
        fc.asyncProperty(frames, (texts) => hear(era, texts)),
        settings(25, 1_000),
      );
    },
    FUZZ_MS,
  );

  it(
    'survives what a real server said, damaged',
    async () => {
      const real = await realFrames(era);
      expect(real.length).toBeGreaterThan(8);
      const damaged = fc.array(fc.tuple(fc.nat(), fc.array(mutation, { maxLength: 3 })), {
        minLength: FRAMES,
        maxLength: FRAMES,
      });
      await fc.assert(
        fc.asyncProperty(damaged, (damages) =>
          hear(
            era,
            damages.map(([which, how]: readonly [number, readonly Mutation[]]) =>
              how.reduce(mutated, real[which % real.length] ?? ''),
            ),
          ),
        ),
        settings(25, 1_000),
      );
    },
    FUZZ_MS,
  );
});
