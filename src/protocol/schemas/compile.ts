import type { SchemaDraft, Validator } from '@cfworker/json-schema';
import { defer, from, map, type Observable } from 'rxjs';
import { isObject } from './guards.js';

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

/** Refuses a schema that is too large, or refers to another document: none is ever fetched. */
const checkBounds = (schema: unknown): void => {
  let nodes = 0;
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return;
    nodes += 1;
    if (depth > MAX_DEPTH || nodes > MAX_NODES) throw new Error('it is too deep or too large');
    const ref = (value as Record<string, unknown>)['$ref'];
    if (typeof ref === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(ref) && !ref.startsWith('urn:')) {
      throw new Error(`it refers to ${ref}, which is not fetched`);
    }
    for (const member of Object.values(value)) visit(member, depth + 1);
  };
  visit(schema, 0);
};

/** Tells what is wrong with a value, one sentence an issue; nothing if it is as the schema says. */
export type Checker = (value: unknown) => readonly string[];

const checkerOf =
  (validator: Validator): Checker =>
  (value) => {
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
      checkBounds(schema);
      return checkerOf(new Validator(schema, dialect, false));
    }),
  );
