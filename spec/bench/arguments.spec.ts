import { describe, expect, it } from '@jest/globals';
import { chosen, isNamed, readArguments } from '../../bench/support/arguments.mjs';

const known = { clients: ['rx-mcp', 'floor'], rows: ['stdio/1/legacy', 'stdio/16/legacy', 'import'] };
const read = (...argv: readonly string[]) => readArguments(argv, known);

describe('the command line of the benchmarks', () => {
  it('asks for everything, in five rounds, where it is empty', () => {
    expect(read()).toMatchObject({ names: [], clients: undefined, rounds: 5, retakes: 1, short: false, check: false });
  });

  it('takes names, clients, and numbers', () => {
    expect(read('stdio', 'import', '--clients', 'floor,rx-mcp', '--rounds', '7', '--retakes', '0')).toMatchObject({
      names: ['stdio', 'import'],
      clients: ['floor', 'rx-mcp'],
      rounds: 7,
      retakes: 0,
    });
  });

  it('makes a check short, of three rounds unless told otherwise', () => {
    expect(read('--check')).toMatchObject({ check: true, short: true, rounds: 3 });
    expect(read('--check', '--rounds', '1')).toMatchObject({ rounds: 1, known: false });
    expect(read('--check', '--known')).toMatchObject({ check: true, known: true });
  });

  it.each([
    [['--rounds', '0'], '--rounds must be a whole number of at least 1'],
    [['--rounds', 'many'], '--rounds must be a whole number of at least 1'],
    [['--retakes=-1'], '--retakes must be a whole number of at least 0'],
    [['--clients', 'flor'], "there is no client 'flor'; there are rx-mcp, floor"],
    [['stdi'], "there is no row or scenario 'stdi'; --list prints those there are"],
    [['--fast'], /'--fast'/],
    [['--known'], '--known is of use with --check alone'],
  ])('refuses %j and says why', (argv, why) => {
    expect(() => read(...argv)).toThrow(why);
  });
});

describe('a name', () => {
  it('names a row, or the rows it begins at whole parts', () => {
    expect(isNamed('stdio/1/legacy', 'stdio/1')).toBe(true);
    expect(isNamed('stdio/16/legacy', 'stdio/1')).toBe(false);
    expect(isNamed('import', 'import')).toBe(true);
  });
});

describe('the rows that are chosen', () => {
  const rows = known.rows.map((name) => ({ name, clients: ['rx-mcp', 'floor'] }));

  it('are those that were named, in the order there is', () => {
    const names = ['import', 'stdio/16'];
    expect(chosen(rows, { names, clients: undefined }).map(({ name }) => name)).toEqual(['stdio/16/legacy', 'import']);
  });

  it('have the clients that were named, and are left out where they have none', () => {
    const mixed = [...rows, { name: 'batch', clients: ['rx-mcp'] }];
    const plan = chosen(mixed, { names: [], clients: ['floor'] });
    expect(plan.map(({ name, clients }) => [name, clients])).toEqual(known.rows.map((name) => [name, ['floor']]));
  });

  it('are those with a wanted cell, and nothing but these cells, in a check', () => {
    const wanted = [{ row: 'import', client: 'floor' }];
    expect(chosen(rows, { names: [], clients: undefined }, wanted)).toEqual([{ name: 'import', clients: ['floor'] }]);
  });
});
