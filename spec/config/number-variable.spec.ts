import { describe, expect, it } from '@jest/globals';
import { whole } from '../../src/jsonrpc/checks.js';
import { numberVariable } from '../../src/config/number-variable.js';
import { Problems } from '../../src/config/problem.js';

const read = (value: string | undefined) => {
  const problems = new Problems();
  return { number: numberVariable('N', { N: value }, whole(1), problems), problems: problems.all };
};

describe('numberVariable', () => {
  it.each([
    ['25', 25],
    [' 25\n', 25],
    ['', undefined],
    [' ', undefined],
    [undefined, undefined],
  ])('reads %j', (value, number) => {
    expect(read(value)).toEqual({ number, problems: [] });
  });

  it.each([['0'], ['-1'], ['1.5'], ['1e3'], ['30s'], ['0x10'], ['9'.repeat(20)]])(
    'has %j as a problem, and as not set',
    (value) => {
      const { number, problems } = read(value);
      expect(number).toBeUndefined();
      expect(problems).toMatchObject([{ level: 'warning', path: '', variable: 'N' }]);
      expect(problems[0]?.message).toBe(
        'the variable N cannot be used, and counts as not set: give a whole number, at least 1',
      );
    },
  );

  it('finds no variable in a prototype', () => {
    expect(numberVariable('toString', {}, whole(1), new Problems())).toBeUndefined();
  });
});
