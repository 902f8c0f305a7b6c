// A registry over a thousand servers in one process: what it lists, and a batch with a call for each of them.
import { costOf, heap } from '../support/measure.mjs';

const counts = { whole: 1_000, short: 1_000, smoke: 3 };

const openAll = async (servers) => {
  const { connectInMemory, Registry } = await import('../../dist/index.js');
  const { serverOf } = await import('../servers/in-memory.mjs');
  const registry = new Registry();
  for (let n = 0; n < servers; n += 1) {
    const mcp = connectInMemory(serverOf({ era: 'modern' }));
    registry.add(mcp, { prefix: `s${n}`, owned: true });
  }
  return registry;
};

const kinds = {
  'first-list': async (registry) => costOf(() => registry.promises.toolsForLlm(), 1, 1_000),
  list: async (registry) => {
    await registry.promises.toolsForLlm();
    return costOf(() => registry.promises.toolsForLlm(), 1, 1_000);
  },
  batch: async (registry, { servers }) => {
    await registry.promises.toolsForLlm();
    const batch = Array.from({ length: servers }, (_, n) => ({
      id: `c${n}`,
      name: `s${n}_echo`,
      arguments: { text: `call ${n}` },
    }));
    const once = async () => {
      const results = await registry.promises.executeToolCalls(batch);
      const failed = results.find(({ is_error: isError }) => isError);
      if (results.length !== servers || failed !== undefined)
        throw new Error(`it came out as ${JSON.stringify(failed)}`);
    };
    await once();
    return costOf(once, 1, 1_000);
  },
  heap: async (registry, { before }) => {
    await registry.promises.toolsForLlm();
    return { value: ((await heap()) - before) / 1_048_576 };
  },
};

const run = async (kind, servers) => {
  await import('../../dist/index.js');
  const before = await heap();
  const registry = await openAll(servers);
  const cost = await kinds[kind](registry, { before, servers });
  await registry.close();
  return cost;
};

const titles = {
  'first-list': ['first list, all of them connected by it', 'ms'],
  list: ['a list again', 'ms'],
  batch: ['a batch of 1 000 calls', 'ms'],
  heap: ['heap, all of them connected and listed', 'MB'],
};

export const manyServers = Object.entries(titles).map(([kind, [title, unit]]) => ({
  name: `servers/${kind}`,
  title: `a registry over 1 000 servers in memory: ${title}`,
  unit,
  clients: ['rx-mcp'],
  nodeFlags: ['--expose-gc'],
  timeless: kind === 'heap',
  run: (_client, { work }) => run(kind, counts[work]),
}));
