import { describe, expect, it } from '@jest/globals';
import { type Observable, of, takeUntil, throwError } from 'rxjs';
import { type Hooks, type InputEvent, type Result, type Retry, type RoundsTerms } from '../../src/protocol/index.js';
import { retryOf, roundOf, roundsAfter } from '../../src/protocol/rounds.js';
import { detour } from '../../src/rx/index.js';
import { answering, form, page, SAMPLE, SAMPLING, SERVER } from '../support/answering.js';
import { thrownBy, watch, type Watched } from '../support/client/watch.js';
import { marbles } from '../support/marbles.js';

/** A call in as many rounds as it takes. */
const inRounds = (send: (retry: Retry | undefined) => Observable<Result>, terms: RoundsTerms): Observable<Result> =>
  send(undefined).pipe(detour((first) => roundsAfter(first, send, terms)));

const asks = (more: object): Result => ({ resultType: 'input_required', ...more });
const DONE: Result = { resultType: 'complete', content: [] };
const ROOTS = { method: 'roots/list' };
const FORM = { method: 'elicitation/create', params: form() };
const SAMPLED = { method: 'sampling/createMessage', params: SAMPLING };
const DECLINED = { action: 'decline' };

/** Terms of rounds whose hooks are these. */
const termsOf = (hooks: Hooks, more: Partial<RoundsTerms> = {}): RoundsTerms => ({
  method: 'tools/call',
  maxInputRounds: 8,
  answerer: answering(hooks).answerer,
  server: () => SERVER,
  answering: (answers$) => answers$,
  ...more,
});

/** Runs a call whose n-th request is answered by the n-th of these. */
const run = (
  answers: readonly (Result | Observable<Result>)[],
  terms: RoundsTerms,
): Watched<Result> & { readonly sent: (Retry | undefined)[] } => {
  const sent: (Retry | undefined)[] = [];
  const send = (retry: Retry | undefined): Observable<Result> => {
    const answer = answers[sent.length];
    sent.push(retry);
    if (answer === undefined) throw new Error(`there is no answer to request ${sent.length}`);
    return 'resultType' in answer ? of(answer) : answer;
  };
  return Object.assign(watch(inRounds(send, terms)), { sent });
};

