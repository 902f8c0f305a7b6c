import { describe, expect, it } from '@jest/globals';
import { rotated } from '../../bench/support/rotation.mjs';
import { takeRounds, type Plan, type Taken } from '../../bench/support/rounds.mjs';

const rows: readonly Plan[] = [
  { name: 'a', unit: 'µs', clients: ['x', 'y', 'z'] },
  { name: 'b', unit: 'µs', clients: ['x'] },
];

const quiet: Taken = { value: 1, busy: false, foreign: 0, ms: 10 };

/** Takes rounds with what `answer` says of each sample in turn, and tells in which order they were taken. */
const take = async (
  settings: { readonly rounds: number; readonly retakes?: number },
  answer: (row: string, client: string) => Partial<Taken> = () => ({}),
  plan = rows,
) => {
  const order: string[] = [];
  const said: string[] = [];
  const samples = await takeRounds(
    plan,
    { retakes: 0, short: false, ...settings },
    (row, client) => {
      order.push(`${row.name}${client}`);
      return Promise.resolve({ ...quiet, ...answer(row.name, client) });
    },
    (line) => said.push(line),
  );
  return { order, said, samples };
};

describe('a rotation', () => {
  it('begins one further on in each round, and comes round again', () => {
    expect([0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });

  it('of nothing is nothing', () => {
    expect(rotated([], 3)).toEqual([]);
  });
});

describe('the rounds', () => {
  it('take every row once before any is taken again, each with its clients in rotating order', async () => {
    const { order } = await take({ rounds: 2 });
    expect(order.join(' ')).toBe('ax ay az bx ay az ax bx');
  });

  it('keep the samples by row and client', async () => {
    const { samples } = await take({ rounds: 3 });
    expect([...samples].map(([key, taken]) => [key, taken.length])).toEqual([
      ['a x', 3],
      ['a y', 3],
      ['a z', 3],
      ['b x', 3],
    ]);
  });

  it('take a disturbed sample again, as often as is allowed, and keep it marked', async () => {
    const { order, samples } = await take({ rounds: 1, retakes: 2 }, (row) => ({ busy: row === 'b' }));
    expect(order.join(' ')).toBe('ax ay az bx bx bx');
    expect(samples.get('b x')?.map(({ busy }) => busy)).toEqual([true, true, true]);
  });

  it('stop taking again once nobody disturbs', async () => {
    let taken = 0;
    const { order } = await take({ rounds: 1, retakes: 5 }, (row) => ({ busy: row === 'b' && (taken += 1) < 2 }));
    expect(order.join(' ')).toBe('ax ay az bx bx');
  });

  it('take what lasts long in the first round alone', async () => {
    const { order } = await take({ rounds: 2 }, (_, client) => ({ ms: client === 'z' ? 20_000 : 10 }));
    expect(order.join(' ')).toBe('ax ay az bx ay ax bx');
  });

  it('take those that are seldom asked in the first round', async () => {
    const [a, b] = [{ ...rows[0]!, seldom: ['y'] }, rows[1]!];
    const { order } = await take({ rounds: 3 }, undefined, [a, b]);
    expect(order.join(' ')).toBe('ax ay az bx az ax bx az ax bx');
  });

  it('take once what has but one answer', async () => {
    const { order } = await take({ rounds: 2 }, undefined, [{ name: 'c', unit: 'KB', clients: ['x'], once: true }]);
    expect(order).toEqual(['cx']);
  });

  it('go on after a sample that failed, and say what became of each', async () => {
    const { said } = await take({ rounds: 1 }, (_, client) =>
      client === 'y' ? { error: 'it hung' } : client === 'z' ? { note: 'lost 3', busy: true, foreign: 0.5 } : {},
    );
    expect(said).toEqual([
      '1  a  x  1.000 µs',
      '1  a  y  failed: it hung',
      '1  a  z  1.000 µs  (lost 3; busy: 0.50 of a processor)',
      '1  b  x  1.000 µs',
    ]);
  });
});
