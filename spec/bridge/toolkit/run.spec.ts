import { describe, expect, it } from '@jest/globals';
import { concat, EMPTY, map, NEVER, Observable, of, take, throwError, timer } from 'rxjs';
import * as z from 'zod';
import type { ToolContext, ToolDefinition } from '../../../src/bridge/toolkit/definition.js';
import { LocalTools } from '../../../src/bridge/toolkit/local-tools.js';
import { CancelledError, OptionError, TimeoutError } from '../../../src/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';

type Handler = (args: Record<string, unknown>, context: ToolContext) => unknown;

const toolsOf = (handler: Handler, definition: Partial<ToolDefinition> = {}): LocalTools => {
  const tools = new LocalTools();
  tools.add('t', { description: 'T', ...definition }, handler);
  return tools;
};

const eventsOf = async (handler: Handler, definition?: Partial<ToolDefinition>, args?: unknown): Promise<unknown[]> => {
  const seen = watch(toolsOf(handler, definition).call('t', args));
  expect(await seen.end).toBeUndefined();
  return seen.values;
};

const resultOf = async (handler: Handler, definition?: Partial<ToolDefinition>, args?: unknown): Promise<unknown> => {
  const events = await eventsOf(handler, definition, args);
  expect(events).toHaveLength(1);
  return (events[0] as { result: unknown }).result;
};

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const failed = (words: unknown) => ({ content: [{ type: 'text', text: words }], isError: true });

