import { isObject } from '../../jsonrpc/index.js';

/** What is of use of a JSON Schema where a person types the value. */
export interface ValueSchema {
  /** The types that JSON Schema allows; empty where it does not say. */
  readonly types: readonly string[];
  readonly enum: readonly unknown[] | undefined;
  readonly items: unknown;
  readonly description: string | undefined;
  readonly default: unknown;
}

const DEEPEST = 8;

const pointed = (root: unknown, ref: string): unknown => {
  if (!ref.startsWith('#/')) return undefined;
  return ref
    .slice(2)
    .split('/')
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce<unknown>((value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined), root);
};

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;

const typesOf = (schema: unknown, root: unknown, depth = 0): readonly string[] => {
  if (!isObject(schema) || depth > DEEPEST) return [];
  const { type, anyOf, oneOf, $ref, enum: values } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one): one is string => typeof one === 'string');
  if (typeof $ref === 'string') return typesOf(pointed(root, $ref), root, depth + 1);
  if ('const' in schema) return [typeOf(schema['const'])];
  if (Array.isArray(values)) return [...new Set(values.map(typeOf))];
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  const each = choices.map((choice) => typesOf(choice, root, depth + 1));
  // One that says nothing allows everything.
  return each.some(({ length }) => length === 0) ? [] : [...new Set(each.flat())];
};

/** Reads a schema as far as it is of use; whatever it is, nothing is thrown. */
export const readSchema = (schema: unknown, root: unknown = schema): ValueSchema => {
  const own = isObject(schema) ? schema : {};
  const there = typeof own['$ref'] === 'string' ? pointed(root, own['$ref']) : undefined;
  const all = { ...(isObject(there) ? there : {}), ...own };
  const { description, title, items, enum: values } = all;
  const told = typeof description === 'string' ? description : title;
  return {
    types: typesOf(schema, root),
    enum: Array.isArray(values) ? values : undefined,
    items,
    description: typeof told === 'string' ? told : undefined,
    default: all['default'],
  };
};

/** The properties of an input schema and which of them are required; nothing where it has none. */
export const propertiesOf = (
  schema: unknown,
): { readonly properties: Readonly<Record<string, unknown>>; readonly required: readonly string[] } => {
  const { properties, required } = isObject(schema) ? schema : {};
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [],
  };
};

/** What kind of value is wanted, in few words: `integer`, `"a" | "b"`, `string[]`. */
export const kindText = (schema: unknown, root: unknown = schema): string => {
  const { types, enum: values, items } = readSchema(schema, root);
  if (values !== undefined && values.length > 0 && values.length <= 6) {
    return values.map((value) => JSON.stringify(value)).join(' | ');
  }
  if (types.length === 0) return 'any';
  return types
    .map((type) => {
      if (type !== 'array') return type;
      const inner = items === undefined ? [] : readSchema(items, root).types;
      return inner.length === 1 ? `${inner.join('')}[]` : 'array';
    })
    .join(' | ');
};

/** The line of help of one argument: `name (kind, required): description`. */
export const helpLine = (name: string, schema: unknown, required: boolean, root: unknown): string => {
  const { description, default: otherwise } = readSchema(schema, root);
  const facts = [kindText(schema, root), ...(required ? ['required'] : [])];
  if (otherwise !== undefined) facts.push(`default ${JSON.stringify(otherwise)}`);
  return `${name} (${facts.join(', ')})${description === undefined ? '' : `: ${description}`}`;
};

/** The arguments of a tool as one line: `a: number, b?: string`. */
export const signatureText = (schema: unknown): string => {
  const { properties, required } = propertiesOf(schema);
  return Object.entries(properties)
    .map(([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${kindText(property, schema)}`)
    .join(', ');
};
