// What was held before and after, and whether that is the same.
import { table } from '../support/table.mjs';

const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;

/** How many there are of each kind, of `2 PipeWrap, 1 Timeout` or one number; of what is only told, such as `none`, there is none. */
const countsOf = (told) =>
  typeof told === 'number'
    ? new Map([['', told]])
    : new Map([...told.matchAll(/(\d+) ([^,]+)/g)].map(([, count, kind]) => [kind, Number(count)]));

/** Whether there is more of anything. What was there before may have ended meanwhile. */
export const isMore = (before, after) => {
  const had = countsOf(before);
  return [...countsOf(after)].some(([kind, count]) => count > (had.get(kind) ?? 0));
};

/**
 * Collects comparisons and faults; `limit` is how many bytes the heap may grow by in one of them. Each comparison of two
 * censuses is told to `print` at once: who waits for minutes sees how far it is, and what is known if it never ends.
 */
export class Ledger {
  #rows = [];
  #faults = new Set();
  #limit;
  #print;

  constructor(limit, print) {
    this.#limit = limit;
    this.#print = print;
  }

  /** Something that must not happen at all. The same is told once. */
  fault(text) {
    this.#faults.add(text);
  }

  get faults() {
    return [...this.#faults];
  }

  #row(what, measure, before, after, isFlat) {
    this.#rows.push([what, measure, before, after, isFlat ? 'ok' : 'FAIL']);
    if (!isFlat) this.fault(`${what}: ${measure} went from ${before} to ${after}`);
  }

  /** Two heaps, in bytes: a row of the comparison that comes next. */
  heap(what, before, after) {
    this.#row(what, 'heap', kib(before), kib(after), after - before <= this.#limit);
  }

  /** Two censuses. */
  compare(what, before, after) {
    this.heap(what, before.heap.heapUsed, after.heap.heapUsed);
    for (const [measure, count] of Object.entries(before.counts)) {
      this.#row(what, measure, count, after.counts[measure], !isMore(count, after.counts[measure]));
    }
    this.#print(`\n${table(['what', 'measure', 'before', 'after', 'verdict'], this.#rows.splice(0))}\n`);
  }

  /** The faults, and the verdict. */
  toString() {
    const faults = this.faults;
    return [
      ...faults.map((fault) => `FAIL ${fault}`),
      faults.length === 0 ? 'all flat' : `${faults.length} not flat`,
    ].join('\n');
  }
}
