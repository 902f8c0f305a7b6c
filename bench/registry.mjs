// What a registry costs: 5 000 tools of 50 providers, declared, called and searched. Ratios of one run; see docs/performance.md.
//
//   npm run build && npm run bench:registry
import { McpServer } from '@modelcontextprotocol/server';
import { forkJoin, lastValueFrom } from 'rxjs';
import { Bench } from 'tinybench';
import { connectInMemory, Registry } from '../dist/index.js';
import { readCommandLine } from '../scripts/support/command-line.mjs';

readCommandLine({}, 'npm run bench:registry   (no options)');

const PROVIDERS = 50;
const TOOLS = 100;
const CALLS = 200;
/** What the issue of the registry allows it to add to a batch. */
const MOST_ADDED = 0.1;

const inputSchema = {
  '~standard': {
    version: 1,
    vendor: 'bench',
    validate: (value) => ({ value }),
    jsonSchema: {
      input: () => ({ type: 'object', properties: { text: { type: 'string', description: 'What to say' } } }),
      output: () => ({ type: 'object' }),
    },
  },
};

const serverOf = (provider) => {
  const server = new McpServer({ name: `provider-${provider}`, version: '1.0.0' });
  for (let tool = 0; tool < TOOLS; tool += 1) {
    server.registerTool(
      `tool_${tool}`,
      { description: `Does the thing number ${tool} of ${TOOLS} for the department ${provider}`, inputSchema },
      ({ text }) => ({ content: [{ type: 'text', text: `${provider}.${tool}: ${text}` }] }),
    );
  }
  return server;
};

const clients = Array.from({ length: PROVIDERS }, (_, provider) => connectInMemory(serverOf(provider)));
const registry = new Registry();
for (const [provider, client] of clients.entries()) registry.add(client, { prefix: `p${provider}`, owned: true });

const calls = Array.from({ length: CALLS }, (_, n) => ({
  id: `c${n}`,
  provider: n % PROVIDERS,
  tool: `tool_${(n * 7) % TOOLS}`,
  arguments: { text: `call ${n}` },
}));
const batch = calls.map(({ id, provider, tool, arguments: args }) => ({
  id,
  name: `p${provider}_${tool}`,
  arguments: args,
}));
const shares = clients.map((client, provider) => ({
  client,
  batch: calls
    .filter((call) => call.provider === provider)
    .map(({ id, tool, arguments: args }) => ({ id, name: tool, arguments: args })),
}));

const straight = () =>
  lastValueFrom(forkJoin(shares.map(({ client, batch: share }) => client.executeToolCalls(share))));
const through = () => registry.promises.executeToolCalls(batch);
const searching = registry.searchable();
const search = () =>
  searching.promises.executeToolCalls([{ id: 's', name: 'search_tools', arguments: { query: 'thing department 17' } }]);

const declared = await registry.promises.toolsForLlm();
const answers = await through();
const wrong = answers.filter(({ is_error: isError }) => isError);
if (declared.length !== PROVIDERS * TOOLS || answers.length !== CALLS || wrong.length > 0) {
  throw new Error(
    `this measures nothing: ${declared.length} tools, ${answers.length} answers, ${wrong.length} of them errors`,
  );
}

const bench = new Bench({ time: 2_000, warmupTime: 500 });
bench
  .add('toolsForLlm of 5 000 tools, warm', () => registry.promises.toolsForLlm())
  .add('200 calls, straight to 50 providers', straight)
  .add('200 calls, through the registry', through)
  .add('a search in 5 000 tools', search);
await bench.run();
console.table(bench.table());

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const timed = async (work) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

// One after the other in turn, so that whatever else the machine does befalls both.
const times = { straight: [], through: [] };
for (let round = 0; round < 200; round += 1) {
  const order = round % 2 === 0 ? ['straight', 'through'] : ['through', 'straight'];
  for (const way of order) times[way].push(await timed(way === 'straight' ? straight : through));
}
const added = median(times.through) / median(times.straight) - 1;
console.log(`the registry adds ${(added * 100).toFixed(1)} % to a batch (at most ${MOST_ADDED * 100} % is wanted)`);
await registry.close();
