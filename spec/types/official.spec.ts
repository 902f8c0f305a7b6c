import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const checks = `${root}spec/types/official.ts`;
const types = `${root}src/protocol/schemas/types/index.ts`;
const door = `${root}src/protocol/schemas/index.ts`;

const projectOptions = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as { config: object };
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [checks] }, ts.sys, root).options;
};

// Files of packages are parsed once for all programs.
const parsed = new Map<string, ts.SourceFile | undefined>();

const program = (options: ts.CompilerOptions, replaced: Readonly<Record<string, string>> = {}): ts.Program => {
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target) => {
    const text = replaced[name];
    if (text !== undefined) return ts.createSourceFile(name, text, target);
    if (!parsed.has(name)) parsed.set(name, parse(name, target));
    return parsed.get(name);
  };
  return ts.createProgram([checks, types, door], options, host);
};

const complaints = (made: ts.Program): readonly string[] =>
  [checks, types, door]
    .flatMap((name) => made.getSemanticDiagnostics(made.getSourceFile(name)))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));

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
    strict = program(projectOptions());
  }, 60_000);

  it('are assignable to and from the official ones under the settings of this project', () => {
    expect(complaints(strict)).toEqual([]);
  }, 60_000);

  it('are assignable to and from the official ones without exactOptionalPropertyTypes', () => {
    const options = { ...projectOptions(), exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false };
    expect(complaints(program(options))).toEqual([]);
  }, 60_000);

  it('are all compared, and all re-exported by name', () => {
    const exported = exportsOf(strict, types);
    expect(exported.length).toBeGreaterThan(40);
    expect([...pairsOf(strict)].sort()).toEqual([...exported].sort());
    expect(exported.filter((name) => !exportsOf(strict, door).includes(name))).toEqual([]);
  });

  it('would be found out if one of them drifted', () => {
    const tools = `${root}src/protocol/schemas/types/tools.ts`;
    const drifted = (ts.sys.readFile(tools) ?? '').replace(
      'isError?: boolean | undefined',
      'isError?: string | undefined',
    );
    expect(complaints(program(projectOptions(), { [tools]: drifted })).join('\n')).toContain('"CallToolResult"');
  }, 60_000);
});
