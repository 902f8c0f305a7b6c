// What the machine did meanwhile: the CPU time of everything, and that of this process and of the children it has reaped.
import { readFileSync } from 'node:fs';

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // no Linux
  }
};

/** Ticks (10 ms) of every processor that were not idle; time that the host took away counts. From the text of /proc/stat. */
export const busyTicks = (text) => {
  const [, user, nice, system, , , irq, softirq, steal] = text.split('\n', 1)[0].split(/\s+/).map(Number);
  return user + nice + system + irq + softirq + steal;
};

/** Ticks of one process and of all its descendants that have been reaped. From the text of /proc/<pid>/stat. */
export const familyTicks = (text) => {
  // The name stands in brackets and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
};

/** A reading to compare with a later one; `undefined` where the machine does not say. */
export const reading = () => {
  const all = read('/proc/stat');
  const own = read('/proc/self/stat');
  return all === undefined || own === undefined
    ? undefined
    : { all: busyTicks(all), own: familyTicks(own), at: performance.now() };
};

/** The share of one processor that was taken by others between two readings. 0 where the machine does not say. */
export const foreignShare = (before, after) => {
  if (before === undefined || after === undefined) return 0;
  const ticks = after.all - before.all - (after.own - before.own);
  return Math.max(0, (ticks * 10) / (after.at - before.at));
};
