import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { complaintsOf, lenient, optionsFor, ROOT, typeProgram } from '../support/type-program.js';

const checks = `${ROOT}spec/types/official.ts`;
const types = `${ROOT}src/protocol/schemas/types/index.ts`;
const door = `${ROOT}src/protocol/schemas/index.ts`;

const FILES = [checks, types, door];

const program = (options: ts.CompilerOptions, replaced: Readonly<Record<string, string>> = {}): ts.Program =>
  typeProgram(FILES, options, replaced);

const complaints = (made: ts.Program): readonly string[] => complaintsOf(made, FILES);

const exportsOf = (made: ts.Program, name: string): readonly string[] => {
  const checker = made.getTypeChecker();
  const source = made.getSourceFile(name);
  const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map((found) => found.name);
};

const pairsOf = (made: ts.Program): readonly string[] => {
  const names: string[] = [];
  made.getSourceFile(checks)?.forEachChild((node) => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'Pairs') {
      names.push(...node.members.map((member) => (member.name as ts.Identifier).text));
    }
  });
  return names;
};

describe('the public protocol types', () => {
  let strict: ts.Program;

  beforeAll(() => {
    strict = program(optionsFor(checks));
  }, 60_000);

  it('are assignable to and from the official ones under the settings of this project', () => {
    expect(complaints(strict)).toEqual([]);
  }, 60_000);

  it('are assignable to and from the official ones without exactOptionalPropertyTypes', () => {
    const options = lenient(optionsFor(checks));
    expect(complaints(program(options))).toEqual([]);
  }, 60_000);

  it('are all compared, and all re-exported by name', () => {
    const exported = exportsOf(strict, types);
    expect(exported.length).toBeGreaterThan(40);
    expect([...pairsOf(strict)].sort()).toEqual([...exported].sort());
    expect(exported.filter((name) => !exportsOf(strict, door).includes(name))).toEqual([]);
  });

  it('would be found out if one of them drifted', () => {
    const tools = `${ROOT}src/protocol/schemas/types/tools.ts`;
    const drifted = (ts.sys.readFile(tools) ?? '').replace(
      'isError?: boolean | undefined',
      'isError?: string | undefined',
    );
    expect(complaints(program(optionsFor(checks), { [tools]: drifted })).join('\n')).toContain('"CallToolResult"');
  }, 60_000);
});
