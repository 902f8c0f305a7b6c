import { describe, expect, it } from '@jest/globals';
import { concat, EMPTY, NEVER, Observable, of, Subject, throwError } from 'rxjs';
import { executeBatch } from '../../src/bridge/batch.js';
import type { Happened } from '../../src/bridge/backend.js';
import type { CallOutcome } from '../../src/bridge/outcome.js';
import { CancelledError, OptionError, ProtocolError } from '../../src/index.js';
import { watch } from '../support/client/watch.js';
import { answering, backend, call, outcome, text } from './support/batches.js';

const echo = () => answering((name) => text(`${name} done`));

/** The answers of a batch that ends at once. */
const answersOf = (calls: unknown, source = echo()): readonly unknown[] => {
  const { values, error, completed } = watch(executeBatch(calls, {}, source));
  expect(error).toBeUndefined();
  expect(completed).toBe(true);
  expect(values).toHaveLength(1);
  return values[0] as readonly unknown[];
};

const good = (id: string, content = 'a done') => ({ role: 'tool', tool_call_id: id, content, is_error: false });
const bad = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content, is_error: true });

describe('the calls of a batch', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['empty', []],
  ] as const)('may be %s: nothing is asked, and the answer is an empty list', (_name, calls) => {
    const source = echo();
    expect(answersOf(calls, source)).toEqual([]);
    expect(source.ran.flat()).toEqual([]);
  });

  it.each([
    ['an object', { id: '1', name: 'a' }],
    ['a text', '[]'],
    ['a number', 0],
    ['false', false],
  ])('that are no list but %s are an OptionError that says so', (_name, calls) => {
    const { error, values } = watch(executeBatch(calls, {}, echo()));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toHaveProperty('option', 'calls');
    expect(values).toEqual([]);
  });

  it('have each its answer in its slot, under its id, whatever else is in the list', () => {
    const sparse: unknown[] = [call('1', 'a'), undefined, call('3', 'a')];
    sparse[4] = call('5', 'a');
    expect(answersOf(sparse)).toEqual([
      good('1'),
      bad('', expect.stringContaining('This is no tool call')),
      good('3'),
      bad('', expect.stringContaining('This is no tool call')),
      good('5'),
    ]);
  });

  it('that are malformed are told why, each in the shape it is nearest to, and cost the others nothing', () => {
    const hostile = {
      get name(): string {
        throw new Error('no name for you');
      },
    };
    const answers = answersOf([
      call('1', 'a'),
      null,
      'a',
      7,
      [],
      {},
      { id: 'n', name: '' },
      { id: 'j', name: 'a', arguments: '{"x":' },
      { id: 'l', name: 'a', arguments: [1] },
      { type: 'function', id: 'f' },
      { type: 'tool_use', id: 't', input: {} },
      { type: 'image_generation_call', id: 'ig' },
      hostile,
      call('2', 'a'),
    ]);
    expect(answers).toEqual([
      good('1'),
      ...Array.from({ length: 4 }, () => bad('', expect.stringContaining('no tool call'))),
      bad('', expect.stringContaining('names no tool')),
      bad('n', expect.stringContaining('names no tool')),
      bad('j', expect.stringContaining('no valid JSON')),
      bad('l', expect.stringContaining('a list')),
      { role: 'tool', tool_call_id: 'f', content: expect.stringContaining('names no tool') },
      { type: 'tool_result', tool_use_id: 't', content: expect.stringContaining('names no tool'), is_error: true },
      bad('ig', expect.stringContaining('cannot be made here')),
      bad('', expect.stringContaining('no name for you')),
      good('2'),
    ]);
  });

  it('that are all malformed ask nobody anything', () => {
    let prepared = false;
    const source = {
      prepare: () => {
        prepared = true;
        return NEVER;
      },
    };
    const { values, completed } = watch(executeBatch([null, {}], {}, source));
    expect([prepared, completed]).toEqual([false, true]);
    expect(values[0]).toHaveLength(2);
  });

  it('are answered in the shape in which they came, also side by side in one batch', () => {
    expect(
      answersOf([
        call('neutral', 'a'),
        { type: 'function', id: 'chat', function: { name: 'a', arguments: '' } },
        { type: 'function_call', id: 'item', call_id: 'resp', name: 'a', arguments: '{}' },
        { type: 'tool_use', id: 'claude', name: 'a', input: {} },
        { id: 'gem', name: 'a', args: {} },
        { functionCall: { name: 'a', args: {} } },
        { type: 'tool-call', toolCallId: 'sdk', toolName: 'a', input: {} },
      ]),
    ).toEqual([
      good('neutral'),
      { role: 'tool', tool_call_id: 'chat', content: 'a done' },
      { type: 'function_call_output', call_id: 'resp', output: 'a done' },
      { type: 'tool_result', tool_use_id: 'claude', content: 'a done', is_error: false },
      { functionResponse: { id: 'gem', name: 'a', response: { output: 'a done' } } },
      { functionResponse: { name: 'a', response: { output: 'a done' } } },
      { type: 'tool-result', toolCallId: 'sdk', toolName: 'a', output: { type: 'text', value: 'a done' } },
    ]);
  });

  it('of Gemini without arguments are answered in its shape where others beside them are its own', () => {
    const bare = [{ id: 'x', name: 'a' }, { name: 'b' }];
    const function_ = (name: string, id?: string) => ({
      functionResponse: { ...(id !== undefined && { id }), name, response: { output: `${name} done` } },
    });
    expect(answersOf([...bare, { id: 'z', name: 'c', args: {} }])).toEqual([
      function_('a', 'x'),
      function_('b'),
      function_('c', 'z'),
    ]);
    expect(answersOf([...bare, call('z', 'c')])).toEqual([good('x'), good('', 'b done'), good('z', 'c done')]);
    // What says what it is stays what it is.
    expect(answersOf([call('x', 'a'), {}, { id: 'z', name: 'c', args: {} }])).toEqual([
      good('x'),
      bad('', expect.stringContaining('names no tool')),
      function_('c', 'z'),
    ]);
  });

  it('may have ids that are missing, there twice, numbers, 0 or empty: each slot has its answer', () => {
    const ids = [undefined, 'x', 'x', 7, 0, '', null, 10n, {}];
    const source = backend((calls) =>
      of(...calls.map(({ arguments: args }, slot) => outcome(slot, text(String(args['n']))))),
    );
    expect(
      answersOf(
        ids.map((id, n) => ({ id, name: 'a', arguments: { n } })),
        source,
      ),
    ).toEqual(['', 'x', 'x', '7', '0', '', '', '10', ''].map((id, n) => good(id, String(n))));
  });

  it('reach the backend with the tool’s own name, their arguments read, and without those that cannot be made', () => {
    const source = backend(
      () => EMPTY,
      (name, format) => `${format}:${name}`,
    );
    watch(
      executeBatch([call('1', 'a', '{"x":1}'), null, { type: 'tool_use', id: 2, name: 'b', input: null }], {}, source),
    );
    expect(source.ran).toEqual([
      [
        { toolCallId: '1', name: 'neutral:a', arguments: { x: 1 } },
        { toolCallId: '2', name: 'anthropic:b', arguments: {} },
      ],
    ]);
  });
});

