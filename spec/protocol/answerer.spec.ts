import { describe, expect, it } from '@jest/globals';
import { concat, EMPTY, ignoreElements, of, throwError, timer } from 'rxjs';
import type { Hooks, Outcome } from '../../src/protocol/index.js';
import { abandoned, type QuestionMethod } from '../../src/protocol/questions.js';
import type { Root } from '../../src/protocol/schemas/index.js';
import { answering, form, page, SAMPLE, SAMPLING, SERVER } from '../support/answering.js';
import { marbles } from '../support/marbles.js';
import { watch } from '../support/client/watch.js';

const ELICIT = 'elicitation/create';
const MESSAGE = 'sampling/createMessage';
const ROOTS = 'roots/list';

/** One question, its outcome and the warnings. */
const ask = async (
  hooks: Hooks,
  method: QuestionMethod,
  params?: unknown,
): Promise<{ readonly outcome: Outcome; readonly warned: readonly string[] }> => {
  const { answerer, warnings } = answering(hooks);
  const seen = watch(answerer.answer(method, params, SERVER));
  expect(await seen.end).toBeUndefined();
  expect(seen.values).toHaveLength(1);
  for (const { kind } of warnings) expect(kind).toBe('hook-failed');
  return { outcome: seen.values[0]!, warned: warnings.map(({ message }) => message) };
};

/** Objects in objects. */
const deep = (levels: number): object => {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
};

const throwing = (name: string, rest: object = {}): object =>
  Object.defineProperty({ ...rest }, name, {
    enumerable: true,
    get: () => {
      throw new Error('not now');
    },
  });

/** Hooks that are the same whatever is asked. */
const each = (hook: () => unknown): Hooks =>
  ({ onElicit: hook, onElicitUrl: hook, onSample: hook, onListRoots: hook }) as Hooks;

interface Kind {
  readonly name: 'onElicit' | 'onElicitUrl' | 'onSample' | 'onListRoots';
  readonly method: QuestionMethod;
  readonly params: unknown;
  /** An answer that will do, and what becomes of it. */
  readonly good: unknown;
  readonly result: object;
  /** Where the hook fails, or is not there. */
  readonly declined: Outcome;
  readonly cancelled: Outcome;
}

const KINDS: readonly Kind[] = [
  {
    name: 'onElicit',
    method: ELICIT,
    params: form({ a: { type: 'string' } }),
    good: { action: 'accept', content: { a: 'x' } },
    result: { action: 'accept', content: { a: 'x' } },
    declined: { result: { action: 'decline' } },
    cancelled: { result: { action: 'cancel' } },
  },
  {
    name: 'onElicitUrl',
    method: ELICIT,
    params: page(),
    good: { action: 'accept' },
    result: { action: 'accept' },
    declined: { result: { action: 'decline' } },
    cancelled: { result: { action: 'cancel' } },
  },
  {
    name: 'onSample',
    method: MESSAGE,
    params: SAMPLING,
    good: SAMPLE,
    result: SAMPLE,
    declined: { refused: true },
    cancelled: { refused: true },
  },
  {
    name: 'onListRoots',
    method: ROOTS,
    params: undefined,
    good: [{ uri: 'file:///a' }],
    result: { roots: [{ uri: 'file:///a' }] },
    declined: { result: { roots: [] } },
    cancelled: { result: { roots: [] } },
  },
];

