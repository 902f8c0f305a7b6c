// What the specs' sources import as `src/rx/part.ts`: the same, and the parts of a bundle are loaded before its first
// test, as `spec/support/parts.ts` has them in the suite.
import { beforeAll } from 'jest-circus';
import { part as plain } from '../../src/rx/part.js';

const parts = [];

export const part = (load) => {
  const one = plain(load);
  parts.push(one);
  return one;
};

beforeAll(async () => {
  // A part that is loaded may have parts of its own: they stand behind it.
  for (const one of parts) await one.load();
});