describe('a batch', () => {
  const TWO = [call('1', 'a'), call('2', 'b')];

  it('is cold, and runs once for each who subscribes', () => {
    const source = echo();
    const batch$ = executeBatch(TWO, {}, source);
    expect(source.ran).toHaveLength(0);
    watch(batch$);
    watch(batch$);
    expect(source.ran).toHaveLength(2);
  });

  it('has its answers in the order of its calls, whichever came first', () => {
    const source = backend(() => of(outcome(1, text('second')), outcome(0, text('first'))));
    expect(answersOf(TWO, source)).toEqual([good('1', 'first'), good('2', 'second')]);
  });

  it.each([
    ['fails', () => throwError(() => new Error('a bug'))],
    [
      'throws',
      () => {
        throw new Error('a bug');
      },
    ],
  ] as const)('whose backend %s says so in each of its answers', (_how, run) => {
    const failing = backend(run);
    expect(answersOf([null, ...TWO], failing)).toEqual([
      bad('', expect.stringContaining('no tool call')),
      bad('1', 'Error: a bug'),
      bad('2', 'Error: a bug'),
    ]);
    const events = watch(executeBatch(TWO, { observe: 'events' }, failing));
    expect(events.values).toEqual([
      { kind: 'result', toolCallId: '1', index: 0, result: bad('1', 'Error: a bug') },
      { kind: 'result', toolCallId: '2', index: 1, result: bad('2', 'Error: a bug') },
    ]);
  });

  it('whose backend fails in the middle keeps the answers that it had', () => {
    const source = backend(() =>
      concat(
        of(outcome(1, text('done'))),
        throwError(() => new Error('a bug')),
      ),
    );
    expect(answersOf(TWO, source)).toEqual([bad('1', 'Error: a bug'), good('2', 'done')]);
  });

  it('whose backend forgets a call says that it was not answered', () => {
    const source = backend(() => of(outcome(0, text('done'))));
    expect(answersOf(TWO, source)).toEqual([good('1', 'done'), bad('2', 'Error: the call was not answered.')]);
    const { values } = watch(executeBatch(TWO, { observe: 'events' }, source));
    expect(values.map((event) => (event as { index: number }).index)).toEqual([0, 1]);
  });

  it('takes the first answer to a call, and hears nothing of it afterwards', () => {
    const late: Happened = {
      slot: 0,
      value: { kind: 'progress', progress: 9, requestId: 1, progressToken: 1, method: 'm' },
    };
    const source = backend(() => of(outcome(0, text('first')), late, outcome(0, text('again')), outcome(1, text('x'))));
    expect(answersOf(TWO, source)).toEqual([good('1', 'first'), good('2', 'x')]);
    const { values } = watch(executeBatch(TWO, { observe: 'events' }, source));
    expect(values.map((event) => (event as { kind: string }).kind)).toEqual(['result', 'result']);
  });

  it('hears nothing of calls that are not in it', () => {
    const source = backend(() => of(outcome(7, text('whose?')), outcome(-1, text('whose?'))));
    expect(answersOf(TWO, source)).toEqual([
      bad('1', 'Error: the call was not answered.'),
      bad('2', 'Error: the call was not answered.'),
    ]);
  });

  it.each([
    ['errors', () => throwError(() => new Error('nobody home')), 'Error: nobody home'],
    [
      'throws',
      () => {
        throw new Error('nobody home');
      },
      'Error: nobody home',
    ],
    ['completes empty', () => EMPTY, 'Error: no tool is called'],
  ] as const)('whose backend %s before it is ready has that as each answer', (_how, prepare, words) => {
    expect(answersOf(TWO, { prepare, ran: [] })).toEqual([bad('1', words), bad('2', words)]);
  });

  it('takes the backend as it was when it was ready first', () => {
    const states = new Subject<never>();
    const source = echo();
    const { values, completed } = watch(executeBatch(TWO, {}, { prepare: () => concat(source.prepare(), states) }));
    expect([values.length, completed, states.observed]).toEqual([1, true, false]);
  });

  it('that is unsubscribed unsubscribes what makes its calls', () => {
    const stopped: string[] = [];
    const source = backend(
      () =>
        new Observable(() => () => {
          stopped.push('run');
        }),
    );
    const { subscription } = watch(executeBatch(TWO, {}, source));
    expect(stopped).toEqual([]);
    subscription.unsubscribe();
    expect(stopped).toEqual(['run']);
  });
});

