// A legacy server that is away for longer than its own stream is tried for: who follows its lists hears of it again.
import { describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { connectHttp, EraCache, NetworkError } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';
import { type Loopback, messageOf, serve, stream } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { until } from '../support/http/turns.js';
import { webHandler } from '../support/http/web.js';
import { createAncestorHttp } from '../support/servers/sdk-1-http.mjs';

jest.setTimeout(30_000);

const ancestor = async (port = 0) => {
  const made = createAncestorHttp();
  return Object.assign(made, { server: await serve(webHandler(made.fetch), port) });
};

/** A client that follows the tools of a server which has its own stream open. */
const following = async (server: Loopback) => {
  const client = closing(
    connectHttp({ url: server.url, eraCache: new EraCache(), retry: { attempts: 2, firstDelayMs: 1, maxDelayMs: 10 } }),
  );
  const states = watch(client.state$).values;
  const lists = watch(client.tools$);
  await server.until(() => server.received.some(({ method }) => method === 'GET'));
  await until(() => lists.values.length === 1);
  return { client, lists, statuses: () => states.map(({ status }) => status) };
};

/** Takes the server away, until the client has given its stream up. */
const down = async (server: Loopback, { state$ }: Awaited<ReturnType<typeof following>>['client']): Promise<void> => {
  const failed = firstValueFrom(state$.pipe(filter(({ status }) => status === 'failed')));
  await server.close();
  expect((await failed).error).toBeInstanceOf(NetworkError);
};

describe('a legacy server that is down for longer than it is tried for', () => {
  it('is a connection that failed; when it is back a list that follows it has what it has now', async () => {
    const { server } = await ancestor();
    const { client, lists, statuses } = await following(server);
    await down(server, client);
    await serve(
      peer({ era: 'legacy', session: () => 's2', get: (_received, response) => stream(response).write(': open\n\n') }),
      server.port,
    );
    await until(() => lists.values.length === 2);
    expect(lists.values.map((tools) => tools.map(({ name }) => name))).toEqual([
      ['count', 'slow', 'hang-up'],
      ['pay', 'look'],
    ]);
    expect(lists.error).toBeUndefined();
    expect(statuses().at(-1)).toBe('connected');
  });

  it('is heard again when it is back: a list is read after each change', async () => {
    const { server } = await ancestor();
    const { client, lists } = await following(server);
    await down(server, client);
    const back = await ancestor(server.port);
    const reads = (): number => back.server.received.filter((one) => messageOf(one).method === 'tools/list').length;
    await back.server.until(() => back.server.received.some(({ method }) => method === 'GET') && reads() === 1);
    // The stream is asked for, and open some turns later.
    await until(() => {
      back.announce();
      return reads() > 1;
    });
    expect(lists.error).toBeUndefined();
  });

  it('is no matter to whoever only calls: the next call begins a session', async () => {
    const { server } = await ancestor();
    const { client, lists, statuses } = await following(server);
    lists.subscription.unsubscribe();
    await down(server, client);
    expect(statuses().at(-1)).toBe('failed');
    const back = await ancestor(server.port);
    expect(await client.promises.callTool('slow', { id: 'a' })).toMatchObject({ content: [{ text: 'done a' }] });
    expect(back.sessions).toBe(1);
  });
});
