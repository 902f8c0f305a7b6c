import { resolve } from 'node:path';
import ts from 'typescript';
import { PACKAGE_ROOT } from './source-files.js';
import type { SourceText } from './source-files.js';

const optionsOfPackage = (): ts.CompilerOptions => {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  };
  const config = ts.getParsedCommandLineOfConfigFile(resolve(PACKAGE_ROOT, 'tsconfig.json'), {}, host);
  if (config === undefined) throw new Error('tsconfig.json cannot be read');
  return config.options;
};

// Files of packages are parsed once for all programs.
const parsed = new Map<string, ts.SourceFile>();

/** The files as the compiler sees them. Their texts need not be on the disk; what they import is. */
export const programOf = (files: readonly SourceText[], overrides: ts.CompilerOptions = {}): ts.Program => {
  const options = { ...optionsOfPackage(), ...overrides };
  const host = ts.createCompilerHost(options, true);
  const given = new Map(files.map(({ path, text }) => [resolve(PACKAGE_ROOT, 'src', path), text]));
  const { fileExists, readFile } = host;
  host.fileExists = (file) => given.has(resolve(file)) || fileExists(file);
  host.readFile = (file) => given.get(resolve(file)) ?? readFile(file);
  // Left to itself the compiler looks for no file in a folder that is not on the disk.
  delete host.directoryExists;
  host.getSourceFile = (file, languageVersion) => {
    const isPackage = file.includes('/node_modules/');
    const known = isPackage ? parsed.get(file) : undefined;
    if (known !== undefined) return known;
    const text = host.readFile(file);
    const source = text === undefined ? undefined : ts.createSourceFile(file, text, languageVersion, true);
    if (isPackage && source !== undefined) parsed.set(file, source);
    return source;
  };
  return ts.createProgram({ rootNames: [...given.keys()], options, host });
};

/** The file of a program at a path below `src/`. */
export const fileIn = (program: ts.Program, path: string): ts.SourceFile => {
  const file = program.getSourceFile(resolve(PACKAGE_ROOT, 'src', path));
  if (file === undefined) throw new Error(`src/${path} does not exist`);
  return file;
};

/** The names a file exports, each with what it stands for. */
export const exportsOf = (program: ts.Program, path: string): readonly ts.Symbol[] => {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(fileIn(program, path));
  return module === undefined ? [] : checker.getExportsOfModule(module);
};

/** What an export stands for, behind any number of re-exports. */
export const originOf = (program: ts.Program, symbol: ts.Symbol): ts.Symbol =>
  (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : program.getTypeChecker().getAliasedSymbol(symbol);
