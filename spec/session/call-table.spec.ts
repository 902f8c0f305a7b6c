import { describe, expect, it } from '@jest/globals';
import type { RequestId } from '../../src/jsonrpc/index.js';
import { CallTable } from '../../src/session/call-table.js';

const tableOf = (...ids: readonly RequestId[]) => {
  const table = new CallTable<{ readonly id: RequestId }>();
  const calls = ids.map((id) => ({ id }));
  for (const call of calls) table.add(call);
  return { table, calls };
};

describe('a table of calls', () => {
  it.each<RequestId>([0, 7, -1, 4_294_967_295, 9_007_199_254_740_991, '', 'a', '__proto__', 'constructor'])(
    'finds the call under the id %j, and forgets it',
    (id) => {
      const { table, calls } = tableOf(id);
      expect(table.get(id)).toBe(calls[0]);
      table.delete({ id });
      expect(table.get(id)).toBeUndefined();
      expect(table.size).toBe(0);
    },
  );

  it('takes a number and its text for two ids, and knows nothing under what is no id', () => {
    const { table, calls } = tableOf(1, '1');
    expect([table.get(1), table.get('1')]).toEqual(calls);
    expect(table.get(['1'])).toBeUndefined();
    expect([table.get('text 1'), table.get('toString'), table.get(null), table.get({}), table.get(undefined)]).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  it('counts what is in it, whatever is forgotten twice', () => {
    const { table } = tableOf(1, 2, 3);
    table.delete({ id: 2 });
    table.delete({ id: 2 });
    expect(table.size).toBe(2);
  });

  it('finds each of several, also when the first of them is gone and another one came', () => {
    const { table, calls } = tableOf(1, 2);
    table.delete({ id: 1 });
    table.add({ id: 3 });
    expect([table.get(1), table.get(2), table.get(3)]).toEqual([undefined, calls[1], { id: 3 }]);
    table.delete({ id: 1 });
    expect(table.size).toBe(2);
    table.delete({ id: 2 });
    table.delete({ id: 3 });
    table.add({ id: '3' });
    expect([table.size, table.get(3), table.get('3')]).toEqual([1, undefined, { id: '3' }]);
    expect(table.all()).toEqual([{ id: '3' }]);
  });

  it('finds those that stay for long while thousands come and go', () => {
    const { table, calls } = tableOf(1, 2, 3, 'x');
    for (let id = 10; id < 9_000; id += 1) {
      table.add({ id });
      if (id >= 30) table.delete({ id: id - 20 });
    }
    expect([1, 2, 3, 'x'].map((id) => table.get(id))).toEqual(calls);
    expect(table.size).toBe(24);
    expect(table.all().map(({ id }) => id)).toEqual([1, 2, 3, ...Array.from({ length: 20 }, (_, n) => 8_980 + n), 'x']);
    for (const call of table.all()) table.delete(call);
    expect([table.size, table.all(), table.get(8_999)]).toEqual([0, [], undefined]);
  });

  it('holds whatever numbers there are, also such as want the same place', () => {
    const ids = [0, -1, 0.5, 16, 32, 65_536, 4_294_967_296, 9_007_199_254_740_991, Number.MIN_VALUE];
    const { table, calls } = tableOf(5, ...ids);
    expect(ids.map((id) => table.get(id))).toEqual(calls.slice(1));
    expect([table.get(1), table.get(48), table.get(Number.NaN)]).toEqual([undefined, undefined, undefined]);
    for (const id of ids) table.delete({ id });
    expect(table.all()).toEqual([{ id: 5 }]);
  });

  it('has room again after thousands at a time', () => {
    const { table } = tableOf();
    for (let round = 0; round < 3; round += 1) {
      const ids = Array.from({ length: 5_000 }, (_, n) => round * 5_000 + n);
      for (const id of ids) table.add({ id });
      expect(table.size).toBe(5_000);
      expect(ids.every((id) => table.get(id)?.id === id)).toBe(true);
      for (const id of ids) table.delete({ id });
      expect(table.size).toBe(0);
    }
  });

  it('gives the numbers by their size, then the texts as they came', () => {
    const { table } = tableOf('b', 70, 'a', 3, -1, 'c', 0.5, 16);
    expect(table.all().map(({ id }) => id)).toEqual([-1, 0.5, 3, 16, 70, 'b', 'a', 'c']);
    const { table: mixed } = tableOf(2, 'z', 1);
    expect(mixed.all().map(({ id }) => id)).toEqual([1, 2, 'z']);
  });

  it('gives all of them, the smallest number first', () => {
    const { table } = tableOf(...Array.from({ length: 300 }, (_, n) => n));
    for (let id = 0; id < 290; id += 1) table.delete({ id });
    expect(table.all().map(({ id }) => id)).toEqual([290, 291, 292, 293, 294, 295, 296, 297, 298, 299]);
  });
});
