import { describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { connectHttp, EraCache, type Warning } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';
import { event, reply, serve, stream } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { until } from '../support/http/turns.js';

/** A client of a server whose own stream does this, each time it is asked for. */
const start = async (own: (response: ServerResponse, time: number) => unknown, attempts = 3) => {
  let times = 0;
  const server = await serve(
    peer({
      era: 'legacy',
      session: () => 's1',
      get: (_received, response) => {
        times += 1;
        return own(response, times);
      },
    }),
  );
  const client = closing(
    connectHttp({ url: server.url, eraCache: new EraCache(), retry: { attempts, firstDelayMs: 1 } }),
  );
  const warnings: Warning[] = watch(client.warnings$).values;
  await client.promises.callTool('pay');
  return { server, client, warnings, times: () => times };
};

describe('case 25: the stream of a server’s own that never lasts', () => {
  it.each<readonly [string, (response: ServerResponse) => unknown]>([
    ['is closed at once', (response) => stream(response).end()],
    ['is broken at once', (response) => stream(response).write(': hello\n\n', () => response.destroy())],
    ['breaks before its head', (response) => response.destroy()],
    ['is closed after a mark', (response) => stream(response).end(event('', { id: 'mark' }))],
    ['is refused for the moment', (response) => reply(response, 503)],
  ])('is asked for a few times, then there is a warning and life without it: it %s', async (_how, own) => {
    const { client, warnings, times } = await start(own);
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([
      expect.objectContaining({ kind: 'transport', message: expect.stringMatching(/own stream cannot be had/) }),
    ]);
    expect(times()).toBe(4);
    for (let n = 0; n < 5; n += 1) await client.promises.callTool('pay');
    expect([times(), warnings.length]).toEqual([4, 1]);
  });

  it('is not asked for again where no retries are wanted', async () => {
    const { warnings, times } = await start((response) => stream(response).end(), 0);
    await until(() => warnings.length > 0);
    expect(times()).toBe(1);
  });

  it('is asked for anew each time it has brought something', async () => {
    const { warnings, times, client } = await start((response, time) =>
      stream(response).end(event({ jsonrpc: '2.0', method: 'notifications/x', params: { time } })),
    );
    await until(() => times() > 12);
    expect(warnings).toEqual([]);
    await client.close();
    const after = times();
    await new Promise((resolve) => setImmediate(resolve));
    expect(times()).toBe(after);
  });
});