describe('the signal of a batch', () => {
  const CALLS = [call('1', 'a')];

  it('that was aborted beforehand is a CancelledError, and nothing is asked', () => {
    const source = echo();
    const reason = new Error('enough');
    const { error, values } = watch(executeBatch(CALLS, { signal: AbortSignal.abort(reason) }, source));
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toMatchObject({ method: 'executeToolCalls', cause: reason });
    expect([values, source.ran]).toEqual([[], []]);
  });

  it.each(['results', 'events'] as const)('that is aborted while calls run ends the batch of %s', (observe) => {
    let stopped = false;
    const source = backend(
      () =>
        new Observable(() => () => {
          stopped = true;
        }),
    );
    const abort = new AbortController();
    const seen = watch(executeBatch(CALLS, { signal: abort.signal, observe }, source));
    abort.abort();
    expect(seen.error).toBeInstanceOf(CancelledError);
    expect(stopped).toBe(true);
  });

  it('that is aborted at the sight of the answers changes nothing any more', () => {
    const abort = new AbortController();
    const marks: unknown[] = [];
    executeBatch(CALLS, { signal: abort.signal }, echo()).subscribe({
      next: () => {
        marks.push('next');
        abort.abort();
      },
      error: () => marks.push('error'),
      complete: () => marks.push('complete'),
    });
    expect(marks).toEqual(['next', 'complete']);
  });

  it('that is none is an OptionError that names it, like every other option', () => {
    const { error } = watch(executeBatch(CALLS, { signal: 'now' as never }, echo()));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toHaveProperty('option', 'signal');
  });
});

