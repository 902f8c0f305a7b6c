import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** The folder of the package. Jest starts there. */
export const PACKAGE_ROOT = process.cwd();

/** One file of `src/`: its path below `src/`, with forward slashes, and its text. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** One module a file asks for. */
export interface Import {
  readonly specifier: string;
  /** By `import()`, so that it is loaded only when it is used. */
  readonly dynamic: boolean;
  /** Erased by the compiler. */
  readonly typeOnly: boolean;
}

/** Every TypeScript file below `src/`, in the order of its path. */
export const readSources = (): readonly SourceText[] => {
  const root = resolve(PACKAGE_ROOT, 'src');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(root, path), 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
};

/** Where an absolute path lies below `src/`, or `undefined` when it lies elsewhere. */
export const belowSrc = (file: string): string | undefined => {
  const path = relative(resolve(PACKAGE_ROOT, 'src'), file).split(sep).join('/');
  return path.startsWith('..') ? undefined : path;
};

/** A file as a tree. */
export const parse = ({ path, text }: SourceText): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);

/** Every node of a tree, parents first. */
export const nodesOf = (node: ts.Node): readonly ts.Node[] => {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    found.push(child);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
};

const textOf = (node: ts.Node | undefined): string =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : '(computed)';

/** Every import of a file, in each of the forms the language has. */
export const importsOf = (file: SourceText): readonly Import[] =>
  nodesOf(parse(file)).flatMap((node): Import[] => {
    if (ts.isImportDeclaration(node)) {
      const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      return [{ specifier: textOf(node.moduleSpecifier), dynamic: false, typeOnly }];
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      return [{ specifier: textOf(node.moduleSpecifier), dynamic: false, typeOnly: node.isTypeOnly }];
    }
    if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      return [{ specifier: textOf(node.moduleReference.expression), dynamic: false, typeOnly: node.isTypeOnly }];
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      return [{ specifier: textOf(node.argument.literal), dynamic: false, typeOnly: true }];
    }
    if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        return [{ specifier: textOf(node.arguments[0]), dynamic: true, typeOnly: false }];
      }
      if (ts.isIdentifier(node.expression) && node.expression.text === 'require') {
        return [{ specifier: textOf(node.arguments[0]), dynamic: false, typeOnly: false }];
      }
    }
    return [];
  });

/** The file below `src/` that a relative import names. */
export const targetOf = (from: string, specifier: string): string =>
  posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
