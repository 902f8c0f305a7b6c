import { describe, expect, it } from '@jest/globals';
import { EMPTY, type Observable, of, tap } from 'rxjs';
import { capabilitiesOf, type Hooks, type InputQuestion, type Outcome } from '../../src/protocol/index.js';
import { legacyHandlers } from '../../src/protocol/legacy-handlers.js';
import type { ClientCapabilities } from '../../src/protocol/schemas/index.js';
import { RequestRefused } from '../../src/session/serve.js';
import { answering, form, page, SAMPLE, SAMPLING, SERVER } from '../support/answering.js';
import { watch } from '../support/client/watch.js';
import { marbles } from '../support/marbles.js';

interface During {
  readonly question: InputQuestion;
  readonly unwanted: Outcome | undefined;
}

/** The handlers of a client with these hooks, and the questions that were wrapped. */
const handlersOf = (hooks: Hooks, declared: ClientCapabilities = capabilitiesOf(hooks)) => {
  const wrapped: During[] = [];
  const { answerer } = answering(hooks);
  const during = (question: InputQuestion, outcome$: Observable<Outcome>, unwanted: Outcome | undefined) =>
    outcome$.pipe(
      tap({
        subscribe: () => {
          wrapped.push({ question, unwanted });
        },
      }),
    );
  const handlers = legacyHandlers({ answerer, declared, server: () => SERVER, during });
  const serve = (method: string, params?: Record<string, unknown>, id: string | number = 1) => {
    const handler = handlers.get(method);
    if (handler === undefined) throw new Error(`nobody serves ${method}`);
    return handler(params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params });
  };
  return { handlers, serve, wrapped };
};

const ALL: Hooks = {
  onElicit: () => ({ action: 'decline' }),
  onElicitUrl: () => ({ action: 'accept', completed: true }),
  onSample: () => SAMPLE,
  onListRoots: () => [{ uri: 'file:///a' }],
};
const METHODS = ['elicitation/create', 'sampling/createMessage', 'roots/list'];

/** What a refusal says to the server. */
const refusal = (error: unknown): object => {
  expect(error).toBeInstanceOf(RequestRefused);
  return (error as RequestRefused).body;
};

