import ts from 'typescript';
import { isNodeOnly } from './import-rules.js';
import { nodesOf, parse } from './source-files.js';
import type { SourceText } from './source-files.js';

const LONGEST = 300;
const NODE_GLOBALS = ['process', 'Buffer', 'NodeJS', 'global', '__dirname', '__filename', 'setImmediate'];

/** Files longer than a person reads in one go. */
export const tooLong = (files: readonly SourceText[]): readonly string[] =>
  files
    .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > LONGEST)
    .map(({ path, lines }) => `${path} has ${lines} lines`);

const exportsDefault = (node: ts.Node): boolean => {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default' || node.propertyName?.text === 'default';
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true
  );
};

/** Files with a default export, in any of its forms. */
export const defaultExports = (files: readonly SourceText[]): readonly string[] =>
  files.filter((file) => nodesOf(parse(file)).some(exportsDefault)).map(({ path }) => path);

/** Files that hand on whatever another file exports, so that the list grows unseen. */
export const starExports = (files: readonly SourceText[]): readonly string[] =>
  files
    .filter((file) =>
      nodesOf(parse(file)).some(
        (node) =>
          ts.isExportDeclaration(node) && (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause)),
      ),
    )
    .map(({ path }) => path);

const isNameOnItsOwn = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) return parent.getChildAt(0) === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  const isKey = ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent) || ts.isMethodDeclaration(parent);
  return !(isKey && parent.name === node);
};

/** Names that only Node has, in files that should load in a browser. */
export const nodeGlobals = (files: readonly SourceText[]): readonly string[] =>
  files
    .filter(({ path }) => !isNodeOnly(path))
    .flatMap((file) => {
      const names = nodesOf(parse(file))
        .filter((node) => ts.isIdentifier(node))
        .filter((node) => NODE_GLOBALS.includes(node.text) && isNameOnItsOwn(node))
        .map(({ text }) => text);
      return [...new Set(names)].map((name) => `${file.path} uses ${name}`);
    });