describe.each(KINDS)('$name', ({ name, method, params, good, result, declined, cancelled }) => {
  it.each<readonly [string, () => unknown]>([
    ['a value', () => good],
    ['a Promise', () => Promise.resolve(good)],
    ['an Observable', () => of(good)],
    ['an Observable of several, of which the last counts', () => of({ action: 'cancel' }, [], good)],
  ])('may answer with %s', async (_how, hook) => {
    const { outcome, warned } = await ask(each(hook), method, params);
    expect(outcome).toMatchObject({ result });
    expect(warned).toEqual([]);
  });

  it.each<readonly [string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broke'))],
    ['errors', () => throwError(() => new Error('broke'))],
    [
      'errors after an answer',
      () =>
        concat(
          of(good),
          throwError(() => new Error('broke')),
        ),
    ],
  ])('declines with a warning where it %s', async (_how, hook) => {
    const { answerer, warnings } = answering(each(hook));
    const seen = watch(answerer.answer(method, params, SERVER));
    await seen.end;
    expect(seen.values).toEqual([declined]);
    expect(warnings).toEqual([
      { kind: 'hook-failed', message: `${name} threw: Error: broke`, detail: new Error('broke') },
    ]);
  });

  it('cancels, and warns of nothing, where it completes empty', async () => {
    expect(
      await ask(
        each(() => EMPTY),
        method,
        params,
      ),
    ).toEqual({ outcome: cancelled, warned: [] });
  });

  it('declines where there is none, and warns of nothing', async () => {
    expect(await ask({}, method, params)).toEqual({ outcome: declined, warned: [] });
  });

  it.each([undefined, null, 5, 'yes', true, [], {}, { action: 'maybe' }, { action: 5 }])(
    'is told, and declines, where it answers %j',
    async (answer) => {
      const { outcome, warned } = await ask(
        each(() => answer),
        method,
        params,
      );
      // A list of roots may well be empty.
      if (name === 'onListRoots' && Array.isArray(answer)) expect([outcome, warned]).toEqual([declined, []]);
      else {
        expect(outcome).toEqual(declined);
        expect(warned).toHaveLength(1);
        expect(warned[0]).toContain(`${name}: give `);
      }
    },
  );

  it('is cold: each subscription asks anew, and none asks before', () => {
    let asked = 0;
    const { answerer } = answering(
      each(() => {
        asked += 1;
        return EMPTY;
      }),
    );
    const answer$ = answerer.answer(method, params, SERVER);
    expect(asked).toBe(0);
    watch(answer$);
    watch(answer$);
    expect(asked).toBe(2);
  });

  it('cancels when it runs out of time: it is unsubscribed, and there is a warning', () => {
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const hook$ = cold<unknown>('       a----------', { a: good });
      const { answerer, warnings } = answering(
        each(() => hook$),
        5,
      );
      expectObservable(answerer.answer(method, params, SERVER)).toBe('-----(c|)', { c: cancelled });
      expectSubscriptions(hook$.subscriptions).toBe('^----!');
      flush();
      expect(warnings).toEqual([
        { kind: 'hook-failed', message: `${name} did not answer within 5 ms, and was given up` },
      ]);
    });
  });

  it('has all the time in the world at 0', () => {
    marbles(({ expectObservable }) => {
      const hook$ = timer(10_000_000).pipe(ignoreElements());
      const { answerer } = answering(
        each(() => hook$),
        0,
      );
      expectObservable(answerer.answer(method, params, SERVER)).toBe('10000s (c|)', { c: cancelled });
    });
  });

  it('is unsubscribed with its question', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<unknown>('------');
      const { answerer } = answering(
        each(() => hook$),
        100,
      );
      expectObservable(answerer.answer(method, params, SERVER), '^--!').toBe('');
      expectSubscriptions(hook$.subscriptions).toBe('^--!');
    });
  });

  it('is unsubscribed when the client is closed, which counts as cancelled', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<unknown>('                                     ------');
      const { answerer, warnings, closed$ } = answering(
        each(() => hook$),
        100,
      );
      cold('--x').subscribe(closed$);
      expectObservable(answerer.answer(method, params, SERVER)).toBe('--(c|)', { c: cancelled });
      expectSubscriptions(hook$.subscriptions).toBe('                ^-!');
      expect(warnings).toEqual([]);
    });
  });
});

