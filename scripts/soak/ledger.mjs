// What was held before and after, and whether that is the same.
import { table } from '../support/table.mjs';

const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;

/** Collects comparisons and faults; `limit` is how many bytes the heap may grow by in one of them. */
export class Ledger {
  #rows = [];
  #faults = new Set();
  #limit;

  constructor(limit) {
    this.#limit = limit;
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

  /** Two heaps, in bytes. */
  heap(what, before, after) {
    this.#row(what, 'heap', kib(before), kib(after), after - before <= this.#limit);
  }

  /** Two censuses. */
  compare(what, before, after) {
    this.heap(what, before.heap.heapUsed, after.heap.heapUsed);
    for (const [measure, count] of Object.entries(before.counts)) {
      this.#row(what, measure, count, after.counts[measure], after.counts[measure] === count);
    }
  }

  /** The table, the faults, and the verdict. */
  toString() {
    const faults = this.faults;
    return [
      table(['what', 'measure', 'before', 'after', 'verdict'], this.#rows),
      '',
      ...faults.map((fault) => `FAIL ${fault}`),
      faults.length === 0 ? 'all flat' : `${faults.length} not flat`,
    ].join('\n');
  }
}
