import ts from 'typescript';
import { exportsOf, originOf } from './program.js';
import { belowSrc, nodesOf } from './source-files.js';

const isDocumented = (program: ts.Program, symbol: ts.Symbol): boolean =>
  symbol.getDocumentationComment(program.getTypeChecker()).length > 0;

const isHiddenOrRepeated = (declaration: ts.Declaration): boolean =>
  (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Override)) !== 0;

/** Members of a class that a user can see and that repeat no other class's promise. */
const isOwnPublicMember = (symbol: ts.Symbol): boolean =>
  (symbol.declarations ?? []).some(
    (declaration) =>
      ts.isClassElement(declaration) &&
      !ts.isConstructorDeclaration(declaration) &&
      !isHiddenOrRepeated(declaration) &&
      declaration.name !== undefined &&
      !ts.isPrivateIdentifier(declaration.name) &&
      !ts.isComputedPropertyName(declaration.name),
  );

/** The members whose documentation matters by themselves: of a class, and of what holds options. */
const membersOf = (origin: ts.Symbol): readonly ts.Symbol[] => {
  const members = [...(origin.members?.values() ?? [])];
  if ((origin.flags & ts.SymbolFlags.Class) !== 0) return members.filter(isOwnPublicMember);
  const holdsOptions = /(Options|Parameters)$/.test(origin.name);
  return holdsOptions ? members.filter(({ flags }) => (flags & ts.SymbolFlags.Property) !== 0) : [];
};

/** Names that an entry exports, and members behind them, without a doc comment. */
export const undocumented = (program: ts.Program, entries: readonly string[]): readonly string[] => [
  ...new Set(
    entries.flatMap((entry) =>
      exportsOf(program, entry).flatMap((symbol) => {
        const origin = originOf(program, symbol);
        const members = membersOf(origin).filter((member) => !isDocumented(program, member));
        return [
          ...(isDocumented(program, origin) ? [] : [`${symbol.name} of ${entry}`]),
          ...members.map(({ name }) => `${symbol.name}.${name} of ${entry}`),
        ];
      }),
    ),
  ),
];

const isMissing = (property: ts.Symbol | undefined): boolean =>
  property === undefined || (property.flags & ts.SymbolFlags.Optional) !== 0;

/** An object with `error`: a literal that has it, or something whose type always has it, as a Subscriber has. */
const handlesErrors = (checker: ts.TypeChecker, observer: ts.Expression | undefined): boolean => {
  if (observer === undefined || ts.isFunctionLike(observer)) return false;
  return !isMissing(checker.getTypeAtLocation(observer).getProperty('error'));
};

/** Subscriptions whose error nobody handles: it would end the process. */
export const bareSubscribes = (program: ts.Program): readonly string[] => {
  const checker = program.getTypeChecker();
  return program.getSourceFiles().flatMap((file) => {
    const path = belowSrc(file.fileName);
    if (path === undefined) return [];
    return nodesOf(file)
      .filter((node) => ts.isCallExpression(node))
      .filter(({ expression }) => ts.isPropertyAccessExpression(expression) && expression.name.text === 'subscribe')
      .filter((call) => call.arguments.length !== 1 || !handlesErrors(checker, call.arguments[0]))
      .map((call) => `${path}:${file.getLineAndCharacterOfPosition(call.getEnd()).line + 1}`);
  });
};