describe('a question', () => {
  it('is handed over verbatim, with its name and the server that asks', async () => {
    const given: unknown[] = [];
    const hooks = each(((question: unknown) => {
      given.push(question);
      return EMPTY;
    }) as never);
    const params = form({ a: { type: 'string', default: 'x' } });
    await ask(hooks, ELICIT, params);
    await ask(hooks, ELICIT, { mode: 'form', ...params });
    await ask(hooks, MESSAGE, SAMPLING);
    await ask(hooks, ROOTS, { _meta: {} });
    expect(given).toEqual([
      { method: ELICIT, params, server: SERVER },
      { method: ELICIT, params: { mode: 'form', ...params }, server: SERVER },
      { method: MESSAGE, params: SAMPLING, server: SERVER },
      { method: ROOTS, params: undefined, server: SERVER },
    ]);
  });

  it('in URL mode carries the full URL, its host, and a warning where one is due', async () => {
    const given: unknown[] = [];
    const onElicitUrl = (question: unknown) => {
      given.push(question);
      return { action: 'cancel' } as const;
    };
    const safe = 'https://user.example:8443/connect?state=abc#here';
    await ask({ onElicitUrl }, ELICIT, page(safe));
    await ask({ onElicitUrl }, ELICIT, page('https://xn--pple-43d.com/a'));
    expect(given).toEqual([
      { method: ELICIT, params: page(safe), server: SERVER, host: 'user.example:8443' },
      {
        method: ELICIT,
        params: page('https://xn--pple-43d.com/a'),
        server: SERVER,
        host: 'xn--pple-43d.com',
        warning: 'its host is written in Punycode and may look like another',
      },
    ]);
  });

  it.each([ELICIT, MESSAGE] as const)('of %s without params is declined with a warning', async (method) => {
    const declined = method === ELICIT ? { result: { action: 'decline' } } : { refused: true };
    for (const params of [undefined, null, [], 'text']) {
      const { outcome, warned } = await ask(
        each(() => {
          throw new Error('it must not be called');
        }),
        method,
        params,
      );
      expect(outcome).toEqual(declined);
      expect(warned).toEqual([`${method} came without params, and was declined`]);
    }
  });

  it('that nobody waits for any longer ends as cancelled or refused, and one for roots does not', () => {
    expect([ELICIT, MESSAGE, ROOTS].map((method) => abandoned(method as QuestionMethod))).toEqual([
      { result: { action: 'cancel' } },
      { refused: true },
      undefined,
    ]);
  });
});

