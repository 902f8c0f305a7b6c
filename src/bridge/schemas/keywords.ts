import { isObject } from '../../jsonrpc/index.js';
import type { SchemaRules } from './rules.js';

/**
 * What stands under a keyword of JSON Schema. `open-schema` is a schema that may be `true` or `false` as well, which
 * APIs take there and nowhere else.
 */
export type Holds =
  | 'schema'
  | 'open-schema'
  | 'schemas'
  | 'named-schemas'
  | 'dependencies'
  | 'text'
  | 'number'
  | 'count'
  | 'flag'
  | 'names'
  | 'dependent-names'
  | 'values'
  | 'data'
  | 'type'
  | 'pattern'
  | 'nothing';

const table: Readonly<Partial<Record<Holds, readonly string[]>>> = {
  schema: ['items', 'contains', 'propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'],
  'open-schema': ['additionalProperties', 'additionalItems', 'unevaluatedItems', 'unevaluatedProperties'],
  schemas: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  'named-schemas': ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  // Up to draft 7, each a schema or a list of names; up to draft 3, one name.
  dependencies: ['dependencies'],
  text: ['title', 'description', '$comment', 'format', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  count: [
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ],
  flag: ['deprecated', 'readOnly', 'writeOnly', 'uniqueItems'],
  names: ['required'],
  'dependent-names': ['dependentRequired'],
  values: ['enum', 'examples'],
  type: ['type'],
  pattern: ['pattern'],
  // Once the schema is changed, its claim to a dialect and to an address of its own no longer holds.
  nothing: [
    '$schema',
    '$id',
    '$anchor',
    '$dynamicAnchor',
    '$dynamicRef',
    '$recursiveRef',
    '$recursiveAnchor',
    '$vocabulary',
  ],
};

const KEYWORDS: ReadonlyMap<string, Holds> = new Map(
  Object.entries(table).flatMap(([holds, keywords]) =>
    keywords.map((keyword): [string, Holds] => [keyword, holds as Holds]),
  ),
);

/** What stands under a keyword; `data` under one that JSON Schema does not know. */
export const holdsOf = (keyword: string): Holds => KEYWORDS.get(keyword) ?? 'data';

const TYPES: ReadonlySet<string> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** The types that a value names, as JSON Schema spells them, each once. */
export const typesIn = (value: unknown): readonly string[] => {
  const named = (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');
  return [...new Set(named.map((one) => one.toLowerCase()))].filter((one) => TYPES.has(one));
};

const typeOf = (value: unknown): unknown => {
  const types = typesIn(value);
  if (types.length === 0) return undefined;
  return Array.isArray(value) && types.length > 1 ? types : types[0];
};

const compiles = (pattern: string): boolean => {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
};

/** A list of names, each once; `undefined` for what is no list. */
const namesIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? [...new Set(value.filter((name): name is string => typeof name === 'string'))] : undefined;

/** The names that something depends on; of older drafts also one name; `undefined` for what names nothing. */
export const dependedOn = (value: unknown): readonly string[] | undefined =>
  namesIn(typeof value === 'string' ? [value] : value);

const dependentNames = (value: unknown): unknown => {
  if (!isObject(value)) return undefined;
  const lists = Object.entries(value).map(([name, names]) => [name, dependedOn(names)] as const);
  return Object.fromEntries(lists.filter(([, names]) => names !== undefined));
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** A value that may stand under a keyword without subschemas: itself, or what it should have been; else `undefined`. */
export const fitting = (keyword: string, holds: Holds, value: unknown, rules: SchemaRules): unknown => {
  switch (holds) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' && (keyword !== 'multipleOf' || value > 0) ? value : undefined;
    case 'count':
      return isCount(value) ? value : undefined;
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'names':
      return namesIn(value);
    case 'dependent-names':
      return dependentNames(value);
    case 'values':
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case 'type':
      return typeOf(value);
    case 'pattern':
      return typeof value === 'string' && compiles(value) && (rules.takesPattern?.(value) ?? true) ? value : undefined;
    case 'nothing':
      return undefined;
    default:
      return value;
  }
};

/** Whether a value is a schema that may be named in `schemas` and the like. */
export const isSchema = (value: unknown): value is Readonly<Record<string, unknown>> | boolean =>
  typeof value === 'boolean' || isObject(value);
