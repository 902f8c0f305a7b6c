import { describe, expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';
import {
  type ClientOptions,
  type McpClient,
  OptionError,
  OutcomeUnknownError,
  type SuspendableResult,
  type SuspendedCall,
  UnsupportedFeatureError,
} from '../../src/index.js';
import { type ScriptEntry, scriptedTransport } from '../../src/testing/index.js';
import { form, SAMPLE, SAMPLING } from '../support/answering.js';
import { connect } from '../support/client/connect.js';
import { methodsOf, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { rejection, watch } from '../support/client/watch.js';

const SUSPEND = { onInput: 'return' } as const;
const asks = (more: object): object => ({ resultType: 'input_required', ...more });
const FORM = { method: 'elicitation/create', params: form() };
const SAMPLED = { method: 'sampling/createMessage', params: SAMPLING };
const DECLINE = { action: 'decline' };

/** A client whose n-th tool call is answered by the n-th of these, and then not at all. */
const calling = (answers: readonly unknown[], options: ClientOptions = {}, era: 'modern' | 'legacy' = 'modern') => {
  let asked = 0;
  const entry = (() => answers[asked++] ?? scriptedTransport.silence) as ScriptEntry;
  const server = scriptedTransport({ 'tools/call': entry }, { era });
  return { server, client: connect(server, { era, ...options }) };
};

const suspendedBy = (client: McpClient): SuspendedCall => {
  const [seen] = watch(client.callTool('t', { a: 1 }, SUSPEND)).values;
  if (seen?.kind !== 'input') throw new Error('it is not suspended');
  return seen.resume;
};

/** Params without what every modern request carries. */
const paramsOf = (sent: { readonly params?: Readonly<Record<string, unknown>> } | undefined): unknown => {
  const { _meta, ...params } = sent?.params ?? {};
  return JSON.parse(JSON.stringify(params));
};

describe("a tool call with onInput: 'return'", () => {
  it('is a result where nothing is asked', () => {
    const { client } = calling([{ content: [] }]);
    const seen = watch(client.callTool('t', {}, SUSPEND));
    expect(seen.values).toEqual([{ kind: 'result', result: { resultType: 'complete', content: [] } }]);
    expect(seen.completed).toBe(true);
  });

  it('hands back what the server asks, and what it takes to carry on, as plain JSON', () => {
    const hook = (): never => {
      throw new Error('no hook is asked');
    };
    const { client, server } = calling([asks({ inputRequests: { who: FORM, poem: SAMPLED }, requestState: 's' })], {
      onElicit: hook,
      onSample: hook,
    });
    const seen = watch(client.callTool('t', { a: 1 }, SUSPEND));
    expect(seen.values).toEqual([
      {
        kind: 'input',
        requests: { who: FORM, poem: SAMPLED },
        resume: {
          suspended: 1,
          method: 'tools/call',
          params: { name: 't', arguments: { a: 1 } },
          keys: ['who', 'poem'],
          requestState: 's',
        },
      },
    ]);
    expect(seen.completed).toBe(true);
    const { resume } = seen.values[0] as Extract<SuspendableResult, { kind: 'input' }>;
    expect(JSON.parse(JSON.stringify(resume))).toEqual(resume);
    expect(sentTo(server, 'tools/call')).toHaveLength(1);
  });

  it('hands back state without questions, too', () => {
    const { client } = calling([asks({ requestState: 's' })]);
    expect(watch(client.callTool('t', {}, SUSPEND)).values).toMatchObject([
      { kind: 'input', requests: {}, resume: { keys: [], requestState: 's' } },
    ]);
  });

  it('fails where what is asked is no question', () => {
    const { client } = calling([asks({ inputRequests: { a: { method: 'ping' } } })]);
    expect(watch(client.callTool('t', {}, SUSPEND)).error).toMatchObject({ name: 'InvalidMessageError' });
  });

  it('has its result checked like any other', () => {
    const { client } = calling([{ content: 'text' }]);
    expect(watch(client.callTool('t', {}, SUSPEND)).error).toMatchObject({ name: 'InvalidMessageError' });
  });

  it('is not for a legacy server, which asks by requests of its own: nothing is sent', () => {
    const { client, server } = calling([{ content: [] }], {}, 'legacy');
    const { error } = watch(client.callTool('t', {}, SUSPEND));
    expect(error).toBeInstanceOf(UnsupportedFeatureError);
    expect(error).toMatchObject({ feature: "onInput: 'return'", era: 'legacy' });
    expect((error as Error).message).toContain('set the hooks');
    expect(methodsOf(server)).toEqual(['initialize', 'notifications/initialized']);
  });

  it('has no events', () => {
    const { client, server } = calling([]);
    const options = { onInput: 'return', observe: 'events' } as never;
    expect(watch(client.callTool('t', {}, options)).error).toMatchObject({ name: 'OptionError', option: 'observe' });
    expect(server.sent).toEqual([]);
  });

  it('takes no other word', () => {
    const { client } = calling([]);
    const { error } = watch(client.callTool('t', {}, { onInput: 'later' } as never));
    expect(error).toMatchObject({ name: 'OptionError', option: 'onInput' });
  });

  it('can be asked for as a Promise', async () => {
    const { client } = calling([asks({ requestState: 's' })]);
    expect(await client.promises.callTool('t', {}, SUSPEND)).toMatchObject({ kind: 'input' });
  });
});

describe('resume()', () => {
  it('sends the call as it was, with the answers and the state, under a new id', () => {
    const { client, server } = calling([
      asks({ inputRequests: { who: FORM, poem: SAMPLED }, requestState: 's' }),
      { content: [] },
    ]);
    const seen = watch(client.resume(suspendedBy(client), { poem: SAMPLE, who: DECLINE, extra: {} }));
    expect(seen.values).toEqual([{ kind: 'result', result: { resultType: 'complete', content: [] } }]);
    const [first, second] = sentTo(server, 'tools/call');
    expect(paramsOf(second)).toEqual({
      ...(paramsOf(first) as object),
      inputResponses: { who: DECLINE, poem: SAMPLE },
      requestState: 's',
    });
    expect(second?.id).not.toBe(first?.id);
  });

  it('may meet the next questions, and go on from there with the params it began with', () => {
    const { client, server } = calling([
      asks({ inputRequests: { a: FORM }, requestState: '1' }),
      asks({ inputRequests: { b: FORM } }),
      asks({ requestState: '3' }),
      { content: [] },
    ]);
    let resume = suspendedBy(client);
    for (const answers of [{ a: DECLINE }, { b: DECLINE }]) {
      const [next] = watch(client.resume(resume, answers)).values;
      if (next?.kind !== 'input') throw new Error('it has a result');
      resume = next.resume;
    }
    expect(watch(client.resume(resume, {})).values).toMatchObject([{ kind: 'result' }]);
    const params = { name: 't', arguments: { a: 1 } };
    expect(sentTo(server, 'tools/call').map(paramsOf)).toEqual([
      params,
      { ...params, inputResponses: { a: DECLINE }, requestState: '1' },
      { ...params, inputResponses: { b: DECLINE } },
      { ...params, requestState: '3' },
    ]);
  });

  it('is cold, and each subscriber sends it', () => {
    const { client, server } = calling([asks({ requestState: 's' }), { content: [] }, { content: [] }]);
    const resumed$ = client.resume(suspendedBy(client), {});
    expect(sentTo(server, 'tools/call')).toHaveLength(1);
    watch(resumed$);
    watch(resumed$);
    expect(sentTo(server, 'tools/call')).toHaveLength(3);
  });

  it('works in a client that has never seen the call', () => {
    const resume = JSON.parse(
      JSON.stringify(suspendedBy(calling([asks({ requestState: 's' })]).client)),
    ) as SuspendedCall;
    const { client, server } = calling([{ content: [] }]);
    expect(watch(client.resume(resume, {})).values).toMatchObject([{ kind: 'result' }]);
    expect(paramsOf(sentTo(server, 'tools/call')[0])).toEqual({
      name: 't',
      arguments: { a: 1 },
      requestState: 's',
    });
  });

  it.each([undefined, null, {}, 'text', { suspended: 1 }])('refuses %j as the suspended call', (suspended) => {
    const { client, server } = calling([]);
    const { error } = watch(client.resume(suspended as never, {}));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ option: 'resume' });
    expect(server.sent).toEqual([]);
  });

  it.each([{}, { who: DECLINE }, { who: DECLINE, poem: 'text' }, undefined, []])(
    'refuses %j where an answer is missing, and sends nothing',
    (answers) => {
      const { client, server } = calling([asks({ inputRequests: { who: FORM, poem: SAMPLED } })]);
      const { error } = watch(client.resume(suspendedBy(client), answers as never));
      expect(error).toMatchObject({ name: 'OptionError', option: 'answers' });
      expect(sentTo(server, 'tools/call')).toHaveLength(1);
    },
  );

  it('refuses an option that is unknown', () => {
    const { client } = calling([asks({ requestState: 's' })]);
    const resume = suspendedBy(client);
    expect(watch(client.resume(resume, {}, { timeout: 5 } as never)).error).toMatchObject({ option: 'timeout' });
  });

  it('is not for a legacy server', () => {
    const resume = suspendedBy(calling([asks({ requestState: 's' })]).client);
    const { client, server } = calling([{ content: [] }], {}, 'legacy');
    expect(watch(client.resume(resume, {})).error).toBeInstanceOf(UnsupportedFeatureError);
    expect(sentTo(server, 'tools/call')).toEqual([]);
  });

  it('ends like any call: by its clock, by its signal, by the server, with the wire', () => {
    inVirtualTime(({ at }) => {
      const { client, server } = calling([
        asks({ requestState: 's' }),
        NEVER,
        NEVER,
        scriptedTransport.error(-1, 'no'),
      ]);
      const resume = suspendedBy(client);
      const controller = new AbortController();
      const slow = watch(client.resume(resume, {}, { timeoutMs: 50 }));
      const aborted = watch(client.resume(resume, {}, { signal: controller.signal }));
      const refused = watch(client.resume(resume, {}));
      const lost = watch(client.resume(resume, {}));
      at(10, () => controller.abort('enough'));
      at(100, () => server.die());
      at(200, () => {
        expect(slow.error).toMatchObject({ name: 'TimeoutError', timeoutMs: 50 });
        expect(aborted.error).toMatchObject({ name: 'CancelledError', cause: 'enough' });
        expect(refused.error).toMatchObject({ name: 'ProtocolError', code: -1 });
        expect(lost.error).toBeInstanceOf(OutcomeUnknownError);
      });
    });
  });

  it('has a twin that returns a Promise', async () => {
    const { client } = calling([asks({ inputRequests: { a: FORM } }), { content: [] }]);
    const resume = suspendedBy(client);
    expect(await rejection(client.promises.resume(resume, {}))).toBeInstanceOf(OptionError);
    expect(await client.promises.resume(resume, { a: DECLINE })).toMatchObject({ kind: 'result' });
  });
});
