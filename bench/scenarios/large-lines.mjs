// A result that is one line of so many megabytes. The caps on a line are raised on both sides.
import { clientNamed, clients } from '../clients/index.mjs';
import { costOf, drive } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

const MB = 1_048_576;

/** How many lines of each size make a sample. One of the largest takes peers half a minute: they have no more than that. */
const counts = {
  1: { whole: 48, short: 16, smoke: 1 },
  16: { whole: 4, short: 2, smoke: 1 },
  64: { whole: 2, short: 1, smoke: 1 },
};
const countOf = (client, size, work) => (size === 64 && clients[client].peer ? 1 : counts[size][work]);
/** How long a megabyte is. */
const megabyte = { whole: MB, short: MB, smoke: MB / 256 };
const warmUp = { whole: 40, short: 40, smoke: 1 };

const run = async (client, era, size, work) => {
  const count = countOf(client, size, work);
  const bytes = size * megabyte[work];
  const { open } = await clientNamed(client);
  const opened = await open({ kind: 'stdio', era, maxBytes: 2 * size * MB + MB });
  const call = async (wanted) => {
    const { length } = (await opened.call('large', { bytes: wanted })).content[0].text;
    if (length !== wanted) throw new Error(`${length} characters came, not ${wanted}`);
  };
  // Warm with what is small, which is the same code.
  await drive(() => call(megabyte[work] / 4), warmUp[work], 1);
  const cost = await costOf(() => drive(() => call(bytes), count, 1), count * size, 1_000);
  await opened.close();
  return cost;
};

export const largeLines = [1, 16, 64].flatMap((size) =>
  eras.map((era) => ({
    name: `line/${size}mb/${era}`,
    title: `a line of ${size} MB, ${eraOf(era)}`,
    unit: 'ms a MB',
    yardstick: 'floor',
    clients: without(era, ['rx-mcp', 'floor', 'full-floor', 'official-2', 'official-1', 'ai-sdk']),
    run: (client, { work }) => run(client, era, size, work),
  })),
);
