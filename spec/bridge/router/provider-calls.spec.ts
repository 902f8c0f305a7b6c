import { afterEach, describe, expect, it } from '@jest/globals';
import { concat, EMPTY, NEVER, Observable, of, Subject, type Subscription, throwError } from 'rxjs';
import type { Happened, PlannedCall } from '../../../src/bridge/backend.js';
import { callsOf } from '../../../src/bridge/router/provider-calls.js';
import { offerBackend } from '../../../src/bridge/own-backend.js';
import { type BatchOptions, TimeoutError, type ToolProvider } from '../../../src/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch, type Watched } from '../../support/client/watch.js';
import { type HandProvider, handProvider, resultOf } from '../../support/providers/hand.js';

const planned = (...ids: readonly string[]): PlannedCall[] =>
  ids.map((id) => ({ toolCallId: id, name: `do-${id}`, arguments: { id } }));

const running: Subscription[] = [];
afterEach(() => {
  for (const subscription of running.splice(0)) subscription.unsubscribe();
});

const run = (
  provider: ToolProvider,
  calls: readonly PlannedCall[],
  { options = {}, reports = false, mount = {} }: { options?: BatchOptions; reports?: boolean; mount?: object } = {},
): Watched<Happened> => {
  const seen = watch(callsOf({ prefix: 'p', provider, ...mount }, calls, options, reports));
  running.push(seen.subscription);
  return seen;
};

/** The text of each outcome by slot, `!` before a failure; anything else that happened as its kind. */
const brief = (happened: readonly Happened[]): string[] =>
  happened.flatMap(({ slot, value }) => {
    if (value.kind === 'started') return [];
    if (value.kind !== 'outcome') return [`${slot} ${value.kind}`];
    const { content, isError } = value.outcome.result;
    const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('+');
    return [`${slot} ${isError === true ? '!' : ''}${text}`];
  });

const answersTo = async (answer: unknown, ids: readonly string[] = ['a', 'b']): Promise<string[]> => {
  const seen = run(
    handProvider([], () => answer),
    planned(...ids),
  );
  expect(await seen.end).toBeUndefined();
  return brief(seen.values);
};

const A = resultOf('a', 'A');
const B = resultOf('b', 'B');
const UNANSWERED = '!Error: the provider of the tool did not answer this call.';
const NO_RESULT = '!Error: the provider of the tool answered with no result.';

