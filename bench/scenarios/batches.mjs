// A batch of 200 tool calls of a model: as plain calls, through the bridge of a client, and through a registry over it.
import { clientNamed } from '../clients/index.mjs';
import { costOf } from '../support/measure.mjs';

const CALLS = 200;

const batchOf = (prefix) =>
  Array.from({ length: CALLS }, (_, n) => ({ id: `c${n}`, name: `${prefix}echo`, arguments: { text: `call ${n}` } }));

const executed = (provider, batch) => async () => {
  const results = await provider.promises.executeToolCalls(batch);
  const failed = results.find(({ is_error: isError }) => isError);
  if (results.length !== CALLS || failed !== undefined)
    throw new Error(`a batch came out as ${JSON.stringify(failed)}`);
};

const ways = {
  plain: async (opened) => {
    const batch = batchOf('');
    return async () => {
      await Promise.all(batch.map(({ name, arguments: args }) => opened.call(name, args)));
    };
  },
  bridge: async ({ own }) => executed(own, batchOf('')),
  registry: async ({ own }) => {
    const { Registry } = await import('../../dist/index.js');
    const registry = new Registry();
    registry.add(own, { prefix: 'p' });
    await registry.promises.toolsForLlm();
    return executed(registry, batchOf('p_'));
  },
};

const run = async (client, way, times) => {
  const { open } = await clientNamed(client);
  const opened = await open({ kind: 'memory', era: 'modern' });
  const once = await ways[way](opened);
  const repeat = async (count) => {
    for (let n = 0; n < count; n += 1) await once();
  };
  await repeat(times / 2);
  const cost = await costOf(() => repeat(times), times * CALLS);
  await opened.close();
  return cost;
};

/** How often the batch is repeated. */
const times = { whole: 200, short: 50, smoke: 2 };

const titles = { plain: 'as plain calls', bridge: 'through the bridge', registry: 'through a registry' };

export const batches = Object.entries(titles).map(([way, title]) => ({
  name: `batch/${way}`,
  title: `a batch of 200 calls in memory, ${title}, 2026`,
  unit: 'µs a call',
  yardstick: way === 'plain' ? 'full-floor' : undefined,
  clients: way === 'plain' ? ['rx-mcp', 'full-floor', 'official-2', 'ai-sdk'] : ['rx-mcp'],
  run: (client, { work }) => run(client, way, times[work]),
}));
