import { describe, expect, it } from '@jest/globals';
import { map, NEVER, takeWhile, timer } from 'rxjs';
import { type CallEvent, type McpClient } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { form, SAMPLE, SAMPLING } from '../support/answering.js';
import { connect } from '../support/client/connect.js';
import { ERAS, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch, type Watched } from '../support/client/watch.js';

const { log, progress, silence, steps } = scriptedTransport;

const brief = (events: readonly CallEvent<unknown>[]): string[] =>
  events.map((event) => {
    if (event.kind === 'progress') return `progress ${event.progress}`;
    return event.kind === 'log' ? `log ${String(event.data)}` : event.kind;
  });

const CALLS: readonly (readonly [string, object, (client: McpClient) => Watched<CallEvent<unknown>>])[] = [
  [
    'tools/call',
    { content: [] },
    (client) => watch<CallEvent<unknown>>(client.callTool('t', {}, { observe: 'events' })),
  ],
  [
    'resources/read',
    { contents: [] },
    (client) => watch<CallEvent<unknown>>(client.readResource('a:b', { observe: 'events' })),
  ],
  [
    'prompts/get',
    { messages: [] },
    (client) => watch<CallEvent<unknown>>(client.getPrompt('p', {}, { observe: 'events' })),
  ],
];

describe.each(ERAS)('the events of a call in the %s era', (era) => {
  it.each(CALLS)('%s come in wire order, the result last, and nothing on sending', (method, result, call) => {
    const answer = steps(progress(1, 4, 'one'), log('info', 'a'), progress(2), log('error', 'b'), progress(3), result);
    const server = scriptedTransport({ [method]: answer }, { era });
    const client = connect(server, { era, logLevel: 'info' });
    const seen = call(client);
    expect(brief(seen.values)).toEqual(['progress 1', 'log a', 'progress 2', 'log b', 'progress 3', 'result']);
    expect(seen.completed).toBe(true);
    expect(seen.values.at(-1)).toMatchObject({ kind: 'result', result: { resultType: 'complete', ...result } });
    expect(seen.values[1]).toEqual({ kind: 'log', level: 'info', data: 'a' });
  });

  it('emit nothing before the server has said something', () => {
    const server = scriptedTransport({ 'tools/call': silence }, { era });
    const seen = watch(connect(server, { era }).callTool('t', {}, { observe: 'events' }));
    expect(sentTo(server, 'tools/call')).toHaveLength(1);
    expect(seen.marks).toEqual([]);
  });

  it('keep the order of the wire towards the streams, too', () => {
    const server = scriptedTransport(
      { 'tools/call': steps(progress(1), log('info', 'a'), progress(2), { content: [] }) },
      { era },
    );
    const client = connect(server, { era, logLevel: 'info' });
    const order: string[] = [];
    const note = (what: string) => ({ next: () => void order.push(what), error: () => undefined });
    client.wire$.subscribe({
      next: ({ direction, message }) => {
        if (direction === 'in' && 'method' in message) order.push(`in ${message.method}`);
      },
      error: () => undefined,
    });
    client.progress$.subscribe(note('progress$'));
    client.logs$.subscribe(note('logs$'));
    client
      .callTool('t', {}, { observe: 'events' })
      .subscribe({ next: ({ kind }) => order.push(kind), error: () => undefined });
    expect(order).toEqual([
      'in notifications/progress',
      'progress',
      'progress$',
      'in notifications/message',
      'log',
      'logs$',
      'in notifications/progress',
      'progress',
      'progress$',
      'result',
    ]);
  });

  it('show a log message of the server to every call that is open with events, and to no other', () => {
    const server = scriptedTransport({ 'tools/call': silence }, { era });
    const client = connect(server, { era, logLevel: 'info' });
    const [one, two] = [1, 2].map(() => watch(client.callTool('t', {}, { observe: 'events' }))) as [
      Watched<CallEvent<unknown>>,
      Watched<CallEvent<unknown>>,
    ];
    server.push({ id: 2 + (era === 'legacy' ? 1 : 0), result: { content: [] } });
    server.push({ method: 'notifications/message', params: { level: 'info', data: 'late', logger: 'db' } });
    expect(brief(one.values)).toEqual(['result']);
    expect(two.values).toEqual([{ kind: 'log', level: 'info', logger: 'db', data: 'late' }]);
  });
});