describe('a call of a tool in this process', () => {
  it('runs for each subscriber, and not before', () => {
    let runs = 0;
    const call$ = toolsOf(() => String((runs += 1))).call('t');
    expect(runs).toBe(0);
    watch(call$);
    watch(call$);
    expect(runs).toBe(2);
  });

  it('tells progress and logs shaped as by a client, then the result', async () => {
    const events = toolsOf((_, { progress, log, requestId, toolCallId }) => {
      progress(1, 2, 'half');
      log('info', { a: 1 }, 'mine');
      log('info', 'b');
      progress(2);
      return `${requestId} ${toolCallId}`;
    }).call('t', {}, { toolCallId: 'c1' });
    const report = {
      kind: 'progress',
      requestId: 1,
      progressToken: 1,
      method: 'tools/call',
      name: 't',
      toolCallId: 'c1',
    };
    expect(watch(events).values).toStrictEqual([
      { ...report, progress: 1, total: 2, message: 'half' },
      { kind: 'log', level: 'info', logger: 'mine', data: { a: 1 } },
      { kind: 'log', level: 'info', data: 'b' },
      { ...report, progress: 2 },
      { kind: 'result', result: text('1 c1') },
    ]);
  });

  it('takes an Observable of events and a result, of which the last is taken when it completes', async () => {
    const events = await eventsOf(() =>
      of('early', { kind: 'progress', progress: 1 }, { kind: 'log', level: 'debug', data: null }, 'last', {
        kind: 'progress',
        progress: 2,
      }),
    );
    expect(events.map((event) => (event as { kind: string }).kind)).toEqual(['progress', 'log', 'progress', 'result']);
    expect(events.at(-1)).toEqual({ kind: 'result', result: text('last') });
    expect(await resultOf(async () => of('a', 'b'))).toEqual(text('b'));
    expect(await resultOf(() => EMPTY)).toEqual({ content: [] });
    expect(await resultOf(() => of({ kind: 'log', level: 'loud', data: 1 }))).toHaveProperty('structuredContent');
  });

  it('does not tell what is no number and no level', async () => {
    const handler: Handler = (_, { progress, log }) => {
      progress(Number.NaN);
      progress('1' as unknown as number);
      log('loud' as 'info', 1);
    };
    expect(await resultOf(handler)).toEqual({ content: [] });
  });

  it.each<readonly [string, () => unknown, unknown]>([
    ['an error', () => new Error('disk full'), 'disk full'],
    ['a text', () => 'why', 'why'],
    ['an error without words', () => new Error(''), 'The tool failed and gave no reason.'],
    ['nothing', () => undefined, 'undefined'],
    ['what has no text', () => Object.create(null), 'something that cannot be written out'],
    ['an error of no text', () => Object.assign(new Error(), { message: 7 }), 'The tool failed and gave no reason.'],
    [
      'what cannot be looked at',
      () =>
        new Proxy(
          {},
          {
            getPrototypeOf: () => {
              throw new Error('no');
            },
          },
        ),
      'The tool failed and gave no reason.',
    ],
  ])('that throws %s, rejects with it, or errors with it is a result that says so', async (_what, reason, words) => {
    expect(
      await resultOf(() => {
        throw reason();
      }),
    ).toEqual(failed(words));
    expect(await resultOf(() => Promise.reject(reason()))).toEqual(failed(words));
    expect(await resultOf(() => throwError(reason))).toEqual(failed(words));
  });

  it('aborts its signal when it is given up, and tells nothing more', () => {
    let context: ToolContext | undefined;
    let left = false;
    const seen = watch(
      toolsOf((_, given) => {
        context = given;
        return new Observable(() => () => (left = true));
      }).call('t'),
    );
    expect(context?.signal.aborted).toBe(false);
    seen.subscription.unsubscribe();
    expect(context?.signal.reason).toBeInstanceOf(CancelledError);
    expect(left).toBe(true);
    context?.progress(1);
    context?.log('info', 1);
    expect(seen.values).toEqual([]);
  });

  it('does not abort its signal at the regular end, nor tell anything after it', () => {
    let context: ToolContext | undefined;
    const seen = watch(
      toolsOf((_, given) => {
        context = given;
        return 'done';
      }).call('t'),
    );
    context?.progress(1);
    expect(context?.signal.aborted).toBe(false);
    expect(seen.values).toHaveLength(1);
  });

  it('may be given up at the sight of an event', () => {
    let aborted: boolean | undefined;
    const call$ = toolsOf((_, { progress, signal }) => {
      progress(1);
      progress(2);
      aborted = signal.aborted;
      return 'late';
    }).call('t');
    expect(watch(call$.pipe(take(1))).values).toHaveLength(1);
    expect(aborted).toBe(true);
  });

  it('ends with a TimeoutError, which progress puts off until the cap', () => {
    inVirtualTime(({ at }) => {
      const hung = watch(toolsOf(() => NEVER).call('t', {}, { timeoutMs: 50 }));
      let signal: AbortSignal | undefined;
      const busy = watch(
        toolsOf((_, context) => {
          ({ signal } = context);
          return timer(0, 40).pipe(map((progress) => ({ kind: 'progress', progress })));
        }).call('t', {}, { timeoutMs: 50, maxTotalMs: 100 }),
      );
      const firm = watch(
        toolsOf(() => concat(timer(40).pipe(map(() => ({ kind: 'progress', progress: 1 }))), NEVER)).call(
          't',
          {},
          { timeoutMs: 50, resetOnProgress: false },
        ),
      );
      at(200, () => {
        expect(hung.marks).toEqual([[50, new TimeoutError('tools/call', 1, 50)]]);
        expect(busy.marks.at(-1)).toEqual([100, new TimeoutError('tools/call', 1, 100)]);
        expect(signal?.reason).toBe(busy.error);
        expect(firm.marks.at(-1)?.[0]).toBe(50);
      });
    });
  });

  it('errors with an OptionError that names an option there is none of', async () => {
    const seen = watch(toolsOf(() => 'x').call('t', {}, { timeout: 5 } as object));
    expect(await seen.end).toBeInstanceOf(OptionError);
    expect(seen.error).toHaveProperty('option', 'timeout');
  });
});

