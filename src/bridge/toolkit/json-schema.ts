import { messageOf, OptionError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { jsonCopy } from '../../jsonrpc/json-copy.js';
import type { JsonSchema, StandardSchema } from './standard.js';

/** Which side of a schema a tool declares: what it takes of its input, what it makes of its output. */
export type Side = 'input' | 'output';

/** Methods of the vendors' own, older than the standard one. */
interface OwnMethods {
  readonly toJsonSchema?: unknown;
  readonly toJSONSchema?: unknown;
}

/** The ways to a JSON Schema, best first; any may throw or be absent. */
const waysOf = (schema: StandardSchema, side: Side): readonly (() => unknown)[] => {
  const { jsonSchema } = schema['~standard'];
  const { toJsonSchema, toJSONSchema } = schema as OwnMethods;
  const standard =
    jsonSchema === undefined
      ? []
      : (['draft-2020-12', 'draft-07'] as const).map((target) => () => jsonSchema[side]({ target }));
  const own: (() => unknown)[] = [];
  if (typeof toJsonSchema === 'function') own.push(() => toJsonSchema.call(schema) as unknown);
  if (typeof toJSONSchema === 'function') own.push(() => toJSONSchema.call(schema, { io: side }) as unknown);
  return [...standard, ...own];
};

/** Where the libraries that keep it apart have what makes JSON Schema. */
const HINTS = {
  zod: 'such as z.toJSONSchema(schema)',
  valibot: 'or wrap the schema by toStandardJsonSchema of @valibot/to-json-schema',
};

/** A copy that is JSON and nothing else, so that nobody can change a schema that has been declared. */
const plain = (value: unknown): JsonSchema | undefined => {
  const copy = jsonCopy(value);
  return isObject(copy) ? copy : undefined;
};

/**
 * The JSON Schema of a schema of a library: by Standard JSON Schema where the library has it, else by a method of its own.
 * Throws an `OptionError` that says what to give instead.
 */
export const convert = (schema: StandardSchema, side: Side, name: string): JsonSchema => {
  const { vendor } = schema['~standard'];
  let why = `${vendor} makes no JSON Schema of it`;
  for (const way of waysOf(schema, side)) {
    try {
      const json = plain(way());
      if (json !== undefined) return json;
    } catch (reason) {
      why = messageOf(reason);
    }
  }
  const hint = Object.hasOwn(HINTS, vendor) ? `, ${HINTS[vendor as keyof typeof HINTS]}` : '';
  throw new OptionError(name, `${why}; give its JSON Schema as ${side}JsonSchema${hint}`);
};

/** A JSON Schema as the user wrote it. Throws an `OptionError` where it is none. */
export const written = (schema: unknown, name: string): JsonSchema => {
  const remedy = 'give a schema of a library with Standard Schema, or a JSON Schema as a plain object';
  let json: JsonSchema | undefined;
  try {
    if (isObject(schema)) json = plain(schema);
  } catch (reason) {
    throw new OptionError(name, `${messageOf(reason)}; ${remedy}`);
  }
  if (json === undefined) throw new OptionError(name, remedy);
  return json;
};

/** An input schema as `tools/list` must have it: that of an object. Throws an `OptionError` where it is of something else. */
export const ofObject = (json: JsonSchema, name: string): JsonSchema & { readonly type: 'object' } => {
  if (json['type'] !== undefined && json['type'] !== 'object')
    throw new OptionError(name, `arguments are an object, and this takes ${JSON.stringify(json['type'])}`);
  return { ...json, type: 'object' };
};