describe('the events of a call', () => {
  it('end with its error, after what was seen before', () => {
    const server = scriptedTransport({ 'tools/call': steps(progress(1), scriptedTransport.error(-32603, 'broke')) });
    const seen = watch(connect(server).callTool('t', {}, { observe: 'events' }));
    expect(brief(seen.values)).toEqual(['progress 1']);
    expect(seen.error).toMatchObject({ code: -32603, message: 'broke' });
  });

  it('may be left at any of them, and the server is told', () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const seen = watch(connect(server).callTool('t', {}, { observe: 'events', progressToken: 'p' }));
    server.push({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } });
    seen.subscription.unsubscribe();
    server.push({ method: 'notifications/progress', params: { progressToken: 'p', progress: 2 } });
    expect(brief(seen.values)).toEqual(['progress 1']);
    expect(sentTo(server, 'notifications/cancelled')).toHaveLength(1);
  });

  it('are each subscriber’s own', () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const call$ = connect(server).callTool('t', {}, { observe: 'events' });
    const [one, two] = [watch(call$), watch(call$)];
    const tokens = sentTo(server, 'tools/call').map(
      ({ params }) => (params?.['_meta'] as { progressToken: number }).progressToken,
    );
    server.push({ method: 'notifications/progress', params: { progressToken: tokens[1] as number, progress: 5 } });
    expect([brief(one.values), brief(two.values)]).toEqual([[], ['progress 5']]);
  });

  it('arrive when the server says them, not later', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({ 'tools/call': silence });
      const seen = watch(connect(server).callTool('t', {}, { observe: 'events', progressToken: 'p' }));
      for (const ms of [10, 20]) {
        at(ms, () => server.push({ method: 'notifications/progress', params: { progressToken: 'p', progress: ms } }));
      }
      at(30, () => server.push({ id: 2, result: { content: [] } }));
      at(40, () => expect(seen.marks.map(([ms]) => ms)).toEqual([10, 20, 30, 30]));
    });
  });

  it.each([
    ['without a level', { data: 'x' }],
    ['of a level that is none', { level: 'verbose', data: 'x' }],
    ['without params', undefined],
  ])('leave out a log message %s, which is a notification all the same', (_what, params) => {
    const server: ScriptedTransport = scriptedTransport({ 'tools/call': silence });
    const client = connect(server, { logLevel: 'debug' });
    const [raw, logs] = [watch<unknown>(client.notifications$), watch<unknown>(client.logs$)];
    const seen = watch(client.callTool('t', {}, { observe: 'events' }));
    const method = 'notifications/message';
    server.push(params === undefined ? { method } : { method, params });
    expect([seen.values, logs.values, raw.values.length]).toEqual([[], [], 1]);
  });

  it('may hold any JSON value as the data of a log', () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server, { logLevel: 'debug' });
    const seen = watch(client.callTool('t', {}, { observe: 'events' }));
    for (const data of [null, 0, { a: [1] }, 'text']) {
      server.push({ method: 'notifications/message', params: { level: 'debug', data } });
    }
    expect(seen.values.map((event) => (event as { data: unknown }).data)).toEqual([null, 0, { a: [1] }, 'text']);
  });
});