describe('roundOf()', () => {
  it('reads questions under their keys, and state', () => {
    expect(
      roundOf('tools/call', asks({ inputRequests: { a: FORM, b: ROOTS, c: SAMPLED }, requestState: 's' })),
    ).toEqual({
      questions: [
        { key: 'a', method: 'elicitation/create', params: FORM.params },
        { key: 'b', method: 'roots/list', params: undefined },
        { key: 'c', method: 'sampling/createMessage', params: SAMPLING },
      ],
      requestState: 's',
    });
  });

  it.each([
    [{ inputRequests: { a: ROOTS } }, 1, undefined],
    [{ requestState: '' }, 0, ''],
    [{ inputRequests: {}, requestState: 's' }, 0, 's'],
  ])('takes %j', (result, questions, requestState) => {
    const round = roundOf('tools/call', asks(result));
    expect([round.questions.length, round.requestState]).toEqual([questions, requestState]);
  });

  it('reads a key such as __proto__ like any other', () => {
    const inputRequests = JSON.parse(
      '{"__proto__":{"method":"roots/list"},"constructor":{"method":"roots/list"}}',
    ) as object;
    expect(roundOf('tools/call', asks({ inputRequests })).questions.map(({ key }) => key)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  it.each<readonly [object, string]>([
    [{}, 'it asks for input and says not for what'],
    [{ inputRequests: {} }, 'it asks for input and says not for what'],
    [{ inputRequests: null, requestState: 's' }, 'its inputRequests are not an object'],
    [{ inputRequests: [FORM] }, 'its inputRequests are not an object'],
    [{ inputRequests: 'a' }, 'its inputRequests are not an object'],
    [{ requestState: 5 }, 'its requestState is not a string'],
    [{ inputRequests: { a: ROOTS }, requestState: null }, 'its requestState is not a string'],
    [{ inputRequests: { a: {} } }, 'its question "a" has no method'],
    [{ inputRequests: { a: ROOTS, b: 'roots/list' } }, 'its question "b" has no method'],
    [{ inputRequests: { a: null } }, 'its question "a" has no method'],
    [{ inputRequests: { a: { method: 'tools/call' } } }, 'it asks "tools/call", which is no question'],
    [{ inputRequests: { a: ROOTS, b: { method: 'ping' } } }, 'it asks "ping", which is no question'],
    [{ inputRequests: { a: { method: 'toString' } } }, 'it asks "toString", which is no question'],
  ])('takes %j for a violation of the protocol', (result, reason) => {
    const thrown = thrownBy(() => roundOf('prompts/get', asks(result)));
    expect(thrown).toMatchObject({ name: 'InvalidMessageError', method: 'prompts/get', reason });
  });
});

describe('retryOf()', () => {
  it.each([
    [[ROOTS], 's', { inputResponses: { a: 1 }, requestState: 's' }],
    [[ROOTS], undefined, { inputResponses: { a: 1 } }],
    [[], 's', { requestState: 's' }],
    [[], '', { requestState: '' }],
  ])('answers questions %j and state %j, each only if there was any', (questions, requestState, retry) => {
    const made = retryOf({ questions, requestState }, { a: 1 });
    expect(made).toEqual(retry);
    expect(Object.keys(made).sort()).toEqual(Object.keys(retry).sort());
  });
});

describe('roundsAfter()', () => {
  it('emits a result that asks nothing at once, and completes', () => {
    const { values, completed, sent } = run([DONE], termsOf({}));
    expect([values, completed, sent]).toEqual([[DONE], true, [undefined]]);
  });

  it('answers by the hooks, and sends again with the answers and the state exactly as it was', () => {
    const roots = [{ uri: 'file:///a' }];
    const state = ' opaque \u0000 {"json":1} ';
    const { values, completed, sent } = run(
      [asks({ inputRequests: { who: FORM, where: ROOTS, what: SAMPLED }, requestState: state }), DONE],
      termsOf({ onElicit: () => ({ action: 'cancel' }), onListRoots: () => roots, onSample: () => SAMPLE }),
    );
    expect([values, completed]).toEqual([[DONE], true]);
    expect(JSON.parse(JSON.stringify(sent))).toEqual([
      null,
      { requestState: state, inputResponses: { who: { action: 'cancel' }, where: { roots }, what: SAMPLE } },
    ]);
  });

  it('goes on for as many rounds as there are, each with its own questions and state alone', () => {
    const { values, sent } = run(
      [
        asks({ inputRequests: { a: FORM }, requestState: 'one' }),
        asks({ inputRequests: { b: ROOTS } }),
        asks({ requestState: 'three' }),
        DONE,
      ],
      termsOf({}),
    );
    expect(values).toEqual([DONE]);
    expect(JSON.parse(JSON.stringify(sent))).toEqual([
      null,
      { inputResponses: { a: DECLINED }, requestState: 'one' },
      { inputResponses: { b: { roots: [] } } },
      { requestState: 'three' },
    ]);
  });

  it('asks the same question anew, however often it comes', () => {
    let asked = 0;
    const onElicit = () => {
      asked += 1;
      return { action: 'decline' } as const;
    };
    const again = asks({ inputRequests: { a: FORM } });
    expect(run([again, again, again, DONE], termsOf({ onElicit })).completed).toBe(true);
    expect(asked).toBe(3);
  });

  it('sends state without questions back at once, and asks nobody', () => {
    const { sent } = run([asks({ inputRequests: {}, requestState: 's' }), DONE], termsOf({}));
    expect(sent).toEqual([undefined, { requestState: 's' }]);
  });

  it('answers under keys such as __proto__, which become no prototype', () => {
    const inputRequests = JSON.parse('{"__proto__":{"method":"roots/list"}}') as object;
    const { sent } = run([asks({ inputRequests }), DONE], termsOf({}));
    expect(JSON.stringify(sent[1])).toBe('{"inputResponses":{"__proto__":{"roots":[]}}}');
  });

  it('puts all questions of a round at once, and sends when the last is answered', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const a$ = cold('       --(a|)', { a: { action: 'decline' as const } });
      const b$ = cold('       -----(b|)', { b: SAMPLE });
      const first$ = cold('   -(r|)', { r: asks({ inputRequests: { a: FORM, b: SAMPLED } }) });
      const second$ = cold('  ---(r|)', { r: DONE });
      const terms = termsOf({ onElicit: () => a$, onSample: () => b$ });
      const sent: unknown[] = [];
      const call$ = inRounds((retry) => {
        sent.push(retry);
        return retry === undefined ? first$ : second$;
      }, terms);
      expectObservable(call$).toBe('---------(r|)', { r: DONE });
      expectSubscriptions(first$.subscriptions).toBe('^!');
      expectSubscriptions(a$.subscriptions).toBe('    -^-!');
      expectSubscriptions(b$.subscriptions).toBe('    -^----!');
      expectSubscriptions(second$.subscriptions).toBe('------^--!');
    });
  });

  it('abandons the request when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold<Result>('-----');
      expectObservable(
        inRounds(() => first$, termsOf({})),
        '^--!',
      ).toBe('');
      expectSubscriptions(first$.subscriptions).toBe('^--!');
    });
  });

  it('abandons the hooks when it is unsubscribed while they are open', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<never>('-------');
      const first$ = cold('-(r|)', { r: asks({ inputRequests: { a: FORM, b: SAMPLED } }) });
      const terms = termsOf({ onElicit: () => hook$, onSample: () => hook$ });
      expectObservable(
        inRounds(() => first$, terms),
        '^--!',
      ).toBe('');
      expectSubscriptions(hook$.subscriptions).toBe(['-^-!', '-^-!']);
    });
  });

  it('has the wait for the application wrapped, and nothing else', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<never>('---------');
      const first$ = cold('------(r|)', { r: asks({ inputRequests: { a: FORM } }) });
      const gone$ = cold('  --x');
      const terms = termsOf({ onElicit: () => hook$ }, { answering: (answers$) => answers$.pipe(takeUntil(gone$)) });
      expectObservable(inRounds(() => first$, terms)).toBe('--------|');
      expectSubscriptions(gone$.subscriptions).toBe('------^-!');
      expectSubscriptions(hook$.subscriptions).toBe('------^-!');
    });
  });

  it('ends with what a request raises, in any round', () => {
    const broke = throwError(() => new Error('broke'));
    expect(run([broke], termsOf({})).error).toEqual(new Error('broke'));
    const later = run([asks({ requestState: 's' }), broke], termsOf({}));
    expect([later.error, later.values]).toEqual([new Error('broke'), []]);
  });

  it.each([0, 1, 3, 8])('gives up after %i rounds, where no more are allowed', (maxInputRounds) => {
    const again = asks({ inputRequests: { a: FORM } });
    const terms = termsOf({}, { maxInputRounds, method: 'prompts/get' });
    const { error, sent } = run(
      Array.from({ length: 12 }, () => again),
      terms,
    );
    expect(error).toMatchObject({ name: 'InputLoopExceededError', rounds: maxInputRounds, method: 'prompts/get' });
    expect(sent).toHaveLength(maxInputRounds + 1);
  });

  it('takes the result of the last round that is allowed', () => {
    const again = asks({ requestState: 's' });
    const { completed, sent } = run([again, again, DONE], termsOf({}, { maxInputRounds: 2 }));
    expect([completed, sent.length]).toEqual([true, 3]);
  });

  it('ends where a sampling is refused, names every such question, and does not send again', () => {
    const { error, sent } = run(
      [asks({ inputRequests: { a: SAMPLED, b: FORM, c: SAMPLED } })],
      termsOf({ onElicit: () => ({ action: 'decline' }) }),
    );
    expect(error).toMatchObject({ name: 'InputRefusedError', method: 'tools/call', keys: ['a', 'c'] });
    expect(sent).toHaveLength(1);
  });

  it.each([{}, { inputRequests: { a: { method: 'ping' } } }])('asks nobody where %j is a violation', (more) => {
    const { error, sent } = run([asks(more)], termsOf({}));
    expect(error).toMatchObject({ name: 'InvalidMessageError', method: 'tools/call' });
    expect(sent).toHaveLength(1);
  });
});

