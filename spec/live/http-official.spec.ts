import { describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom, map, toArray } from 'rxjs';
import { type CallEvent, type ClientOptions, connectHttp, EraCache, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';
import { type Loopback, messageOf, serve } from '../support/http/loopback.js';
import { until } from '../support/http/turns.js';
import { webHandler } from '../support/http/web.js';
import { createOfficialHttp } from '../support/servers/official-http.mjs';
import { GIVEN_UP, giveUpThree, itIsTheWorkshop } from '../support/servers/workshop.contract.js';

jest.setTimeout(30_000);

const start = (form: 'dual' | 'modern', journal: string[] = [], port = 0): Promise<Loopback> =>
  serve(webHandler(createOfficialHttp(form, journal).fetch), port);

const client = ({ url }: Loopback, options: ClientOptions = {}): McpClient =>
  closing(connectHttp({ url, eraCache: new EraCache(), ...options }));

type Row = readonly [form: 'dual' | 'modern', era: 'modern' | 'legacy', version: string, options: ClientOptions];

const FORMS: readonly Row[] = [
  ['modern', 'modern', '2026-07-28', {}],
  ['dual', 'modern', '2026-07-28', {}],
  ['dual', 'legacy', '2025-11-25', { era: 'legacy' }],
];

const methodsOf = ({ received }: Loopback): unknown[] =>
  received.map((one) => (one.method === 'POST' ? messageOf(one).method : one.method));

describe.each(FORMS)('a server on the official handler, %s, spoken to as %s', (form, era, version, options) => {
  itIsTheWorkshop(era, version, async (more) => client(await start(form), { ...options, ...more }));

  it('reports its progress before the result and in order', async () => {
    const one = client(await start(form), { ...options, logLevel: 'info' });
    const brief = (event: CallEvent<unknown>): string[] =>
      event.kind === 'log' ? [] : [event.kind === 'progress' ? `${event.progress}/${String(event.total)}` : event.kind];
    const seen$ = one.callTool('saw', { cuts: 3 }, { observe: 'events' }).pipe(
      map(brief),
      toArray(),
      map((all) => all.flat()),
    );
    expect(await firstValueFrom(seen$)).toEqual(['1/3', '2/3', '3/3', 'result']);
  });

  it('answers many calls at once, each with its own', async () => {
    const { promises } = client(await start(form), options);
    const sums = await Promise.all(Array.from({ length: 50 }, (_, a) => promises.callTool('add', { a, b: 1 })));
    expect(sums.map(({ structuredContent }) => structuredContent)).toEqual(
      Array.from({ length: 50 }, (_, a) => ({ sum: a + 1 })),
    );
  });

  it('may be started anew between two calls', async () => {
    const first = await start(form);
    const one = client(first, options);
    expect(await one.promises.callTool('add', { a: 1, b: 1 })).toMatchObject({ structuredContent: { sum: 2 } });
    await first.close();
    const second = await start(form, [], first.port);
    expect(await one.promises.callTool('add', { a: 2, b: 2 })).toMatchObject({ structuredContent: { sum: 4 } });
    expect(methodsOf(second)).toEqual(['tools/call']);
  });
});

describe('a call of a modern server over HTTP', () => {
  it('is given up by hanging up, which its handler observes: by unsubscribing, by a signal, by a timeout', async () => {
    const journal: string[] = [];
    const server = await start('modern', journal);
    const one = client(server);
    await giveUpThree(one);
    await until(() => journal.filter((line) => line.endsWith('aborted')).length === 3);
    expect(journal).toEqual(expect.arrayContaining(GIVEN_UP));
    expect(methodsOf(server)).not.toContain('notifications/cancelled');
  });

  it('has its logs on its own stream, at the level that was asked for', async () => {
    const one = client(await start('modern'), { logLevel: 'info' });
    const logs = watch(one.logs$).values;
    await one.promises.callTool('saw', { cuts: 2 });
    expect(logs.map(({ level, data }) => [level, data])).toEqual([
      ['info', 'cut 1'],
      ['info', 'cut 2'],
    ]);
  });
});

describe('calls beside each other over HTTP', () => {
  it('each hear their own log messages, and not those of the others', async () => {
    const one = client(await start('modern'), { logLevel: 'info' });
    const logsOf = (cuts: number): Promise<unknown[]> =>
      firstValueFrom(
        one.callTool('saw', { cuts }, { observe: 'events' }).pipe(
          filter((event) => event.kind === 'log'),
          map(({ data }) => data),
          toArray(),
        ),
      );
    expect(await Promise.all([logsOf(2), logsOf(1)])).toEqual([['cut 1', 'cut 2'], ['cut 1']]);
  });
});

describe('the era of a server over HTTP', () => {
  it('is asked for once by all who begin at once', async () => {
    const server = await start('dual');
    const { promises } = client(server);
    await Promise.all([promises.listTools(), promises.listPrompts(), promises.server(), promises.ping()]);
    expect(methodsOf(server).slice(0, 1)).toEqual(['server/discover']);
    expect(methodsOf(server)).not.toContain('initialize');
  });

  it('cannot be forced upon a server that does not speak it', async () => {
    const error = await rejection(client(await start('modern'), { era: 'legacy' }).promises.server());
    expect(error).toMatchObject({ code: -32_022 });
  });
});
