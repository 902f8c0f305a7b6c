import { describe, expect, it } from '@jest/globals';
import { type Observable, of, Subject } from 'rxjs';
import { executeBatch } from '../../src/bridge/batch.js';
import type { Happened } from '../../src/bridge/backend.js';
import type {
  BatchOptions,
  CallToolResult,
  Spilled,
  ToolCallEvent,
  ToolCallProgress,
  ToolResult,
} from '../../src/index.js';
import { watch } from '../support/client/watch.js';
import { answering, backend, call, outcome, text } from './support/batches.js';

const PNG = 'iVBORw0KGgo=';
const RESULTS: Readonly<Record<string, CallToolResult>> = {
  words: text('words'),
  long: text('long '.repeat(2_000)),
  longer: text('longer '.repeat(2_000)),
  image: { content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] },
  link: { content: [{ type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' }] },
  structured: { content: [], structuredContent: { sum: 3 } },
  both: { content: [{ type: 'text', text: 'three' }], structuredContent: { sum: 3 } },
  nothing: { content: [] },
  failed: { content: [{ type: 'text', text: 'broken' }], isError: true },
};

const source = () => answering((name) => RESULTS[name] as CallToolResult);
const calls = (...names: readonly string[]) => names.map((name, index) => call(String(index), name));

const answersOf = (names: readonly string[], options: BatchOptions = {}): ToolResult[] => {
  const { values, error } = watch(executeBatch(calls(...names), options, source()) as Observable<ToolResult[]>);
  expect(error).toBeUndefined();
  expect(values).toHaveLength(1);
  return values[0] as ToolResult[];
};

const eventsOf = (names: readonly string[], options: BatchOptions = {}) =>
  watch(
    executeBatch(calls(...names), { ...options, observe: 'events' }, source()) as Observable<ToolCallEvent<'neutral'>>,
  );

/** The result of each call, by its index, from events. */
const resultsIn = (events: readonly ToolCallEvent<'neutral'>[]): ToolResult[] => {
  const results: ToolResult[] = [];
  for (const event of events) if (event.kind === 'result') results[event.index] = event.result;
  return results;
};

describe('what a model reads of a call', () => {
  it('is its text, the names of what is none, its structure where there is nothing else, or that there was nothing', () => {
    const names = ['words', 'image', 'link', 'structured', 'both', 'nothing', 'failed'];
    expect(answersOf(names)).toEqual([
      { role: 'tool', tool_call_id: '0', content: 'words', is_error: false },
      { role: 'tool', tool_call_id: '1', content: '[image: image/png, 8 bytes]', is_error: false },
      { role: 'tool', tool_call_id: '2', content: '[resource link: a.txt, file:///a.txt]', is_error: false },
      { role: 'tool', tool_call_id: '3', content: '{"sum":3}', is_error: false, structured_content: { sum: 3 } },
      { role: 'tool', tool_call_id: '4', content: 'three', is_error: false, structured_content: { sum: 3 } },
      { role: 'tool', tool_call_id: '5', content: 'The tool returned no content.', is_error: false },
      { role: 'tool', tool_call_id: '6', content: 'broken', is_error: true },
    ]);
  });

  it('is the image itself where parts are wanted', () => {
    expect(answersOf(['image'], { media: 'parts' })[0]?.content).toEqual([
      { type: 'image', data: PNG, mimeType: 'image/png' },
    ]);
  });

  it('is the same from events', () => {
    const names = ['words', 'image', 'structured', 'nothing', 'failed', 'long'];
    for (const options of [
      {},
      { budget: { perCall: 50 } },
      { budget: { perBatch: 100 } },
      { media: 'parts' as const },
    ]) {
      const { values, completed } = eventsOf(names, options);
      expect(resultsIn(values)).toEqual(answersOf(names, options));
      expect(completed).toBe(true);
    }
  });

  it('is as long as the tool makes it without a budget', () => {
    expect(answersOf(['long'])[0]?.content).toHaveLength(10_000);
  });
});

describe('the whole result of a call', () => {
  it.each([
    ['in no vendor’s shape', call('1', 'long')],
    ['of OpenAI', { type: 'function', id: '1', function: { name: 'long', arguments: '{}' } }],
    ['of Anthropic', { type: 'tool_use', id: '1', name: 'long', input: {} }],
    ['of Gemini', { id: '1', name: 'long', args: {} }],
    ['of the AI SDK', { type: 'tool-call', toolCallId: '1', toolName: 'long', input: {} }],
  ])('is within reach and not in what goes to the model, %s', (_shape, one) => {
    const { values } = watch(executeBatch([one], { budget: { perCall: 40 } }, source()) as Observable<ToolResult[]>);
    const answer = values[0]?.[0] as ToolResult;
    expect(answer.raw).toBe(RESULTS['long']);
    expect(answer.is_error).toBe(false);
    expect(Object.keys(answer)).not.toContain('raw');
    expect(JSON.stringify(answer).length).toBeLessThan(500);
  });

  it('is not there for a call that was never answered', () => {
    const { values } = watch(
      executeBatch(
        [null, call('1', 'a')],
        {},
        backend(() => of()),
      ) as Observable<ToolResult[]>,
    );
    expect(values[0]?.map((answer) => answer.raw)).toEqual([undefined, undefined]);
  });
});

describe('a budget', () => {
  const size = ({ content }: ToolResult) => (content as string).length / 4;

  it('for each call cuts what is longer, and leaves the others whole', () => {
    const [words, long, failed] = answersOf(['words', 'long', 'failed'], { budget: { perCall: 100 } });
    expect([words?.content, failed?.content]).toEqual(['words', 'broken']);
    expect(long?.content).toMatch(/^long .*characters .* left out here.* long $/s);
    expect(size(long as ToolResult)).toBeLessThanOrEqual(100);
  });

  it('for one tool is by its own name, whatever the model calls it', () => {
    const raw = backend(
      (planned) => of(...planned.map((_, slot) => outcome(slot, RESULTS['long'] as CallToolResult))),
      () => 'its.own',
    );
    const budget = { perCall: 1_000, tools: { 'its.own': 50 } };
    const { values } = watch(executeBatch([call('1', 'its_own')], { budget }, raw) as Observable<ToolResult[]>);
    expect(size(values[0]?.[0] as ToolResult)).toBeLessThanOrEqual(50);
  });

  it('for the batch is shared, whichever call was first', () => {
    const shared = answersOf(['long', 'words', 'longer'], { budget: { perBatch: 400 } });
    expect(shared[1]?.content).toBe('words');
    expect(shared.reduce((sum, one) => sum + size(one), 0)).toBeLessThanOrEqual(400);
    const turned = answersOf(['longer', 'words', 'long'], { budget: { perBatch: 400 } });
    expect([turned[2]?.content, turned[0]?.content]).toEqual([shared[0]?.content, shared[2]?.content]);
  });

  it('for the batch keeps the result events back until all are there, and nothing else', () => {
    const happened = new Subject<Happened>();
    const seen = watch(
      executeBatch(
        calls('long', 'longer'),
        { observe: 'events', budget: { perBatch: 200 } },
        backend(() => happened),
      ) as Observable<ToolCallEvent<'neutral'>>,
    );
    const { values } = seen;
    const kinds = () => values.map(({ kind, index }) => `${kind} ${String(index)}`);
    happened.next({ slot: 1, value: { kind: 'started' } });
    happened.next(outcome(1, RESULTS['longer'] as CallToolResult));
    happened.next({ slot: 0, value: { kind: 'started' } });
    expect(kinds()).toEqual(['started 1', 'started 0']);
    happened.next(outcome(0, RESULTS['long'] as CallToolResult));
    happened.complete();
    expect(kinds()).toEqual(['started 1', 'started 0', 'result 0', 'result 1']);
    expect(seen.completed).toBe(true);
    expect(resultsIn(values)).toEqual(answersOf(['long', 'longer'], { budget: { perBatch: 200 } }));
  });

  it('for each call lets each result go as it comes', () => {
    const happened = new Subject<Happened>();
    const { values } = watch(
      executeBatch(
        calls('long', 'words'),
        { observe: 'events', budget: { perCall: 50 } },
        backend(() => happened),
      ),
    );
    happened.next(outcome(1, RESULTS['words'] as CallToolResult));
    expect(values).toMatchObject([{ kind: 'result', index: 1 }]);
  });

  it('counts as the application counts', () => {
    const budget = { perCall: 300 };
    const [byWords] = answersOf(['long'], { budget, countTokens: (part) => part.split(' ').length });
    expect((byWords?.content as string).split(' ').length).toBeLessThanOrEqual(300);
    expect((byWords?.content as string).length).toBeGreaterThan(300 * 4 - 100);
  });
});

describe('what is cut', () => {
  it('is handed to the spill hook whole, which may say where it is', () => {
    const spilled: Spilled[] = [];
    const spill = (what: Spilled) => {
      spilled.push(what);
      return of(`/tmp/${what.toolCallId}.txt`);
    };
    const [words, long] = answersOf(['words', 'long'], { budget: { perCall: 100 }, spill });
    expect(spilled).toEqual([{ tool: 'long', toolCallId: '1', text: 'long '.repeat(2_000), raw: RESULTS['long'] }]);
    expect(words?.content).toBe('words');
    expect(long?.content).toContain('/tmp/1.txt');
  });

  it('is answered all the same where the hook throws, rejects or says nothing', async () => {
    const hooks = [
      () => {
        throw new Error('disk full');
      },
      () => Promise.reject(new Error('disk full')),
      () => undefined,
      () => of(),
      () => 7 as never,
    ];
    for (const spill of hooks) {
      const seen = watch(executeBatch(calls('long'), { budget: { perCall: 100 }, spill }, source()));
      await seen.end;
      expect([seen.error, seen.values]).toEqual([
        undefined,
        [[expect.objectContaining({ content: expect.stringMatching(/left out here \.\.\.\]/) })]],
      ]);
    }
  });

  it('as an event waits for its own hook alone', () => {
    const place = new Subject<string>();
    const seen = watch(
      executeBatch(
        calls('long', 'words'),
        { observe: 'events', budget: { perCall: 100 }, spill: () => place },
        source(),
      ) as Observable<ToolCallEvent<'neutral'>>,
    );
    const { values } = seen;
    expect(values.map(({ index }) => index)).toEqual([1]);
    place.next('here');
    place.complete();
    expect(values.map(({ index }) => index)).toEqual([1, 0]);
    expect(JSON.stringify(values[1])).toContain('here');
    expect(seen.completed).toBe(true);
  });

  it('lets go of the hook where nobody wants the answer any longer', () => {
    const place = new Subject<string>();
    const { subscription } = watch(
      executeBatch(calls('long'), { budget: { perCall: 100 }, spill: () => place }, source()),
    );
    expect(place.observed).toBe(true);
    subscription.unsubscribe();
    expect(place.observed).toBe(false);
  });
});

describe('progress of a batch', () => {
  const told = (slot: number, extra: object = {}): Happened => ({
    slot,
    value: { kind: 'progress', progress: 1, requestId: 7, progressToken: 9, method: 'tools/call', ...extra },
  });

  it('is told under the id of its call, with no more than was said', () => {
    const reports: ToolCallProgress[] = [];
    const onProgress = (report: ToolCallProgress) => {
      reports.push(report);
    };
    const run = backend(() => of(told(1), told(0, { total: 2, message: 'half' }), told(1, { toolCallId: 'other' })));
    watch(executeBatch([call('a', 'x'), call('b', 'x')], { onProgress }, run));
    expect(reports).toStrictEqual([
      { toolCallId: 'b', progress: 1 },
      { toolCallId: 'a', progress: 1, total: 2, message: 'half' },
      { toolCallId: 'b', progress: 1 },
    ]);
  });

  it('is told beside events, too', () => {
    const reports: unknown[] = [];
    const run = backend(() => of(told(0), outcome(0, text('done'))));
    const { values } = watch(
      executeBatch([call('a', 'x')], { observe: 'events', onProgress: (report) => reports.push(report) }, run),
    );
    expect(reports).toHaveLength(1);
    expect(values).toMatchObject([{ kind: 'progress', toolCallId: 'a', index: 0, progress: 1 }, { kind: 'result' }]);
  });

  it('harms nothing where who is told throws or rejects', async () => {
    for (const onProgress of [
      () => {
        throw new Error('a bug');
      },
      (): unknown => Promise.reject(new Error('a bug')),
    ]) {
      const run = backend(() => of(told(0), outcome(0, text('done'))));
      const { values, error } = watch(executeBatch([call('a', 'x')], { onProgress }, run));
      await Promise.resolve();
      expect([error, values]).toEqual([undefined, [[expect.objectContaining({ content: 'done' })]]]);
    }
  });

  it('asks the backend for reports by being wanted, and not otherwise', () => {
    const asked: boolean[] = [];
    const run = backend((_calls, _options, reports) => {
      asked.push(reports);
      return of();
    });
    watch(executeBatch([call('a', 'x')], {}, run));
    watch(executeBatch([call('a', 'x')], { observe: 'results' }, run));
    watch(executeBatch([call('a', 'x')], { observe: 'events' }, run));
    watch(executeBatch([call('a', 'x')], { onProgress: () => undefined }, run));
    expect(asked).toEqual([false, false, true, true]);
  });
});
