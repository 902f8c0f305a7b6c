// A result that is one line of so many megabytes. The caps on a line are raised on both sides.
import { clientNamed } from '../clients/index.mjs';
import { costOf, drive } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

const MB = 1_048_576;

/** How many lines of each size make a sample; the largest takes peers half a minute. */
const counts = { 1: 48, 16: 4, 64: 2 };

const run = async (client, era, size, count) => {
  const { open } = await clientNamed(client);
  const opened = await open({ kind: 'stdio', era, maxBytes: 2 * size * MB + MB });
  const call = async (bytes) => {
    const { length } = (await opened.call('large', { bytes })).content[0].text;
    if (length !== bytes) throw new Error(`${length} characters came, not ${bytes}`);
  };
  // Warm with what is small, which is the same code.
  await drive(() => call(MB / 4), 40, 1);
  const cost = await costOf(() => drive(() => call(size * MB), count, 1), count * size, 1_000);
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
    run: (client, { short }) => run(client, era, size, short ? Math.ceil(counts[size] / 3) : counts[size]),
  })),
);
