// The first list of a server with many tools, one in five of them with an output schema, in a process that has run nothing else.
import { clientNamed } from '../clients/index.mjs';
import { costOf } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

/** How many tools there are. */
const counts = { whole: 10_000, short: 10_000, smoke: 10 };

const run = async (client, era, tools) => {
  const { open } = await clientNamed(client);
  const opened = await open({ kind: 'stdio', era, tools, maxBytes: 268_435_456 });
  let count;
  const cost = await costOf(async () => (count = (await opened.listTools()).length), 1, 1_000);
  await opened.close();
  if (count < tools) throw new Error(`${count} tools came`);
  return cost;
};

export const firstList = eras.map((era) => ({
  name: `list/${era}`,
  title: `first list of 10 000 tools, ${eraOf(era)}`,
  unit: 'ms',
  yardstick: 'floor',
  clients: without(era, ['rx-mcp', 'floor', 'official-2', 'official-1', 'ai-sdk']),
  run: (client, { work }) => run(client, era, counts[work]),
}));
