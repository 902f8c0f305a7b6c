// From nothing to the first answer over stdio, the libraries loaded: what is beyond the floor is not the server's own start.
import { clientNamed } from '../clients/index.mjs';
import { costOf } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

const counts = { whole: 5, short: 5, smoke: 1 };

const run = async (client, era, times) => {
  const { open } = await clientNamed(client);
  // The first one loads and compiles.
  await (await open({ kind: 'stdio', era })).close();
  const opened = [];
  const cost = await costOf(
    async () => {
      for (let n = 0; n < times; n += 1) {
        const connected = await open({ kind: 'stdio', era });
        await connected.call('echo', { text: '' });
        opened.push(connected);
      }
    },
    times,
    1_000,
  );
  await Promise.all(opened.map((connected) => connected.close()));
  // Here it is the time of the wall that somebody waits for.
  return { value: cost.wall };
};

export const connecting = eras.map((era) => ({
  name: `connect/${era}`,
  title: `connect and call once over stdio, the server's start included, ${eraOf(era)}`,
  unit: 'ms of wall time',
  yardstick: 'floor',
  clients: without(era, ['rx-mcp', 'floor', 'official-2', 'official-1', 'ai-sdk']),
  run: (client, { work }) => run(client, era, counts[work]),
}));
