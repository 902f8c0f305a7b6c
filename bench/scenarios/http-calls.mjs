// Calls over HTTP on loopback, 64 in flight, answered as JSON or as a stream of one event.
import { clientNamed } from '../clients/index.mjs';
import { costOf, drive } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

const IN_FLIGHT = 64;

const run = async (client, era, form, count) => {
  const { startHttp } = await import('../servers/start-http.mjs');
  const { open } = await clientNamed(client);
  const server = await startHttp(era, form);
  const opened = await open({ kind: 'http', era, url: server.url });
  const call = async (n) => {
    const result = await opened.call('echo', { text: 'hello', n });
    if (result.content[0].text !== 'hello') throw new Error(`call ${n} was answered with ${JSON.stringify(result)}`);
  };
  await drive(call, count / 2, IN_FLIGHT);
  const cost = await costOf(() => drive(call, count, IN_FLIGHT), count);
  await opened.close();
  await server.close();
  return cost;
};

const ways = [
  {
    way: 'undici',
    title: 'through undici',
    yardstick: 'undici-pool',
    clients: ['rx-mcp', 'undici-pool', 'node-http'],
    counts: { whole: 12_000, short: 4_000, smoke: 20 },
  },
  {
    way: 'fetch',
    title: 'through `fetch`',
    yardstick: 'fetch-loop',
    clients: ['rx-mcp-fetch', 'fetch-loop', 'official-2', 'official-1', 'ai-sdk'],
    counts: { whole: 6_000, short: 2_000, smoke: 20 },
  },
];

export const httpCalls = ways.flatMap(({ way, title, yardstick, clients, counts }) =>
  eras.flatMap((era) =>
    ['json', 'sse'].map((form) => ({
      name: `http/${way}/${form}/${era}`,
      title: `HTTP ${title}, 64 in flight, ${form === 'json' ? 'JSON' : 'SSE'}, ${eraOf(era)}`,
      unit: 'µs a call',
      yardstick,
      clients: without(era, clients),
      run: (client, { work }) => run(client, era, form, counts[work]),
    })),
  ),
);
