import { describe, expect, it } from '@jest/globals';
import { rows } from '../../bench/scenarios/index.mjs';
import { chosen } from '../../bench/support/arguments.mjs';
import { smoke, type SmokeRow } from '../../bench/support/smoke.mjs';

const rowOf = (name: string, run: SmokeRow['run']): SmokeRow => ({ name, clients: ['x', 'y'], run });

describe('what is tried with next to no work', () => {
  it('is every client of every row, one after another', async () => {
    const tried: string[] = [];
    const run = (client: string, { work }: { readonly work: string }) => {
      tried.push(`${client} ${work}`);
      return Promise.resolve({ value: 1 });
    };
    expect(await smoke([rowOf('a', run), rowOf('b', run)])).toEqual([]);
    expect(tried).toEqual(['x smoke', 'y smoke', 'x smoke', 'y smoke']);
  });

  it('goes on after one that fails, and says which it was and why', async () => {
    const run = (client: string) =>
      client === 'x' ? Promise.reject(new Error('it fell')) : Promise.resolve({ value: NaN });
    expect(await smoke([rowOf('a', run)])).toEqual(['a, x: it fell', 'a, y: the value is NaN']);
  });
});

// All of them, with the package as it is built: `npm run bench:smoke`.
describe('the rows in memory, and one over stdio', () => {
  const plan = chosen(rows, {
    names: ['memory', 'validation', 'batch', 'stdio/1/modern'],
    clients: undefined,
  });

  it.each(plan.map((row) => [row.name, row] as const))('%s can be done by each of its clients', async (_, row) => {
    expect(await smoke([row])).toEqual([]);
  });
});