describe('the input events of a call', () => {
  const eventsOf = (hooks: Hooks, answers: readonly Result[]): { events: InputEvent[]; error: unknown } => {
    const events: InputEvent[] = [];
    const { error } = run(
      answers,
      termsOf(hooks, {
        onInput: (event) => events.push(event) > 0,
      }),
    );
    return { events, error };
  };

  it('show each question, then each with its answer as it goes out', () => {
    const { events } = eventsOf({ onElicitUrl: () => ({ action: 'accept', completed: true }) }, [
      asks({ inputRequests: { a: FORM, b: { method: 'elicitation/create', params: page() } } }),
      DONE,
    ]);
    const a = { key: 'a', method: 'elicitation/create', params: FORM.params };
    const b = { key: 'b', method: 'elicitation/create', params: page() };
    // Each is asked as it is shown, and these answer at once.
    expect(events).toEqual([a, b, { ...a, answer: DECLINED }, { ...b, answer: { action: 'accept' } }]);
  });

  it('show no answer of a sampling that was refused', () => {
    const { events, error } = eventsOf({}, [asks({ inputRequests: { a: SAMPLED } })]);
    expect(events).toEqual([{ key: 'a', method: 'sampling/createMessage', params: SAMPLING }]);
    expect(error).toMatchObject({ name: 'InputRefusedError' });
  });

  it('may be looked at by somebody who leaves, and then no hook is asked any longer', () => {
    const asked: string[] = [];
    const terms = termsOf(
      {
        onElicit: ({ params }) => {
          asked.push(params.message);
          return { action: 'decline' };
        },
      },
      { onInput: ({ key }) => key !== 'b' },
    );
    const { marks, sent } = run([asks({ inputRequests: { b: FORM } })], terms);
    expect([marks, asked, sent.length]).toEqual([[], [], 1]);
  });

  it('show nothing of a round that asks what is no question', () => {
    const { events } = eventsOf({}, [asks({ inputRequests: { a: ROOTS, b: { method: 'ping' } } })]);
    expect(events).toEqual([]);
  });
});
