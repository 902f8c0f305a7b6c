// What each call that waits for its answer keeps on the heap.
import { clientNamed } from '../clients/index.mjs';
import { drive, heap } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

const counts = { whole: 10_000, short: 10_000, smoke: 10 };

const run = async (client, era, count) => {
  const { open } = await clientNamed(client);
  const opened = await open({ kind: 'stdio', era });
  await drive(() => opened.call('echo', { text: '' }), count / 2, 64);
  // The arguments are the caller's; they are there before, and are the same for every call.
  const args = { text: '' };
  const waiting = new Array(count);
  const before = await heap();
  for (let n = 0; n < count; n += 1) waiting[n] = opened.call('hold', args);
  await opened.call('echo', args); // what was sent before it has left, too
  const value = ((await heap()) - before) / count;
  const ended = Promise.allSettled(waiting);
  await opened.close();
  // A floor has nobody who ends its calls.
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
  return { value };
};

export const heapInFlight = eras.map((era) => ({
  name: `heap/in-flight/${era}`,
  title: `heap for each of 10 000 calls in flight, ${eraOf(era)}`,
  unit: 'bytes a call',
  yardstick: 'official-2',
  clients: without(era, [
    'rx-mcp',
    'rx-mcp-observable',
    'floor',
    'floor-rxjs',
    'full-floor',
    'official-2',
    'official-1',
    'ai-sdk',
  ]),
  nodeFlags: ['--expose-gc'],
  timeless: true,
  run: (client, { work }) => run(client, era, counts[work]),
}));
