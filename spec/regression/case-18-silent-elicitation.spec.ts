import { describe, expect, it } from '@jest/globals';
import { finalize, NEVER } from 'rxjs';
import { type ClientOptions, type McpClient, OptionError } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { form } from '../support/answering.js';
import { connect } from '../support/client/connect.js';
import { ERAS, metaOf, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { thrownBy, watch, type Watched } from '../support/client/watch.js';

const METHOD = 'elicitation/create';

/** A server whose only tool asks something, and tells in its result what it was answered: `said`. */
const asker = (era: 'modern' | 'legacy'): ScriptedTransport => {
  const said = (answer: unknown): object => ({ content: [], structuredContent: answer });
  if (era === 'modern') {
    return scriptedTransport({
      'tools/call': ({ inputResponses }) =>
        inputResponses === undefined
          ? { resultType: 'input_required', inputRequests: { q: { method: METHOD, params: form() } } }
          : said((inputResponses as { q: unknown }).q),
    });
  }
  const server: ScriptedTransport = scriptedTransport(
    {
      'tools/call': (_params, { id }) => {
        server.push({ id: `about ${String(id)}`, method: METHOD, params: form() } as never);
        return scriptedTransport.silence;
      },
    },
    { era: 'legacy' },
  );
  server.sent$.subscribe({
    next: (message) => {
      if ('method' in message || !String(message.id).startsWith('about ')) return;
      const id = Number(String(message.id).slice('about '.length));
      server.push({ id, result: said('error' in message ? message.error : message.result) });
    },
  });
  return server;
};

const declaredBy = (server: ScriptedTransport, era: 'modern' | 'legacy'): unknown =>
  era === 'modern'
    ? metaOf(server, 'server/discover')['io.modelcontextprotocol/clientCapabilities']
    : sentTo(server, 'initialize')[0]?.params?.['capabilities'];

const said = ({ values }: Watched<unknown>): unknown =>
  (values[0] as { structuredContent?: unknown } | undefined)?.structuredContent;

const connected = (
  era: 'modern' | 'legacy',
  options: ClientOptions,
): { server: ScriptedTransport; client: McpClient } => {
  const server = asker(era);
  return { server, client: connect(server, { era, ...options }) };
};

describe.each(ERAS)('case 18: a question nobody answers, in the %s era', (era) => {
  it('is invited by nothing where there is no hook', () => {
    const { server, client } = connected(era, {});
    watch(client.server());
    expect(declaredBy(server, era)).toEqual({});
  });

  it('is answered all the same by a client that invited it for another mode, or by mistake', () => {
    const { server, client } = connected(era, { capabilities: { elicitation: {} } });
    const seen = watch(client.callTool('t'));
    expect(declaredBy(server, era)).toEqual({ elicitation: {} });
    expect(said(seen)).toEqual({ action: 'decline' });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no terminal');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no terminal'))],
  ])('is declined at once where the hook %s, with a warning that says why', async (_how, onElicit) => {
    const { client } = connected(era, { onElicit });
    const warnings = watch(client.warnings$).values;
    const seen = watch(client.callTool('t'));
    await seen.end;
    expect(said(seen)).toEqual({ action: 'decline' });
    expect(warnings).toEqual([
      { kind: 'hook-failed', message: 'onElicit threw: Error: no terminal', detail: new Error('no terminal') },
    ]);
  });

  it.each([
    ['an Observable', () => NEVER],
    ['a Promise', () => new Promise<never>(() => undefined)],
  ])(
    'is cancelled after inputTimeoutMs where the hook is %s that never answers, and the call goes on',
    (_what, onElicit) => {
      inVirtualTime(({ at }) => {
        let open = 0;
        const watched: ClientOptions['onElicit'] = () => {
          const answer = onElicit();
          if (answer instanceof Promise) return answer;
          open += 1;
          return answer.pipe(
            finalize(() => {
              open -= 1;
            }),
          );
        };
        const { client } = connected(era, { onElicit: watched, inputTimeoutMs: 180_000, requestTimeoutMs: 60_000 });
        const warnings = watch(client.warnings$).values;
        const seen = watch(client.callTool('t'));
        at(179_999, () => expect(seen.marks).toEqual([]));
        at(180_001, () => {
          expect(said(seen)).toEqual({ action: 'cancel' });
          expect(open).toBe(0);
          expect(warnings.map(({ message }) => message)).toEqual([
            'onElicit did not answer within 180000 ms, and was given up',
          ]);
        });
      });
    },
  );

  it('does not hold up the calls beside it', () => {
    const { client } = connected(era, { onElicit: () => NEVER });
    watch(client.callTool('t'));
    expect(watch(client.ping()).values).toEqual([true]);
  });

  it.each([-1, Number.NaN, '10s', 2_147_483_648])('is not left to a time that is none: %p', (inputTimeoutMs) => {
    const thrown = thrownBy(() => connected(era, { inputTimeoutMs } as ClientOptions));
    expect(thrown).toBeInstanceOf(OptionError);
    expect((thrown as OptionError).option).toBe('inputTimeoutMs');
  });
});