describe('the input events of a call', () => {
  const FORM = { method: 'elicitation/create', params: form() };
  const SAMPLED = { method: 'sampling/createMessage', params: SAMPLING };
  const DECLINE = { action: 'decline' } as const;

  /** A modern server that asks once, saying something before and after. */
  const asking = (inputRequests: object): ScriptedTransport =>
    scriptedTransport({
      'tools/call': (params) =>
        params['inputResponses'] === undefined
          ? steps(progress(1), { resultType: 'input_required', inputRequests })
          : steps(progress(2), { content: [] }),
    });

  it('show each question, and again with the answer that goes out, where they belong in the order', () => {
    const client = connect(asking({ who: FORM, poem: SAMPLED }), {
      onElicit: () => DECLINE,
      onSample: () => SAMPLE,
    });
    const seen = watch(client.callTool('t', {}, { observe: 'events' }));
    const who = { kind: 'input', key: 'who', ...FORM };
    const poem = { kind: 'input', key: 'poem', ...SAMPLED };
    expect(brief(seen.values)).toEqual(['progress 1', 'input', 'input', 'input', 'input', 'progress 2', 'result']);
    expect(seen.values.slice(1, 5)).toEqual([who, poem, { ...who, answer: DECLINE }, { ...poem, answer: SAMPLE }]);
  });

  it('show the question when it is asked, and the answer when it is given', () => {
    inVirtualTime(({ at }) => {
      const onElicit = () => timer(500).pipe(map(() => DECLINE));
      const seen = watch(connect(asking({ who: FORM }), { onElicit }).callTool('t', {}, { observe: 'events' }));
      at(1_000, () => {
        expect(seen.marks.map(([ms, what]) => [ms, what === '|' ? what : (what as { kind: string }).kind])).toEqual([
          [0, 'progress'],
          [0, 'input'],
          [500, 'input'],
          [500, 'progress'],
          [500, 'result'],
          [500, '|'],
        ]);
      });
    });
  });

  it('end with a question where its sampling is refused', () => {
    const seen = watch(connect(asking({ poem: SAMPLED })).callTool('t', {}, { observe: 'events' }));
    expect(seen.values.at(-1)).toEqual({ kind: 'input', key: 'poem', ...SAMPLED });
    expect(seen.error).toMatchObject({ name: 'InputRefusedError', keys: ['poem'] });
  });

  it.each([0, 10])('may be left at a question that comes after %i ms, which then is put to nobody', (delay) => {
    inVirtualTime(({ at }) => {
      let asked = 0;
      const ask = { resultType: 'input_required', inputRequests: { who: FORM } };
      const server = scriptedTransport({ 'tools/call': () => (delay === 0 ? ask : timer(delay).pipe(map(() => ask))) });
      const onElicit = () => {
        asked += 1;
        return DECLINE;
      };
      const seen = watch(
        connect(server, { onElicit })
          .callTool('t', {}, { observe: 'events' })
          .pipe(takeWhile(({ kind }) => kind !== 'input')),
      );
      at(20, () => {
        expect([seen.completed, asked]).toEqual([true, 0]);
        expect(sentTo(server, 'tools/call')).toHaveLength(1);
      });
    });
  });

  it('of resources and prompts are the same', () => {
    const ask = { resultType: 'input_required', inputRequests: { who: FORM } };
    const server = scriptedTransport({
      'resources/read': (params) => (params['inputResponses'] === undefined ? ask : { contents: [] }),
      'prompts/get': (params) => (params['inputResponses'] === undefined ? ask : { messages: [] }),
    });
    const client = connect(server);
    for (const [, , call] of CALLS.slice(1)) expect(brief(call(client).values)).toEqual(['input', 'input', 'result']);
  });

  it('of a legacy server, whose questions name no call, are given to every call that is open with events', () => {
    const server = scriptedTransport({ 'tools/call': silence }, { era: 'legacy' });
    const client = connect(server, { era: 'legacy', onElicit: () => DECLINE });
    const [one, two] = [1, 2].map(() => watch(client.callTool('t', {}, { observe: 'events' })));
    watch(client.callTool('without'));
    server.push({ id: 'q', method: 'elicitation/create', params: FORM.params } as never);
    const late = watch(client.callTool('late', {}, { observe: 'events' }));
    const question = { kind: 'input', key: 'q', ...FORM };
    for (const seen of [one, two]) expect(seen?.values).toEqual([question, { ...question, answer: DECLINE }]);
    expect(late.values).toEqual([]);
  });

  it('of a legacy server show no answer to a question that is withdrawn', () => {
    const server = scriptedTransport({ 'tools/call': silence }, { era: 'legacy' });
    const client = connect(server, { era: 'legacy', onElicit: () => NEVER });
    const seen = watch(client.callTool('t', {}, { observe: 'events' }));
    server.push({ id: 'q', method: 'elicitation/create', params: FORM.params } as never);
    server.push({ method: 'notifications/cancelled', params: { requestId: 'q' } });
    expect(seen.values).toEqual([{ kind: 'input', key: 'q', ...FORM }]);
  });
});