describe('the arguments of a tool in this process', () => {
  const echo: Handler = (args) => args;

  it('are none where there are none, and shared with nobody', async () => {
    expect(await resultOf(echo)).toHaveProperty('structuredContent', {});
    const given = { list: [1] };
    await resultOf(({ list }) => (list as number[]).push(2), {}, given);
    expect(given).toEqual({ list: [1] });
  });

  it('are what the schema makes of them', async () => {
    const input = z.object({ n: z.string().transform(Number), m: z.number().default(4) });
    const inputJsonSchema = { type: 'object' };
    expect(await resultOf(echo, { input, inputJsonSchema }, { n: '3', other: 1 })).toHaveProperty('structuredContent', {
      ...{ n: 3, m: 4 },
    });
  });

  it('that are wrong are a result that says what is wrong where', async () => {
    const input = z.object({ list: z.array(z.object({ n: z.number() })), a: z.string() });
    const wrong = { list: [{ n: 1 }, { n: 'x' }] };
    expect(await resultOf(echo, { input }, wrong)).toEqual(
      failed(
        'Input validation error: Invalid arguments for tool t: ' +
          'list.1.n: Invalid input: expected number, received string, a: Invalid input: expected string, received undefined',
      ),
    );
    const json = { type: 'object', properties: { a: { type: 'string' } } };
    expect(JSON.stringify(await resultOf(echo, { input: json }, { a: 1 }))).toContain('#/a: ');
  });

  it.each([null, 7, 'text', [1]])('that are %j are wrong', async (args) => {
    expect(await resultOf(echo, {}, args)).toEqual(
      failed('Input validation error: Invalid arguments for tool t: give an object'),
    );
  });

  it('may have any key', async () => {
    const args = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 1 }');
    const result = await resultOf((given) => Object.keys(given).join(), { input: { type: 'object' } }, args);
    expect(result).toEqual(text('__proto__,constructor'));
    expect({}).not.toHaveProperty('polluted');
  });

  it.each<readonly [string, Partial<ToolDefinition>, RegExp]>([
    ['that cannot be compiled', { input: { $ref: 'https://example.com/x' } }, /The input schema .* not fetched/],
    [
      'that throws',
      {
        input: {
          '~standard': {
            ...{ version: 1, vendor: 'own' },
            validate: () => {
              throw new Error('broken');
            },
          },
        },
        inputJsonSchema: { type: 'object' },
      },
      /The input schema of tool t cannot be used: broken/,
    ],
    [
      'that answers nonsense',
      {
        input: { '~standard': { version: 1, vendor: 'own', validate: () => undefined as never } },
        inputJsonSchema: { type: 'object' },
      },
      /The input schema of tool t cannot be used/,
    ],
  ])('of a schema %s are a result that says so', async (_what, definition, why) => {
    expect(await resultOf(echo, definition, {})).toEqual(failed(expect.stringMatching(why)));
  });
});

describe('the result of a tool in this process', () => {
  const output = z.object({ n: z.number().default(1) });

  it('is its structured content as the output schema makes it, and the JSON of that', async () => {
    expect(await resultOf(() => ({ more: true }), { output })).toEqual({
      ...text('{"n":1}'),
      structuredContent: { n: 1 },
    });
    expect(await resultOf(() => 'a', { output: z.string() })).toEqual({ ...text('"a"'), structuredContent: 'a' });
    expect(await resultOf(() => null, { output: z.null() })).toEqual({ ...text('null'), structuredContent: null });
  });

  it.each<readonly [string, unknown, RegExp]>([
    ['not as promised', { n: 'x' }, /^Output validation error: Invalid structured content for tool t: n: /],
    ['missing', undefined, /has an output schema but no structured content was provided$/],
    ['missing in a result', { content: [] }, /has an output schema but no structured content was provided$/],
  ])('is a failure where structured content is %s', async (_what, answer, why) => {
    expect(await resultOf(() => answer, { output })).toEqual(failed(expect.stringMatching(why)));
  });

  it('of a failure is not held to the output schema', async () => {
    const answer = { content: [{ type: 'text', text: 'no' }], isError: true };
    expect(await resultOf(() => answer, { output })).toEqual(answer);
  });

  it('is a failure where JSON has no form for it', async () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    for (const answer of [cycle, { content: [], structuredContent: cycle }, [1n]]) {
      expect(await resultOf(() => answer)).toEqual(
        failed(expect.stringMatching(/^The result of the tool has no form/)),
      );
    }
    expect(await resultOf(() => cycle, { output: { type: 'object' } })).toEqual(
      failed(expect.stringContaining('JSON')),
    );
    expect(await resultOf(() => () => 1)).toEqual(failed('The tool returned a function, which is no result.'));
  });
});
