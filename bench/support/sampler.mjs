import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignShare, reading } from './machine.mjs';
import { PROFILE } from './measure.mjs';
import { resultOf } from './sample-process.mjs';

const entry = fileURLToPath(new URL('../sample.mjs', import.meta.url));

/** How long one sample may take, in ms. */
const LIMIT_MS = 180_000;

/** A sample is left out where others took more than this share of one processor while it was taken, unless the row is `timeless`. */
const BUSY_SHARE = 0.1;

/**
 * What a sample finds in its environment. Node reads certificates at its start where it is told to, for longer than the rest of it takes;
 * some clients hand all they have to the servers that they start, and others next to nothing.
 */
export const environmentOf = ({ NODE_EXTRA_CA_CERTS: _certificates, ...rest }, profile) =>
  profile === undefined ? rest : { ...rest, [PROFILE]: profile };

const run = (row, client, { short, profile }) => {
  const words = [...(row.nodeFlags ?? []), entry, row.name, client, ...(short ? ['--short'] : [])];
  const file = profile && join(profile, `${row.name}-${client}.cpuprofile`.replaceAll('/', '-'));
  return resultOf(words, { limitMs: LIMIT_MS, env: environmentOf(process.env, file) });
};

/** Takes one sample of one row with one client, in a process of its own: `{ value, wall?, note? }` or `{ error }`. */
export const sample = async (row, client, settings) => {
  const before = reading();
  const began = performance.now();
  const result = await run(row, client, settings);
  const foreign = foreignShare(before, reading());
  return { ...result, ms: performance.now() - began, foreign, busy: !row.timeless && foreign > BUSY_SHARE };
};
