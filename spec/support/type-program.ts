import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The folder of the package, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The settings of this project, for a few files of it. */
export const optionsFor = (...files: readonly string[]): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile) as { config: object };
  return ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, ROOT).options;
};

/** The same as most users have them. */
export const lenient = (options: ts.CompilerOptions): ts.CompilerOptions => ({
  ...options,
  exactOptionalPropertyTypes: false,
  noUncheckedIndexedAccess: false,
});

// Files of packages are parsed once for all programs.
const parsed = new Map<string, ts.SourceFile | undefined>();

/** A program of files, some of which may have another text than they have on the disk. */
export const typeProgram = (
  files: readonly string[],
  options: ts.CompilerOptions,
  replaced: Readonly<Record<string, string>> = {},
): ts.Program => {
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target) => {
    const text = replaced[name];
    if (text !== undefined) return ts.createSourceFile(name, text, target);
    if (!parsed.has(name)) parsed.set(name, parse(name, target));
    return parsed.get(name);
  };
  return ts.createProgram(files, options, host);
};

/** What the compiler has against files of a program. */
export const complaintsOf = (program: ts.Program, files: readonly string[]): readonly string[] =>
  files
    .flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