describe('the results of a provider', () => {
  const bare = ({ tool_call_id: _id, ...result }: typeof A): object => result;

  it.each<readonly [string, unknown, readonly string[]]>([
    ['in the order of the calls', [A, B], ['0 A', '1 B']],
    ['in another order, by their ids', [B, A], ['1 B', '0 A']],
    ['without ids, by position', [bare(A), bare(B)], ['0 A', '1 B']],
    ['with empty ids, by position', [resultOf('', 'A'), resultOf('', 'B')], ['0 A', '1 B']],
    ['one without an id, by position', [bare(A), B], ['0 A', '1 B']],
    ['one that contradicts, by ids', [resultOf('b', 'X'), bare(B)], ['1 X', `0 ${UNANSWERED}`]],
    ['too few', [B], ['1 B', `0 ${UNANSWERED}`]],
    ['too few and without ids', [bare(A)], [`0 ${UNANSWERED}`, `1 ${UNANSWERED}`]],
    ['none', [], [`0 ${UNANSWERED}`, `1 ${UNANSWERED}`]],
    ['too many', [A, resultOf('x', 'X'), B], ['0 A', '1 B']],
    ['too many, the last of them unasked', [A, B, resultOf('c', 'C')], ['0 A', '1 B']],
    ['one twice', [A, A], ['0 A', `1 ${UNANSWERED}`]],
    ['null among them', [A, null], ['0 A', `1 ${NO_RESULT}`]],
    ['text among them', ['A', B], [`0 ${NO_RESULT}`, '1 B']],
    // eslint-disable-next-line no-sparse-arrays
    ['a hole among them', [, B], [`0 ${NO_RESULT}`, '1 B']],
  ])('%s', async (_, answer, expected) => {
    expect(await answersTo(answer)).toEqual(expected);
    expect(await answersTo(Promise.resolve(answer))).toEqual(expected);
    expect(await answersTo(of(answer))).toEqual(expected);
  });

  it('go to calls of one id in order, where they are told apart by nothing else', async () => {
    const [one, two] = [resultOf('a', '1'), resultOf('a', '2')];
    expect(await answersTo([one, two], ['a', 'a'])).toEqual(['0 1', '1 2']);
    expect(await answersTo([B, one, two], ['a', 'a', 'b'])).toEqual(['2 B', '0 1', '1 2']);
  });

  it('are the last that an Observable emits', async () => {
    expect(await answersTo(of([A, resultOf('b', 'not yet')], [A, B]))).toEqual(['0 A', '1 B']);
  });

  it.each([undefined, null, 'text', 5, {}, EMPTY, Promise.resolve('text'), new Map()])(
    'are missing where it answers %p',
    async (answer) => {
      expect(await answersTo(answer)).toEqual([`0 ${UNANSWERED}`, `1 ${UNANSWERED}`]);
    },
  );

  it.each<readonly [string, () => unknown]>([
    [
      'throws',
      () => {
        throw new TimeoutError('tools/call', 1, 5);
      },
    ],
    ['rejects', () => Promise.reject(new TimeoutError('tools/call', 1, 5))],
    ['errors', () => throwError(() => new TimeoutError('tools/call', 1, 5))],
    [
      'errors after a list',
      () =>
        concat(
          of([A, B]),
          throwError(() => new TimeoutError('tools/call', 1, 5)),
        ),
    ],
  ])('are failures that say why, where it %s', async (_, execute) => {
    const seen = run(handProvider([], execute), planned('a', 'b'));
    expect(await seen.end).toBeUndefined();
    expect(brief(seen.values)).toEqual([
      expect.stringMatching(/^0 !TimeoutError: /),
      expect.stringMatching(/^1 !TimeoutError: /),
    ]);
  });

  it.each(['tellsEvents', 'executeToolCalls'])('are failures where its %s cannot even be read', (member) => {
    const provider = handProvider([]);
    Object.defineProperty(provider, member, {
      get: () => {
        throw new Error('not today');
      },
    });
    const seen = run(provider, planned('a'), { reports: true });
    expect([brief(seen.values), seen.completed]).toEqual([['0 !Error: not today'], true]);
  });

  it.each<readonly [string, object, object]>([
    ['text', { content: 'x' }, { content: [{ type: 'text', text: 'x' }] }],
    ['a failure', { content: 'x', is_error: true }, { content: [{ type: 'text', text: 'x' }], isError: true }],
    [
      'a failure that is only nearly one',
      { content: 'x', is_error: 'yes' },
      { content: [{ type: 'text', text: 'x' }] },
    ],
    ['nothing', {}, { content: [] }],
    ['structure alone', { structured_content: { n: 1 } }, { content: [], structuredContent: { n: 1 } }],
    ['null for content', { content: null }, { content: [] }],
    ['an object for content', { content: { n: 1 } }, { content: [{ type: 'text', text: '{"n":1}' }] }],
    [
      'parts',
      {
        content: [
          { type: 'text', text: 'x' },
          { type: 'image', data: 'AA==', mimeType: 'image/png' },
          { type: 'file', data: 'AA==', mimeType: 'application/pdf', name: 'a.pdf' },
          { type: 'file', data: 'AA==', mimeType: 'application/pdf' },
          null,
          'loose',
          { n: 1 },
          { type: 5 },
          undefined,
        ],
      },
      {
        content: [
          { type: 'text', text: 'x' },
          { type: 'image', data: 'AA==', mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'a.pdf', blob: 'AA==', mimeType: 'application/pdf' } },
          { type: 'resource', resource: { uri: 'file', blob: 'AA==', mimeType: 'application/pdf' } },
          { type: 'text', text: 'null' },
          { type: 'text', text: 'loose' },
          { type: 'text', text: '{"n":1}' },
          { type: 'text', text: '{"type":5}' },
          { type: 'text', text: '' },
        ],
      },
    ],
    [
      'blocks of the protocol',
      { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] },
      { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] },
    ],
    [
      'what the tool itself said',
      { content: 'cut', raw: { content: [{ type: 'text', text: 'whole' }], _meta: { k: 1 } } },
      { content: [{ type: 'text', text: 'whole' }], _meta: { k: 1 } },
    ],
  ])('may have %s', (_, given, expected) => {
    const { values } = run(
      handProvider([], () => [given]),
      planned('a'),
    );
    const [outcome] = values.flatMap(({ value }) => (value.kind === 'outcome' ? [value.outcome] : []));
    expect(outcome?.result).toStrictEqual(expected);
    expect(outcome?.raw).toEqual('raw' in given ? given.raw : undefined);
  });

  it('cost no other call anything, where one cannot be read', async () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const bad = {
      get content(): string {
        throw new Error('not today');
      },
    };
    for (const one of [bad, { content: cycle }, { content: 1n }]) {
      expect(await answersTo([one, B])).toEqual([expect.stringMatching(/^0 !Error: .* cannot be read: /), '1 B']);
    }
  });
});

