import { Ajv2020 } from 'ajv/dist/2020.js';
import type { LlmFormat } from '../../../src/bridge/provider.js';

type Json = Readonly<Record<string, unknown>>;

/** A tool as any vendor's declaration shows it. */
interface Shown {
  readonly name: unknown;
  readonly description: unknown;
  readonly schema: unknown;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A declaration as it is sent: nothing but JSON. */
const sent = (declarations: unknown): unknown => JSON.parse(JSON.stringify(declarations));

const shownIn = (format: LlmFormat, declarations: unknown): readonly Shown[] => {
  const entries = sent(declarations) as Json[];
  switch (format) {
    case 'openai':
      return entries.map(({ function: made }) => {
        const { name, description, parameters: schema } = made as Json;
        return { name, description, schema };
      });
    case 'openai-responses':
      return entries.map(({ name, description, parameters: schema }) => ({ name, description, schema }));
    case 'anthropic':
      return entries.map(({ name, description, input_schema: schema }) => ({ name, description, schema }));
    case 'gemini':
      return entries.flatMap(({ functionDeclarations }) =>
        (functionDeclarations as Json[]).map(({ name, description, parametersJsonSchema: schema }) => ({
          name,
          description,
          schema,
        })),
      );
    case 'ai-sdk':
      return Object.entries(entries as unknown as Record<string, Json>).map(([name, { description, inputSchema }]) => ({
        name,
        description,
        schema: (inputSchema as Json)['jsonSchema'],
      }));
  }
};

const KEYS: Readonly<Record<LlmFormat, readonly (readonly [string, readonly string[]])[]>> = {
  openai: [
    ['', ['type', 'function']],
    ['function', ['name', 'description', 'parameters']],
  ],
  'openai-responses': [['', ['type', 'name', 'description', 'parameters', 'strict']]],
  anthropic: [['', ['name', 'description', 'input_schema']]],
  gemini: [['', ['functionDeclarations']]],
  'ai-sdk': [['', ['description', 'inputSchema']]],
};

/** The fields that the vendor's reference does not list. */
const strangeFields = (format: LlmFormat, declarations: unknown): readonly string[] =>
  Object.values(sent(declarations) as object).flatMap((entry: Json) =>
    KEYS[format].flatMap(([at, known]) =>
      Object.keys(at === '' ? entry : (entry[at] as Json)).filter((key) => !known.includes(key)),
    ),
  );

const NAMES: Readonly<Record<LlmFormat, RegExp>> = {
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  'openai-responses': /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  'ai-sdk': /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/,
};

// From the reference of `responseJsonSchema` and `parametersJsonSchema`.
const GEMINI_KEYWORDS = new Set(
  (
    '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum ' +
    'anyOf oneOf properties additionalProperties required propertyOrdering'
  ).split(' '),
);

/** What holds schemas by name; `dependencies` may hold lists of names as well, which are none. */
const NAMED = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'],
]);

/** Calls `look` with every schema inside a schema, itself first. */
const eachSchema = (schema: unknown, path: string, look: (schema: Json, path: string) => void): void => {
  if (!isObject(schema)) return;
  look(schema, path);
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${path}/${keyword}`;
    if (NAMED.has(keyword)) {
      for (const [name, inner] of Object.entries(value as Json)) eachSchema(inner, `${at}/${name}`, look);
    } else if (['allOf', 'anyOf', 'oneOf', 'prefixItems'].includes(keyword)) {
      for (const [index, inner] of (value as unknown[]).entries()) eachSchema(inner, `${at}/${index}`, look);
    } else if (!['enum', 'const', 'default', 'examples', 'dependentRequired'].includes(keyword))
      eachSchema(value, at, look);
  }
};

const pointsSomewhere = (root: Json, ref: string): boolean => {
  let at: unknown = root;
  for (const step of ref.split('/').slice(1)) {
    at = isObject(at) ? at[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return ref.startsWith('#') && at !== undefined;
};

/** What OpenAI and Anthropic refuse at the root of the schema of a tool. */
const atRoot = (format: LlmFormat, root: Json): readonly string[] => [
  ...(root['type'] === 'object' ? [] : ['the root has another type than object']),
  ...(isObject(root['properties']) ? [] : ['the root has no properties']),
  ...['anyOf', 'oneOf', 'allOf', 'enum', 'not'].filter((keyword) => keyword in root),
  ...(format === 'anthropic' || format === 'ai-sdk'
    ? Object.keys(root['properties'] ?? {}).filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
    : []),
];

const isUnread = (pattern: string): boolean => /\\p\{|\(\?<\w|^\\[1-9]/.test(pattern);

const inside = (format: LlmFormat, root: Json, schema: Json, path: string): readonly string[] => {
  const faults: string[] = [];
  const { type, $ref: ref, pattern } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('array') && !isObject(schema['items'])) faults.push('array schema missing items');
  if (typeof ref === 'string' && !pointsSomewhere(root, ref)) faults.push(`${ref} points nowhere`);
  if (Array.isArray(schema['enum']) && schema['enum'].length === 0) faults.push('an empty enum');
  const patterns = [String(pattern), ...Object.keys(schema['patternProperties'] ?? {})];
  if (patterns.some(isUnread) && format !== 'anthropic') faults.push('a pattern Python does not read');
  if (format === 'gemini') {
    faults.push(...Object.keys(schema).filter((keyword) => !GEMINI_KEYWORDS.has(keyword)));
    if (types.filter((one) => one !== 'null').length > 1) faults.push('several types');
    const values = (schema['enum'] ?? []) as readonly unknown[];
    if (values.some((value) => !['string', 'number'].includes(typeof value))) faults.push('an enum of other values');
    const known = Object.keys(schema['properties'] ?? {});
    const unknown = ((schema['required'] ?? []) as readonly string[]).filter((name) => !known.includes(name));
    if (unknown.length > 0) faults.push(`required but not described: ${unknown.join()}`);
  }
  return faults.map((fault) => `${path}: ${fault}`);
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/**
 * What the vendor's documentation, and its API's refusals, forbid about declarations: names, descriptions, fields and
 * schemas. Nothing where they would be taken.
 */
export const faultsOf = (format: LlmFormat, declarations: unknown): readonly string[] => {
  const tools = shownIn(format, declarations);
  const names = tools.map(({ name }) => String(name));
  const faults = names.filter((name) => !NAMES[format].test(name)).map((name) => `the name ${JSON.stringify(name)}`);
  if (new Set(names).size < names.length) faults.push('a name comes twice');
  if (names.join('\n') !== [...names].sort().join('\n')) faults.push('not sorted');
  if (format !== 'ai-sdk') faults.push(...strangeFields(format, declarations).map((field) => `the field ${field}`));
  for (const { name, description, schema } of tools) {
    if (description !== undefined && typeof description !== 'string') faults.push(`${String(name)}: its description`);
    if (format.startsWith('openai') && typeof description === 'string' && description.length > 1_024) {
      faults.push(`${String(name)}: a description of more than 1 024 characters`);
    }
    if (!isObject(schema)) faults.push(`${String(name)}: no schema`);
    else {
      faults.push(...atRoot(format, schema).map((fault) => `${String(name)}: ${fault}`));
      // Anthropic's own words: the schema has to match JSON Schema 2020-12.
      if (!ajv.validateSchema(schema)) faults.push(`${String(name)}: ${ajv.errorsText(ajv.errors)}`);
      eachSchema(schema, String(name), (inner, path) => faults.push(...inside(format, schema, inner, path)));
    }
  }
  return faults;
};