describe('a call that fails', () => {
  const HINT = 'There is no tool of this name among those that are declared: call one of them.';
  type Knows = ((name: string) => boolean | undefined) | null;

  const told = (value: Partial<CallOutcome> & Pick<CallOutcome, 'result'>, knows: Knows = () => false): unknown => {
    const source = {
      prepare: () =>
        of({
          rawName: (name: string) => name,
          ...(knows !== null && { knows }),
          run: () => of({ slot: 0, value: { kind: 'outcome', outcome: { raw: undefined, ...value } } } as const),
        }),
    };
    return (watch(executeBatch([call('1', 'a')], {}, source)).values[0] as readonly { content: unknown }[])[0]?.content;
  };

  const saying = (...words: readonly string[]) => ({
    content: words.map((one) => ({ type: 'text' as const, text: one })),
    isError: true,
  });
  const said = (result: ReturnType<typeof saying>) => ({ result, raw: result });

  it.each(['Tool a not found', 'Unknown tool: a', 'no such tool'])(
    'of a tool that nobody has, as its server says, is first told that: %s',
    (words) => {
      expect(told(said(saying(words)))).toBe(`${HINT}\n\n${words}`);
    },
  );

  it('of a tool that nobody has, as its error says, is first told that', () => {
    const error = new ProtocolError(-32602, 'bad', undefined);
    expect(told({ result: saying('bad'), error })).toBe(`${HINT}\n\nbad`);
  });

  it('for another reason is told that reason alone', () => {
    const notFound = saying('not found');
    for (const knows of [() => true, () => undefined, null]) expect(told(said(notFound), knows)).toBe('not found');
    expect(told(said(saying('disk full')))).toBe('disk full');
    expect(told(said(saying('disk full', 'file not found')))).toBe('disk full\n\nfile not found');
    expect(told({ result: notFound, error: new Error('not found') })).toBe('not found');
    expect(told({ result: notFound })).toBe('not found');
    expect(told(said(saying()))).toBe('The tool returned no content.');
    const image = {
      content: [{ type: 'image' as const, data: 'QUJD', mimeType: 'image/png', text: 'not found' }],
      isError: true,
    };
    expect(told({ result: image, raw: image })).toBe('[image: image/png, 3 bytes]');
  });

  it('is none where it succeeds, whatever it says', () => {
    const fine = { ...saying('not found'), isError: false };
    expect(told({ result: fine, raw: fine })).toBe('not found');
  });
});