describe('a provider that tells events', () => {
  const telling = (events$: Observable<unknown>): HandProvider =>
    handProvider([], () => events$, { tellsEvents: true });

  const tell = (events$: Observable<unknown>, ids: readonly string[] = ['a', 'b']): Watched<Happened> =>
    run(telling(events$), planned(...ids), { reports: true });

  const result = (toolCallId: string, index: number | undefined, text: string): object => ({
    ...{ kind: 'result', toolCallId, result: resultOf(toolCallId, text) },
    ...(index === undefined ? undefined : { index }),
  });

  it('is asked for them where somebody wants to hear', () => {
    const provider = telling(EMPTY);
    run(provider, planned('a'), { reports: true });
    run(provider, planned('a'), { reports: false });
    expect(provider.batches.map(({ options }) => options?.observe)).toEqual(['events', undefined]);
  });

  it('has each told in its place as it comes, without what is for the batch above to say', () => {
    const events = new Subject<object>();
    const seen = tell(events);
    events.next({ kind: 'started', toolCallId: 'b', index: 1, name: 'do-b' });
    events.next({ kind: 'progress', toolCallId: 'b', index: 1, progress: 1, name: 'do-b' });
    events.next({ kind: 'log', toolCallId: 'b', index: 1, level: 'info', data: 'x' });
    events.next({ kind: 'input', toolCallId: 'b', index: 1, round: 1 });
    expect(seen.values).toEqual([
      { slot: 1, value: { kind: 'started' } },
      { slot: 1, value: { kind: 'progress', progress: 1, name: 'do-b' } },
      { slot: 1, value: { kind: 'log', level: 'info', data: 'x' } },
      { slot: 1, value: { kind: 'input', round: 1 } },
    ]);
  });

  it('is understood where it gives ids alone, also one id for two calls', () => {
    const events$ = of(result('b', undefined, 'B'), result('a', undefined, '1'), result('a', undefined, '2'));
    expect(brief(tell(events$, ['a', 'a', 'b']).values)).toEqual(['2 B', '0 1', '1 2']);
  });

  it('is understood where it gives places alone', () => {
    const answer = (index: number, id: unknown, text: string): object => ({
      ...{ kind: 'result', index, toolCallId: id },
      result: resultOf('', text),
    });
    const events$ = of(answer(1, undefined, 'B'), answer(0, '', 'A'), answer(2, 5, 'C'));
    expect(brief(tell(events$, ['a', 'b', 'c']).values)).toEqual(['1 B', '0 A', '2 C']);
  });

  it('is taken by its id where that is not the id of the place it gives', () => {
    expect(brief(tell(of(result('b', 0, 'B'), result('a', 7, 'A'))).values)).toEqual(['1 B', '0 A']);
  });

  it('may go on to tell of a call under its id', () => {
    const progress = { kind: 'progress', toolCallId: 'a', progress: 1 };
    const events$ = of(progress, progress, result('a', undefined, 'A'), result('b', undefined, 'B'));
    expect(brief(tell(events$).values)).toEqual(['0 progress', '0 progress', '0 A', '1 B']);
  });

  it('is not heard on what it was not asked, nor on what it has answered', () => {
    const seen = tell(
      of(
        { kind: 'progress', toolCallId: 'x', progress: 1 },
        { kind: 'progress', index: 7, progress: 1 },
        { kind: 'unheard', toolCallId: 'a', index: 0 },
        null,
        'text',
        result('a', 0, 'A'),
        result('a', 0, 'again'),
        { kind: 'progress', toolCallId: 'a', index: 0, progress: 1 },
        result('b', 1, 'B'),
      ),
    );
    expect(brief(seen.values)).toEqual(['0 A', '1 B']);
  });

  it('keeps the results it told before it failed', () => {
    const seen = tell(
      concat(
        of(result('b', 1, 'B')),
        throwError(() => new Error('half way')),
      ),
    );
    expect([brief(seen.values), seen.completed]).toEqual([['1 B', '0 !Error: half way'], true]);
  });

  it('has answered a call with nothing where it completes without its result', () => {
    expect(brief(tell(of(result('b', 1, 'B'))).values)).toEqual(['1 B', `0 ${UNANSWERED}`]);
  });

  it('is done when each call is answered, though it does not say so', () => {
    const events = new Subject<object>();
    const seen = tell(concat(of(result('a', 0, 'A'), result('b', 1, 'B')), events));
    expect([brief(seen.values), seen.completed, events.observed]).toEqual([['0 A', '1 B'], true, false]);
  });

  it('may answer with a list all the same', () => {
    expect(
      brief(
        run(
          handProvider([], () => [A, B], { tellsEvents: true }),
          planned('a', 'b'),
          { reports: true },
        ).values,
      ),
    ).toEqual(['0 A', '1 B']);
  });

  it('that tells none has all calls start at once', () => {
    const seen = run(
      handProvider([], () => NEVER),
      planned('a', 'b'),
      { reports: true },
    );
    expect(seen.values).toEqual([
      { slot: 0, value: { kind: 'started' } },
      { slot: 1, value: { kind: 'started' } },
    ]);
  });
});

