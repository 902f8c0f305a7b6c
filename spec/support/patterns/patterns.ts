import ts from 'typescript';
import { nodesOf, parse, type SourceText } from '../architecture/source-files.js';

/** A regular expression in a source file: as a literal, or made of texts that stand in the same file. */
export interface FoundPattern {
  readonly file: string;
  /** What is there to read. */
  readonly text: string;
  /** The pattern; `undefined` where it is made of what is known only as it runs. */
  readonly source: string | undefined;
  readonly flags: string;
}

/** What a constant text is, as far as it is made of constants of its file. */
const valueOf = (node: ts.Expression, file: ts.SourceFile): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node)) {
    if (node.tag.getText() !== 'String.raw') return undefined;
    return joined(node.template, file, (part) => part.rawText);
  }
  if (ts.isTemplateExpression(node)) return joined(node, file, (part) => part.text);
  if (!ts.isIdentifier(node)) return undefined;
  const declared = nodesOf(file).filter(ts.isVariableDeclaration);
  const found = declared.find(({ name }) => name.getText() === node.text)?.initializer;
  return found === undefined ? undefined : valueOf(found, file);
};

const joined = (
  template: ts.TemplateLiteral,
  file: ts.SourceFile,
  textOf: (part: ts.TemplateLiteralLikeNode) => string | undefined,
): string | undefined => {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return textOf(template);
  const parts = template.templateSpans.map(({ expression, literal }) => [valueOf(expression, file), textOf(literal)]);
  const all = [textOf(template.head), ...parts.flat()];
  return all.includes(undefined) ? undefined : all.join('');
};

/** Every regular expression of a file. */
export const patternsOf = (source: SourceText): readonly FoundPattern[] => {
  const file = parse(source);
  return nodesOf(file).flatMap((node): FoundPattern[] => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const text = node.getText();
      const end = text.lastIndexOf('/');
      return [{ file: source.path, text, source: text.slice(1, end), flags: text.slice(end + 1) }];
    }
    if (!(ts.isNewExpression(node) || ts.isCallExpression(node)) || node.expression.getText() !== 'RegExp') return [];
    const [pattern, flags] = node.arguments ?? [];
    return [
      {
        file: source.path,
        text: node.getText().replaceAll(/\s+/g, ' '),
        source: pattern === undefined ? undefined : valueOf(pattern, file),
        flags: (flags === undefined ? undefined : valueOf(flags, file)) ?? '',
      },
    ];
  });
};
