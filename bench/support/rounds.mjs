import { rotated } from './rotation.mjs';

/** A client whose sample takes longer than this, in ms, is sampled in the first round alone. */
const SLOW_MS = 15_000;

/**
 * Takes the samples of a plan: in each round every row, and of each row every client, in an order that rotates by round; so
 * whatever else the machine does meanwhile befalls all. A sample taken while other processes were busy is kept, marked,
 * and taken again, at most `retakes` times. The clients of a row that are `seldom` asked have a turn in the first round alone.
 * Resolves to the samples by `row client`.
 */
export const takeRounds = async (rows, { rounds, retakes, short, profile }, sample, say) => {
  const samples = new Map();
  const slow = new Set();
  for (let round = 0; round < rounds; round += 1) {
    for (const row of rows) {
      if (row.once && round > 0) continue;
      for (const client of rotated(row.clients, round)) {
        const key = `${row.name} ${client}`;
        if (slow.has(key) || (round > 0 && row.seldom?.includes(client))) continue;
        const own = samples.get(key) ?? samples.set(key, []).get(key);
        for (let take = 0; take <= retakes; take += 1) {
          const taken = await sample(row, client, { short, profile });
          own.push(taken);
          say(lineOf(round, row, client, taken));
          if (taken.ms > SLOW_MS) slow.add(key);
          if (!taken.busy || row.once || slow.has(key)) break;
        }
      }
    }
  }
  return samples;
};

const lineOf = (round, row, client, { value, error, busy, foreign, note }) => {
  const outcome = error === undefined ? `${value.toPrecision(4)} ${row.unit}` : `failed: ${error}`;
  const remarks = [
    ...(note === undefined ? [] : [note]),
    ...(busy ? [`busy: ${foreign.toFixed(2)} of a processor`] : []),
  ];
  return `${round + 1}  ${row.name}  ${client}  ${outcome}${remarks.length > 0 ? `  (${remarks.join('; ')})` : ''}`;
};