describe('an answer to a form', () => {
  const accept = (content: unknown): Hooks => ({ onElicit: () => ({ action: 'accept', content }) as never });

  it('is sent without what was cleared, and not as accepted where that is required', async () => {
    const params = form(
      { a: { type: 'string', default: 'x' }, b: { type: 'number', default: 1 } },
      { required: ['a'] },
    );
    expect((await ask(accept({ a: 'y', b: undefined }), ELICIT, params)).outcome).toEqual({
      result: { action: 'accept', content: { a: 'y' } },
    });
    expect((await ask(accept({ a: undefined }), ELICIT, params)).outcome).toEqual({ result: { action: 'decline' } });
  });

  it('gets the defaults of what was left out', async () => {
    const params = form({ a: { type: 'string', default: 'x' }, b: { type: 'number' } }, { required: ['a'] });
    expect((await ask(accept({ b: 5 }), ELICIT, params)).outcome).toEqual({
      result: { action: 'accept', content: { a: 'x', b: 5 } },
    });
    expect((await ask(accept(undefined), ELICIT, params)).outcome).toEqual({
      result: { action: 'accept', content: { a: 'x' } },
    });
  });

  it('keeps what it says of itself', async () => {
    const onElicit = () => ({ action: 'accept', content: {}, _meta: { 'com.example/a': 1 } }) as const;
    expect((await ask({ onElicit }, ELICIT, form())).outcome).toEqual({
      result: { action: 'accept', content: {}, _meta: { 'com.example/a': 1 } },
    });
  });

  it('that is not as it was asked for never leaves: it declines, and the hook is told which field is wrong', async () => {
    const params = form({ age: { type: 'integer', minimum: 18 } }, { required: ['age'] });
    for (const [content, part] of [
      [{ age: 5 }, '#/age'],
      [{ age: 'old' }, '#/age'],
      [{}, 'required property "age"'],
      [{ age: undefined }, 'required property "age"'],
      [{ age: 20, more: { a: 1 } }, '#/more'],
    ] as const) {
      const { outcome, warned } = await ask(accept(content), ELICIT, params);
      expect(outcome).toEqual({ result: { action: 'decline' } });
      expect(warned).toHaveLength(1);
      expect(warned[0]).toContain('onElicit: its content is not what the server asked for: ');
      expect(warned[0]).toContain(part);
    }
  });

  it.each(['text', 5, [1]])('that accepts with %j in place of content declines', async (content) => {
    expect(await ask(accept(content), ELICIT, form())).toEqual({
      outcome: { result: { action: 'decline' } },
      warned: ['onElicit: its content is not an object'],
    });
  });

  it.each([undefined, null])('that accepts with %j as its content is an empty form', async (content) => {
    expect(await ask(accept(content), ELICIT, form())).toEqual({
      outcome: { result: { action: 'accept', content: {} } },
      warned: [],
    });
  });

  it.each(['decline', 'cancel'] as const)('%s carries nothing else', async (action) => {
    const onElicit = () => ({ action, content: { a: 'x' } });
    const { outcome, warned } = await ask({ onElicit }, ELICIT, form());
    expect([outcome, warned]).toEqual([{ result: { action } }, []]);
  });

  it('goes out where the server asks by no form at all', async () => {
    expect((await ask(accept({ a: 'x' }), ELICIT, { message: 'm' })).outcome).toEqual({
      result: { action: 'accept', content: { a: 'x' } },
    });
  });

  it('declines where nothing can be checked by the form, and the hook is told why', async () => {
    for (const [field, why] of [
      [{ $ref: '#/nowhere' }, 'Unresolved $ref'],
      [{ type: 'string', pattern: '(a+)+$' }, 'its pattern "(a+)+$" may take for ever'],
      [deep(100), 'it is too deep or too large'],
    ] as const) {
      const { outcome, warned } = await ask(accept({ a: 'x' }), ELICIT, form({ a: field }));
      expect(outcome).toEqual({ result: { action: 'decline' } });
      expect(warned).toHaveLength(1);
      expect(warned[0]).toContain("onElicit: its content cannot be checked by the server's form: ");
      expect(warned[0]).toContain(why);
    }
  });

  it('is not asked for where the form is too deep to be kept: it is declined with a warning', async () => {
    const onElicit = (): never => {
      throw new Error('it must not be called');
    };
    expect(await ask({ onElicit }, ELICIT, form({ a: deep(20_000) }))).toEqual({
      outcome: { result: { action: 'decline' } },
      warned: ["elicitation/create: a server's form was not shown: it is too deep"],
    });
  });

  it('is as it was given where it has no content, whatever the form', async () => {
    const onElicit = () => ({ action: 'cancel' }) as const;
    expect(await ask({ onElicit }, ELICIT, form({ a: deep(100) }))).toEqual({
      outcome: { result: { action: 'cancel' } },
      warned: [],
    });
  });

  it('is asked for by a question of no mode, or of the mode form, and of no other', async () => {
    const hooks = accept({});
    for (const [mode, action] of [
      [undefined, 'accept'],
      ['form', 'accept'],
      ['voice', 'decline'],
      [null, 'decline'],
      ['', 'decline'],
    ] as const) {
      expect((await ask(hooks, ELICIT, { ...form(), mode })).outcome).toMatchObject({ result: { action } });
    }
  });
});

