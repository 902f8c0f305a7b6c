import type { Schema, SchemaDraft, ValidationResult } from '@cfworker/json-schema';
import { type Observable, of } from 'rxjs';
import { isObject } from '../../jsonrpc/index.js';
import { type Part, part } from '../../rx/index.js';
import { Effort } from './effort.js';
import { fitsBy } from './fits.js';

/** Bounds on a schema, which is a stranger's: past them it is not compiled. */
const MAX_DEPTH = 64;
const MAX_NODES = 20_000;
/** How many characters the pointers to all of its nodes may have together: each is looked up by its own. */
const MAX_POINTERS = 16_000_000;
/** The longest name of a place in it. */
const MAX_NAME = 2_000;
const MAX_ISSUES = 10;

const DIALECTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, '7'],
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, '4'],
];

const knownDialect = ($schema: unknown): readonly [RegExp, SchemaDraft] | undefined =>
  typeof $schema === 'string' ? DIALECTS.find(([pattern]) => pattern.test($schema)) : undefined;

/** Whether a schema can be read as what it says that it is. */
export const isOfKnownDialect = ({ $schema }: Readonly<Record<string, unknown>>): boolean =>
  $schema === undefined || knownDialect($schema) !== undefined;

const dialectOf = (schema: Readonly<Record<string, unknown>>): SchemaDraft => {
  const { $schema } = schema;
  if ($schema === undefined) return '2020-12';
  const known = knownDialect($schema);
  if (known === undefined) throw new Error(`its dialect ${JSON.stringify($schema)} is not supported`);
  return known[1];
};

const MAX_PATTERN = 500;
/** How many characters all patterns of a schema may have: each is looked at several times. */
const MAX_PATTERNS = 20_000;

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

const TOO_LONG = 'to check a result by it would take too long';
const TOO_LARGE = 'it is too deep or too large';
const NAMES = ['$id', 'id', '$ref', '$anchor', '$recursiveRef'] as const;
/** What can make the work for a value greater than schema and value are large. */
const COSTLY = [
  '$ref',
  '$recursiveRef',
  'pattern',
  'patternProperties',
  'uniqueItems',
  'multipleOf',
  'dependentRequired',
  'dependencies',
] as const;

/**
 * Refuses a schema that is too large, refers to another document (none is ever fetched), or may take for ever. Tells
 * whether it has nothing that can be more work than it is large.
 */
const checkBounds = (schema: unknown): boolean => {
  let nodes = 0;
  let patterns = 0;
  let pointers = 0;
  let isPlain = true;
  const visit = (value: unknown, depth: number, pointer: number): void => {
    if (typeof value !== 'object' || value === null) return;
    nodes += 1;
    pointers += pointer;
    if (depth > MAX_DEPTH || nodes > MAX_NODES || pointers > MAX_POINTERS) throw new Error(TOO_LARGE);
    const members = value as Record<string, unknown>;
    for (const name of NAMES) {
      const text = members[name];
      if (typeof text === 'string' && text.length > MAX_NAME) throw new Error(TOO_LARGE);
    }
    const ref = members['$ref'];
    if (typeof ref === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(ref) && !ref.startsWith('urn:')) {
      throw new Error(`it refers to ${ref}, which is not fetched`);
    }
    isPlain &&= COSTLY.every((keyword) => members[keyword] === undefined) && typeof members['required'] !== 'string';
    const { pattern, patternProperties } = members;
    const own = [pattern, ...(isObject(patternProperties) ? Object.keys(patternProperties) : [])];
    for (const text of own) {
      if (typeof text !== 'string') continue;
      patterns += text.length;
      if (patterns > MAX_PATTERNS) throw new Error('its patterns are too many or too long');
      if (mayNeverEnd(text)) throw new Error(`its pattern ${JSON.stringify(text.slice(0, 80))} may take for ever`);
    }
    for (const [key, member] of Object.entries(value)) visit(member, depth + 1, pointer + key.length + 1);
  };
  visit(schema, 0, 0);
  return isPlain;
};

/** Tells what is wrong with a value, one sentence an issue; nothing if it is as the schema says. */
export type Checker = (value: unknown) => readonly string[];

/** A copy in which some members have other values; `undefined` where there is none of them. */
const replaced = (value: unknown, other: (key: string, member: unknown) => unknown): unknown => {
  let isOther = false;
  const copy = JSON.parse(
    JSON.stringify(value, (key: string, member: unknown) => {
      const instead = other(key, member);
      isOther ||= instead !== undefined;
      return instead ?? member;
    }),
  ) as unknown;
  return isOther ? copy : undefined;
};

/** The validator tells a `url` by a regular expression that may take for ever. */
const urlAsUri = (key: string, member: unknown): unknown => (key === 'format' && member === 'url' ? 'uri' : undefined);
/** Not `false`: under `properties` that would be a schema that nothing fits. */
const notUnique = (key: string, member: unknown): unknown => (key === 'uniqueItems' && member === true ? 0 : undefined);

const checkerOf = (
  { validate, dereference, format }: typeof import('@cfworker/json-schema'),
  given: Schema,
  dialect: SchemaDraft,
  isPlain: boolean,
): Checker => {
  const validated = (value: unknown, schema: Schema, lookup: ReturnType<typeof dereference>): ValidationResult => {
    try {
      return validate(value, schema, dialect, lookup, false);
    } catch (reason) {
      // It goes down call by call, and tells at each level all that it found below: either has an end.
      if (reason instanceof RangeError) throw new Error(TOO_LONG, { cause: reason });
      throw reason;
    }
  };
  const compiled = (schema: Schema, lookup = dereference(schema)): Checker & { readonly effort: Effort } => {
    const check = (value: unknown): readonly string[] => {
      const { valid, errors } = validated(value, schema, lookup);
      return valid ? [] : errors.slice(0, MAX_ISSUES).map((issue) => `${issue.instanceLocation}: ${issue.error}`);
    };
    return Object.assign(check, { effort: new Effort(schema, lookup, isPlain) });
  };
  const schema = (replaced(given, urlAsUri) ?? given) as Schema;
  const lookup = dereference(schema);
  const check = compiled(schema, lookup);
  const fits = fitsBy(schema, lookup, format, dialect);
  let unlessTwice: Checker | undefined;
  return (value) => {
    if (fits?.(value) === true) return [];
    switch (check.effort.verdict(value)) {
      case 'check':
        return check(value);
      case 'check-unique':
        unlessTwice ??= isPlain ? check : compiled(replaced(schema, notUnique) ?? schema);
        return unlessTwice(value);
      case 'text-too-long':
        return ['it holds a text that is too long for its pattern'];
      case 'too-much':
        throw new Error(TOO_LONG);
    }
  };
};

/** What checks values by a schema. */
export const validators: Part<typeof import('@cfworker/json-schema')> = /* @__PURE__ */ part(
  () => import('@cfworker/json-schema'),
);

/**
 * Compiles a JSON Schema: 2020-12 unless `$schema` names another dialect that is known. Emits its checker once and
 * completes; errors with an `Error` that says why the schema cannot be used. The checker throws one where to check a
 * value would take too long. The validator is loaded on first use. MCP 2026-07-28 basic, "JSON Schema Usage".
 */
export const compileSchema = (schema: unknown): Observable<Checker> =>
  validators.use((validator) => {
    if (!isObject(schema)) throw new Error('it is not an object');
    const dialect = dialectOf(schema);
    const isPlain = checkBounds(schema);
    return of(checkerOf(validator, schema, dialect, isPlain));
  });
