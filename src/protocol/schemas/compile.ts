import type { SchemaDraft, Validator } from '@cfworker/json-schema';
import { defer, from, map, type Observable } from 'rxjs';
import { isObject } from '../../jsonrpc/index.js';

/** Bounds on a schema, which is a stranger's: past them it is not compiled. */
const MAX_DEPTH = 64;
const MAX_NODES = 20_000;
const MAX_ISSUES = 10;

const DIALECTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, '7'],
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, '4'],
];

const dialectOf = (schema: Readonly<Record<string, unknown>>): SchemaDraft => {
  const { $schema } = schema;
  if ($schema === undefined) return '2020-12';
  const known = typeof $schema === 'string' ? DIALECTS.find(([pattern]) => pattern.test($schema)) : undefined;
  if (known === undefined) throw new Error(`its dialect ${JSON.stringify($schema)} is not supported`);
  return known[1];
};

const MAX_PATTERN = 500;
/** How many characters all patterns of a schema may have: each is looked at several times. */
const MAX_PATTERNS = 20_000;
/** The longest text a pattern is tried on: some take time that grows with the square of it. */
const MAX_TEXT = 5_000;

/** A group that has no other in it, and how often it may come. */
const INNERMOST = /\(([^()]*)\)([*+]|\{\d+(?:,\d*)?\})?/g;
const REPEATS_OR_CHOOSES = /[*+|]|\{\d*(?:,\d*)?\}/;

/**
 * Whether a stranger's pattern may stop the program: by rule of thumb, rather refusing a harmless one. A repeated group that
 * repeats or chooses inside is what makes a regular expression try its text in countless ways.
 */
const mayNeverEnd = (pattern: string): boolean => {
  if (pattern.length > MAX_PATTERN) return true;
  // What is escaped, and a class of characters, is a character, whatever it looks like.
  let text = pattern.replace(/\\./gs, 'x').replace(/\[[^\]]*(?:\]|$)/g, 'x');
  let isNested = false;
  for (;;) {
    // A group that repeats inside is itself a repetition to the group around it; one that is harmless is a letter.
    const simpler = text.replace(INNERMOST, (_all, inside: string, often = '') => {
      const isMany = REPEATS_OR_CHOOSES.test(inside);
      isNested ||= isMany && often !== '';
      return `${isMany ? 'x+' : 'x'}${String(often)}`;
    });
    if (isNested) return true;
    if (simpler === text) break;
    text = simpler;
  }
  return (text.match(/[*+]|\{\d+,\}/g) ?? []).length > 6;
};

/** The length of the longest text in a value. */
const longestText = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((longest, member) => Math.max(longest, longestText(member)), 0);
};

/** Refuses a schema that is too large, refers to another document (none is ever fetched), or may take for ever. Tells whether it has patterns. */
const checkBounds = (schema: unknown): boolean => {
  let nodes = 0;
  let patterns = 0;
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return;
    nodes += 1;
    if (depth > MAX_DEPTH || nodes > MAX_NODES) throw new Error('it is too deep or too large');
    const ref = (value as Record<string, unknown>)['$ref'];
    if (typeof ref === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(ref) && !ref.startsWith('urn:')) {
      throw new Error(`it refers to ${ref}, which is not fetched`);
    }
    const { pattern, patternProperties } = value as Record<string, unknown>;
    const own = [pattern, ...(isObject(patternProperties) ? Object.keys(patternProperties) : [])];
    for (const text of own) {
      if (typeof text !== 'string') continue;
      patterns += text.length;
      if (patterns > MAX_PATTERNS) throw new Error('its patterns are too many or too long');
      if (mayNeverEnd(text)) throw new Error(`its pattern ${JSON.stringify(text.slice(0, 80))} may take for ever`);
    }
    for (const member of Object.values(value)) visit(member, depth + 1);
  };
  visit(schema, 0);
  return patterns > 0;
};

/** Tells what is wrong with a value, one sentence an issue; nothing if it is as the schema says. */
export type Checker = (value: unknown) => readonly string[];

const checkerOf =
  (validator: Validator, patterns: boolean): Checker =>
  (value) => {
    if (patterns && longestText(value) > MAX_TEXT) return ['it holds a text that is too long for its pattern'];
    const { valid, errors } = validator.validate(value);
    return valid ? [] : errors.slice(0, MAX_ISSUES).map((issue) => `${issue.instanceLocation}: ${issue.error}`);
  };

/**
 * Compiles a JSON Schema: 2020-12 unless `$schema` names another dialect that is known. Emits its checker once and
 * completes; errors with an `Error` that says why the schema cannot be used. The validator is loaded on first use.
 * MCP 2026-07-28 basic, "JSON Schema Usage".
 */
export const compileSchema = (schema: unknown): Observable<Checker> =>
  defer(() => from(import('@cfworker/json-schema'))).pipe(
    map(({ Validator }) => {
      if (!isObject(schema)) throw new Error('it is not an object');
      const dialect = dialectOf(schema);
      const patterns = checkBounds(schema);
      return checkerOf(new Validator(schema, dialect, false), patterns);
    }),
  );