describe('an answer to a question in URL mode', () => {
  it.each([
    [{ action: 'accept', content: { a: 1 } }, 'accept', false],
    [{ action: 'accept', completed: true }, 'accept', true],
    [{ action: 'accept', completed: 'yes' }, 'accept', false],
    [{ action: 'decline' }, 'decline', false],
    [{ action: 'cancel' }, 'cancel', false],
  ])(
    '%j is consent or none: no content, and the word that it is done stays here',
    async (answer, action, completed) => {
      const { outcome, warned } = await ask({ onElicitUrl: () => answer as never }, ELICIT, page());
      expect(outcome).toEqual({ result: { action }, completed });
      expect(warned).toEqual([]);
    },
  );

  it.each([
    ['http://example.com/', 'it is neither https nor http on loopback'],
    ['javascript:alert(1)', 'it is neither https nor http on loopback'],
    ['file:///etc/passwd', 'it is neither https nor http on loopback'],
    ['nonsense', 'it is not a URL'],
    [null, 'it is not a URL'],
    [5, 'it is not a URL'],
  ])('is not asked for where the URL is %p: it is declined with a warning', async (url, why) => {
    const onElicitUrl = (): never => {
      throw new Error('it must not be called');
    };
    const { outcome, warned } = await ask({ onElicitUrl }, ELICIT, page(url));
    expect(outcome).toEqual({ result: { action: 'decline' } });
    expect(warned).toEqual([`elicitation/create: a server's URL was not shown: ${why}`]);
  });

  it('is not given by onElicit', async () => {
    const onElicit = (): never => {
      throw new Error('it must not be called');
    };
    expect((await ask({ onElicit }, ELICIT, page())).outcome).toEqual({ result: { action: 'decline' } });
  });
});

it.each<readonly [keyof Hooks, QuestionMethod, unknown, unknown, Outcome]>([
  ['onElicit', ELICIT, form({}), { action: 'accept', _meta: { n: 1n } }, { result: { action: 'decline' } }],
  ['onSample', MESSAGE, SAMPLING, { ...SAMPLE, _meta: { n: 1n } }, { refused: true }],
  ['onListRoots', ROOTS, undefined, [{ uri: 'file:///a', _meta: { n: 1n } }], { result: { roots: [] } }],
])('an answer of %s that JSON cannot write is of no use, and the hook is told', async (...kind) => {
  const [hook, method, params, answer, outcome] = kind;
  expect(await ask({ [hook]: () => answer }, method, params)).toEqual({
    outcome,
    warned: [`${hook}: its answer cannot be written as JSON`],
  });
});

it.each<readonly [keyof Hooks, QuestionMethod, unknown, unknown, Outcome]>([
  ['onElicit', ELICIT, form({}), throwing('action'), { result: { action: 'decline' } }],
  ['onElicit', ELICIT, form({}), throwing('content', { action: 'accept' }), { result: { action: 'decline' } }],
  ['onElicit', ELICIT, form({}), { action: 'accept', content: throwing('a') }, { result: { action: 'decline' } }],
  ['onElicit', ELICIT, form({}), throwing('_meta', { action: 'accept' }), { result: { action: 'decline' } }],
  ['onElicitUrl', ELICIT, page(), throwing('action'), { result: { action: 'decline' } }],
  ['onElicitUrl', ELICIT, page(), throwing('completed', { action: 'accept' }), { result: { action: 'decline' } }],
  ['onSample', MESSAGE, SAMPLING, throwing('model'), { refused: true }],
  ['onSample', MESSAGE, SAMPLING, throwing('content', { model: 'm' }), { refused: true }],
  ['onSample', MESSAGE, SAMPLING, { ...SAMPLE, content: throwing('type') }, { refused: true }],
  ['onSample', MESSAGE, SAMPLING, throwing('stopReason', SAMPLE), { refused: true }],
  ['onListRoots', ROOTS, undefined, throwing('roots'), { result: { roots: [] } }],
  ['onListRoots', ROOTS, undefined, [throwing('uri')], { result: { roots: [] } }],
])('an answer of %s to %s that throws when it is read is of no use, and the hook is told', async (...kind) => {
  const [hook, method, params, answer, outcome] = kind;
  const given = [() => answer, () => Promise.resolve(answer), () => of(answer)];
  for (const give of given) {
    expect(await ask({ [hook]: give }, method, params)).toEqual({
      outcome,
      warned: [`${hook}: its answer cannot be read: Error: not now`],
    });
  }
});

