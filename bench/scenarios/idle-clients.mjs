// What a connected client that does nothing keeps on the heap: the client itself, without what stands for it in this
// bench. The raw server in memory is one for all; its end of each wire, some 200 bytes, counts for every client alike.
import { clientNamed } from '../clients/index.mjs';
import { heap } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

/** A floor is no more than what stands for it. */
const kept = (opened) => opened.own ?? opened;

const counts = { whole: 5_000, short: 5_000, smoke: 10 };

const run = async (client, era, count) => {
  const { open } = await clientNamed(client);
  const wire = { kind: 'memory', era };
  const connected = async () => {
    const opened = await open(wire);
    await opened.call('echo', { text: '' });
    return opened;
  };
  // What V8 makes of the code once is none of theirs.
  for (let n = 0; n < count / 10; n += 1) await (await connected()).close();
  const before = await heap();
  const clients = [];
  for (let n = 0; n < count; n += 1) clients.push(kept(await connected()));
  const value = ((await heap()) - before) / count / 1_024;
  for (const client of clients) await client.close();
  return { value };
};

export const idleClients = eras.map((era) => ({
  name: `heap/idle/${era}`,
  title: `heap for each idle client, of 5 000, ${eraOf(era)}`,
  unit: 'KB a client',
  yardstick: 'official-2',
  clients: without(era, ['rx-mcp', 'floor', 'full-floor', 'official-2', 'official-1', 'ai-sdk']),
  nodeFlags: ['--expose-gc'],
  timeless: true,
  run: (client, { work }) => run(client, era, counts[work]),
}));
