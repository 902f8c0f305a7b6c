// What a connected client that does nothing keeps on the heap. The raw server in memory is one for all; what stands for a
// client here, and its end at the server, are some 500 bytes, and the same for each.
import { clientNamed } from '../clients/index.mjs';
import { heap } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

const run = async (client, era, count) => {
  const { open } = await clientNamed(client);
  const wire = { kind: 'memory', era };
  const connected = async () => {
    const opened = await open(wire);
    await opened.call('echo', { text: '' });
    return opened;
  };
  for (let n = 0; n < 20; n += 1) await (await connected()).close();
  const before = await heap();
  const clients = [];
  for (let n = 0; n < count; n += 1) clients.push(await connected());
  const value = ((await heap()) - before) / count / 1_024;
  for (const opened of clients) await opened.close();
  return { value };
};

export const idleClients = eras.map((era) => ({
  name: `heap/idle/${era}`,
  title: `heap for each idle client, of 500, ${eraOf(era)}`,
  unit: 'KB a client',
  yardstick: 'official-2',
  clients: without(era, ['rx-mcp', 'floor', 'full-floor', 'official-2', 'official-1', 'ai-sdk']),
  nodeFlags: ['--expose-gc'],
  run: (client) => run(client, era, 500),
}));
