import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { nodesOf, parse } from './support/architecture/source-files.js';

/** One promise of the review: where it is kept, and the tests that say so. */
interface Line {
  readonly what: string;
  readonly places: readonly string[];
  readonly tests: readonly (readonly [file: string, name: string])[];
}

/** The rows of a page of tables whose last column names specs: a line each. */
const linesOf = (page: string): readonly Line[] =>
  page
    .split('\n')
    .filter((row) => row.startsWith('|') && row.includes('`'))
    .map((row) => {
      const cells = row.split('|').slice(1, -1);
      const [kept = '', specs = ''] = cells.slice(-2);
      return {
        what: cells[0]!.trim(),
        places: [...kept.matchAll(/`([^`]+)`/g)].map(([, place]) => place!),
        tests: [...specs.matchAll(/`([^`]+)`: "([^"]+)"/g)].map(
          ([, file, name]) => [file!, name!.replaceAll('\\_', '_')] as const,
        ),
      };
    });

/** The names of the tests of a file, and of what they are grouped by. */
const namesIn = (file: string): ReadonlySet<string> => {
  const calls = nodesOf(parse({ path: file, text: readFileSync(file, 'utf8') })).filter(ts.isCallExpression);
  const isTest = ({ expression }: ts.CallExpression): boolean => /^(?:it|test|describe)\b/.test(expression.getText());
  return new Set(
    calls.filter(isTest).flatMap(({ arguments: [name] }) => (name && ts.isStringLiteralLike(name) ? [name.text] : [])),
  );
};

/** The tests that a line names and that are not there. */
const missing = ({ tests }: Line): readonly string[] =>
  tests
    .filter(([file, name]) => !existsSync(file) || !namesIn(file).has(name))
    .map(([file, name]) => `${file}: ${name}`);

describe('the security review', () => {
  const lines = linesOf(readFileSync('docs/security.md', 'utf8'));

  it('has a line for each promise, each with where it is kept and at least one test', () => {
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter(({ places, tests }) => places.length === 0 || tests.length === 0)).toEqual([]);
    expect(lines.flatMap(({ places }) => places).filter((place) => !existsSync(place))).toEqual([]);
  });

  it('names no test that is not there', () => {
    expect(lines.flatMap(missing)).toEqual([]);
  });

  it('would be found to name one that is not there', () => {
    const row = (test: string): string => `| A promise | \`src/index.ts\` | \`${test} |`;
    const own = 'spec/security-review.spec.ts';
    expect(linesOf(row(`${own}\`: "names no test that is not there"`)).flatMap(missing)).toEqual([]);
    expect(linesOf(row(`${own}\`: "is no test"`)).flatMap(missing)).toEqual([`${own}: is no test`]);
    expect(linesOf(row('spec/none.spec.ts`: "a test"')).flatMap(missing)).toEqual(['spec/none.spec.ts: a test']);
  });
});
