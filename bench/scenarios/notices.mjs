// A call that reports its progress many times, and what became of the reports: all of them, in order, before the result.
import { clientNamed } from '../clients/index.mjs';
import { costOf } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

const counts = { whole: 100_000, short: 100_000, smoke: 10 };

/** Has a client report so often, and tells how many of the reports were lost, and how many came late or out of order. */
export const reportsOf = async (opened, count) => {
  let seen = 0;
  let misplaced = 0;
  let over = false;
  const onProgress = ({ progress }) => {
    seen += 1;
    if (over || progress !== seen) misplaced += 1;
  };
  const onResult = () => (over = true);
  // Where nobody says so earlier, the result is there when its Promise is settled.
  await opened.report('notices', { count }, onProgress, onResult).then(onResult);
  // What is late may still come.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { lost: count - seen, misplaced };
};

const run = async (client, era, count) => {
  const { open } = await clientNamed(client);
  const opened = await open({ kind: 'stdio', era });
  await reportsOf(opened, count / 5);
  let seen;
  const cost = await costOf(async () => (seen = await reportsOf(opened, count)), count);
  await opened.close();
  const notes = [
    ...(seen.lost > 0 ? [`lost ${seen.lost} of ${count}`] : []),
    ...(seen.misplaced > 0 ? [`${seen.misplaced} late or out of order`] : []),
  ];
  return { ...cost, ...(notes.length > 0 ? { note: notes.join(', ') } : {}) };
};

export const notices = eras.map((era) => ({
  name: `notices/${era}`,
  title: `100 000 progress notices, ${eraOf(era)}`,
  unit: 'µs a notice',
  yardstick: 'floor',
  // The AI SDK asks for no progress: no notice is sent to it.
  clients: without(era, ['rx-mcp', 'floor', 'full-floor', 'official-2', 'official-1']),
  run: (client, { work }) => run(client, era, counts[work]),
}));