describe('a provider that never answers', () => {
  const silent = (): HandProvider => handProvider([], () => NEVER);
  const lateAt = (ms: number, id: string): unknown => ({
    slot: 0,
    value: { kind: 'outcome', outcome: expect.objectContaining({ error: new TimeoutError('tools/call', id, ms) }) },
  });

  it.each<readonly [string, BatchOptions, number]>([
    ['ten minutes where nobody says more', {}, 600_000],
    ['the time of each call', { timeoutMs: 5 }, 5],
    ['the time of all of it', { timeoutMs: 0, maxTotalMs: 7 }, 7],
    ['the time of each call alone', { timeoutMs: 700_000, maxTotalMs: 0 }, 700_000],
  ])('has failed after %s', (_, options, ms) => {
    inVirtualTime(({ at }) => {
      const seen = run(silent(), planned('a'), { options });
      at(ms - 1, () => {
        expect(seen.values).toEqual([]);
      });
      at(ms + 1, () => {
        expect([seen.values, seen.completed]).toEqual([[lateAt(ms, 'a')], true]);
      });
    });
  });

  it('is waited for as long as it takes where there is no clock at all', () => {
    inVirtualTime(({ at }) => {
      const seen = run(silent(), planned('a'), { options: { timeoutMs: 0, maxTotalMs: 0 } });
      at(10_000_000, () => {
        expect([seen.values, seen.completed]).toEqual([[], false]);
      });
    });
  });

  it('is let go of where nobody waits any longer', () => {
    const gone: string[] = [];
    const provider = handProvider([], () => new Observable(() => () => gone.push('gone')));
    const { subscription, completed } = run(provider, planned('a'));
    expect([completed, gone]).toEqual([false, []]);
    subscription.unsubscribe();
    expect(gone).toEqual(['gone']);
  });
});

describe('what a provider is asked', () => {
  it('is the calls under the names it knows, in one batch', () => {
    const provider = handProvider([]);
    run(provider, planned('a', ''));
    expect(provider.batches.map(({ calls }) => calls)).toEqual([
      [
        { id: 'a', name: 'do-a', arguments: { id: 'a' } },
        { id: '', name: 'do-', arguments: { id: '' } },
      ],
    ]);
  });

  it('comes with the options for who makes calls, and without those for who writes answers', () => {
    const provider = handProvider([]);
    const making = { timeoutMs: 1, maxTotalMs: 2, resetOnProgress: false, logLevel: 'info', meta: { k: 1 } } as const;
    const writing = { budget: { perCall: 5 }, media: 'parts', countTokens: () => 1, spill: () => 'x' } as const;
    const options = { ...making, ...writing, spillTimeoutMs: 1, signal: new AbortController().signal } as const;
    run(provider, planned('a'), { options: { ...options, onProgress: () => undefined, observe: 'events' } });
    const [given] = provider.batches.map(({ options: own }) => JSON.parse(JSON.stringify(own)) as object);
    expect(given).toEqual(making);
    expect(Object.keys(provider.batches[0]?.options ?? {})).not.toContain('spill');
  });

  it('runs by the terms of its mount, else by those of the batch', () => {
    const provider = handProvider([]);
    const options: BatchOptions = { overlap: 'read-only', toolConcurrency: 9 };
    run(provider, planned('a'), { options });
    run(provider, planned('a'), { options, mount: { overlap: 'never' } });
    run(provider, planned('a'), { options, mount: { toolConcurrency: 2 } });
    run(provider, planned('a'), { options: { overlap: 'never' }, mount: { overlap: 'read-only' } });
    expect(provider.batches.map(({ options: own }) => [own?.overlap, own?.toolConcurrency])).toEqual([
      ['read-only', 9],
      ['never', 9],
      ['read-only', 2],
      ['never', undefined],
    ]);
  });
});

describe('a provider of ours', () => {
  it('is asked by its backend, under the names it knows, else under those its tools were declared by', () => {
    const asked: string[] = [];
    const offering = (knows?: (name: string) => boolean | undefined): ToolProvider => {
      const provider = handProvider([]);
      offerBackend(
        provider,
        {
          prepare: () =>
            of({
              rawName: (name: string, format: string) => `${name} in ${format}`,
              ...(knows !== undefined && { knows }),
              run: (calls: readonly PlannedCall[]) => {
                asked.push(...calls.map(({ name }) => name));
                return EMPTY;
              },
            }),
        },
        provider,
      );
      return provider;
    };
    run(
      offering((name) => name === 'do-a'),
      planned('a', 'b'),
    );
    run(offering(), planned('c'));
    run(
      offering(() => undefined),
      planned('d'),
    );
    expect(asked).toEqual(['do-a', 'do-b in neutral', 'do-c in neutral', 'do-d in neutral']);
  });
});