describe('legacyHandlers()', () => {
  it.each<readonly [string, Hooks, readonly string[]]>([
    ['no hook', {}, []],
    ['onElicit', { onElicit: ALL.onElicit }, ['elicitation/create']],
    ['onElicitUrl', { onElicitUrl: ALL.onElicitUrl }, ['elicitation/create']],
    ['onSample', { onSample: ALL.onSample }, ['sampling/createMessage']],
    ['onListRoots', { onListRoots: ALL.onListRoots }, ['roots/list']],
    ['a live list of roots', { onListRoots: of([]) }, ['roots/list']],
    ['all of them', ALL, METHODS],
  ])('serves what is declared with %s, and nothing else', (_what, hooks, methods) => {
    expect([...handlersOf(hooks).handlers.keys()]).toEqual(methods);
  });

  it('serves what is declared without a hook, by declining', () => {
    const { serve } = handlersOf({}, { elicitation: { form: {} }, sampling: {}, roots: {} });
    expect(watch(serve('elicitation/create', form() as never)).values).toEqual([{ action: 'decline' }]);
    expect(watch(serve('roots/list')).values).toEqual([{ roots: [] }]);
    expect(refusal(watch(serve('sampling/createMessage', { ...SAMPLING })).error)).toMatchObject({ code: -1 });
  });

  it('does not serve what a hook is there for and was not declared', () => {
    expect([...handlersOf(ALL, {}).handlers.keys()]).toEqual([]);
  });

  it('asks of sampling alone that its tools are declared', () => {
    expect(watch(handlersOf(ALL).serve('roots/list', { tools: [], toolChoice: {} })).values).toEqual([
      { roots: [{ uri: 'file:///a' }] },
    ]);
  });

  it('answers by the hooks', () => {
    const { serve } = handlersOf(ALL);
    const answers = [
      serve('elicitation/create', form() as never),
      serve('elicitation/create', page() as never),
      serve('sampling/createMessage', { ...SAMPLING }),
      serve('roots/list'),
    ].map((answer$) => watch(answer$).values);
    expect(answers).toEqual([
      [{ action: 'decline' }],
      // The user's word that it is done is not the server's.
      [{ action: 'accept' }],
      [SAMPLE],
      [{ roots: [{ uri: 'file:///a' }] }],
    ]);
  });

  it('answers a sampling that is refused with -1', () => {
    const { serve } = handlersOf({ onSample: () => EMPTY });
    const { error, values } = watch(serve('sampling/createMessage', { ...SAMPLING }));
    expect(values).toEqual([]);
    expect(refusal(error)).toEqual({ code: -1, message: 'the request to sample was refused' });
  });

  it.each<readonly [string, Hooks, object, string]>([
    ['URL mode', { onElicit: ALL.onElicit }, page(), 'elicitation in the mode "url"'],
    ['form mode', { onElicitUrl: ALL.onElicitUrl }, form(), 'elicitation in the mode "form"'],
    [
      'form mode by name',
      { onElicitUrl: ALL.onElicitUrl },
      { ...form(), mode: 'form' },
      'elicitation in the mode "form"',
    ],
    ['a mode nobody knows', ALL, { ...form(), mode: 'voice' }, 'elicitation in the mode "voice"'],
    ['no mode at all', ALL, { ...form(), mode: null }, 'elicitation in the mode null'],
    [
      'a mode without end',
      ALL,
      { ...form(), mode: 'x'.repeat(1_000) },
      `elicitation in the mode "${'x'.repeat(199)}… (1002 characters)`,
    ],
    [
      'a mode too deep to be written',
      ALL,
      { ...form(), mode: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown },
      'elicitation in a mode that is no text',
    ],
  ])('refuses %s that was not declared with -32602, and asks nobody', (_what, hooks, params, what) => {
    const { serve, wrapped } = handlersOf(hooks);
    const { error } = watch(serve('elicitation/create', params as never));
    expect(refusal(error)).toEqual({ code: -32602, message: `this client did not declare ${what}` });
    expect(wrapped).toEqual([]);
  });

  it('takes an empty declaration of elicitation for one of forms alone, as older revisions do', () => {
    const { serve } = handlersOf(ALL, { elicitation: {} });
    expect(watch(serve('elicitation/create', form() as never)).values).toEqual([{ action: 'decline' }]);
    expect(refusal(watch(serve('elicitation/create', page() as never)).error)).toMatchObject({ code: -32602 });
  });

  it.each([{ tools: [] }, { toolChoice: { mode: 'auto' } }])(
    'refuses a sampling with %j that was not declared with -32602, and asks nobody',
    (more) => {
      const { serve, wrapped } = handlersOf(ALL);
      const { error } = watch(serve('sampling/createMessage', { ...SAMPLING, ...more }));
      expect(refusal(error)).toEqual({ code: -32602, message: 'this client did not declare tools in sampling' });
      expect(wrapped).toEqual([]);
    },
  );

  it('serves a sampling with tools where they were declared', () => {
    const { serve } = handlersOf(ALL, { sampling: { tools: {} } });
    const params = { ...SAMPLING, tools: [], toolChoice: { mode: 'none' } };
    expect(watch(serve('sampling/createMessage', params)).values).toEqual([SAMPLE]);
  });

  it('wraps the answering of each question, under the id of its request', () => {
    const { serve, wrapped } = handlersOf(ALL);
    const answers = [
      serve('elicitation/create', form() as never, 'x'),
      serve('sampling/createMessage', { ...SAMPLING }, 0),
      serve('roots/list', undefined, 7),
    ];
    expect(wrapped).toEqual([]);
    for (const answer$ of answers) watch(answer$);
    expect(wrapped).toEqual([
      {
        question: { key: 'x', method: 'elicitation/create', params: form() },
        unwanted: { result: { action: 'cancel' } },
      },
      { question: { key: '0', method: 'sampling/createMessage', params: SAMPLING }, unwanted: { refused: true } },
      { question: { key: '7', method: 'roots/list', params: undefined }, unwanted: undefined },
    ]);
  });

  it('unsubscribes the hook when the request is withdrawn', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<never>('------');
      const { serve } = handlersOf({ onElicit: () => hook$ });
      expectObservable(serve('elicitation/create', form() as never), '^--!').toBe('');
      expectSubscriptions(hook$.subscriptions).toBe('^--!');
    });
  });
});
