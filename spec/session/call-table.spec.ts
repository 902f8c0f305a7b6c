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

  it('gives all of them, the smallest number first', () => {
    const { table } = tableOf(...Array.from({ length: 300 }, (_, n) => n));
    for (let id = 0; id < 290; id += 1) table.delete({ id });
    expect(table.all().map(({ id }) => id)).toEqual([290, 291, 292, 293, 294, 295, 296, 297, 298, 299]);
  });
});