describe('an answer to a sampling', () => {
  it('may leave out whose words it is', async () => {
    const { role: _role, ...rest } = SAMPLE;
    expect((await ask({ onSample: () => rest as never }, MESSAGE, SAMPLING)).outcome).toEqual({ result: SAMPLE });
  });

  it('may be a list of blocks, and say why it stopped', async () => {
    const answer = {
      role: 'assistant' as const,
      model: 'm',
      stopReason: 'toolUse',
      content: [{ type: 'tool_use' as const, id: '1', name: 't', input: {} }],
    };
    expect((await ask({ onSample: () => answer }, MESSAGE, SAMPLING)).outcome).toEqual({ result: answer });
  });

  it.each([
    [{ ...SAMPLE, model: undefined }, 'onSample: give a message with the name of its model'],
    [{ ...SAMPLE, model: 5 }, 'onSample: give a message with the name of its model'],
    [{ ...SAMPLE, content: undefined }, 'onSample: give a message with content'],
    [{ ...SAMPLE, content: 'Paris' }, 'onSample: give a message with content'],
    [{ ...SAMPLE, content: null }, 'onSample: give a message with content'],
    [{ ...SAMPLE, content: {} }, 'onSample: give a message with content'],
    [{ ...SAMPLE, content: ['Paris'] }, 'onSample: give a message with content'],
    [{ ...SAMPLE, content: [SAMPLE.content, 'Paris'] }, 'onSample: give a message with content'],
  ])('%j is refused, and the hook is told', async (answer, told) => {
    const { outcome, warned } = await ask({ onSample: () => answer as never }, MESSAGE, SAMPLING);
    expect([outcome, warned]).toEqual([{ refused: true }, [told]]);
  });
});

describe('an answer with roots', () => {
  const A = { uri: 'file:///a', name: 'a' };

  it('may be a list, or the protocol’s own result', async () => {
    expect((await ask({ onListRoots: () => [A] }, ROOTS)).outcome).toEqual({ result: { roots: [A] } });
    expect((await ask({ onListRoots: () => ({ roots: [A] }) }, ROOTS)).outcome).toEqual({ result: { roots: [A] } });
  });

  it('leaves out what is no file URI, with a warning each, and keeps the rest', async () => {
    const bad = [
      { uri: 'https://example.com/' },
      { uri: '/home/me' },
      { uri: 'file:relative' },
      { uri: 5 },
      {},
      null,
      'file:///b',
    ];
    const { outcome, warned } = await ask({ onListRoots: () => [...bad, A] as never }, ROOTS);
    expect(outcome).toEqual({ result: { roots: [A] } });
    expect(warned).toEqual(
      ['"https://example.com/"', '"/home/me"', '"file:relative"', '5', 'undefined', 'undefined', 'undefined'].map(
        (uri) => `onListRoots: left out ${uri}, which is no file:// URI`,
      ),
    );
  });

  it('that come from a live list are those it holds now, and its end is not waited for', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const live$ = cold<Root[]>('--a-b-', { a: [A], b: [] });
      const { answerer } = answering({ onListRoots: live$ });
      expectObservable(answerer.answer(ROOTS, undefined, SERVER)).toBe('--(r|)', { r: { result: { roots: [A] } } });
      expectSubscriptions(live$.subscriptions).toBe('               ^-!');
    });
  });

  it('that come from a live list with nothing in it yet are waited for as long as any hook is', () => {
    marbles(({ cold, expectObservable }) => {
      const { answerer } = answering({ onListRoots: cold<never>('----') }, 3);
      expectObservable(answerer.answer(ROOTS, undefined, SERVER)).toBe('---(r|)', { r: { result: { roots: [] } } });
    });
  });
});
