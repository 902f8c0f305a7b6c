// Structured output of a tool with an output schema, checked against it or not: the price of full validation.
import { clientNamed } from '../clients/index.mjs';
import { costOf, drive } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

const counts = { whole: 20_000, short: 5_000, smoke: 20 };

const run = async (client, era, options, count) => {
  const { open } = await clientNamed(client);
  const opened = await open({ kind: 'memory', era }, options);
  // Whoever validates knows the schemas from the list.
  await opened.listTools();
  const call = async () => {
    const { structuredContent } = await opened.call('weather', {});
    if (structuredContent?.hours.length !== 12) throw new Error('no structured content came');
  };
  await drive(call, count / 2, 64);
  const cost = await costOf(() => drive(call, count, 64), count);
  await opened.close();
  return cost;
};

const rowOf = (era, kind, title, clients, options) => ({
  name: `validation/${kind}/${era}`,
  title: `structured output in memory, ${title}, ${eraOf(era)}`,
  unit: 'µs a call',
  yardstick: kind === 'on' ? 'official-2' : 'full-floor',
  clients: without(era, clients),
  run: (client, { work }) => run(client, era, client === 'rx-mcp' ? options : undefined, counts[work]),
});

export const validation = eras.flatMap((era) => [
  rowOf(era, 'on', 'validated as shipped', ['rx-mcp', 'official-2', 'official-1'], undefined),
  rowOf(era, 'off', 'not validated', ['rx-mcp', 'full-floor', 'ai-sdk'], { validateOutput: 'off' }),
]);
