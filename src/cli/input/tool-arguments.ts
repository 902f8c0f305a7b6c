import type { Tool } from '../../protocol/schemas/index.js';
import { usageError } from '../exit.js';
import { instead } from '../../jsonrpc/suggest.js';
import { type Pair, readJson } from './pairs.js';
import { helpLine, kindText, propertiesOf, readSchema } from './schema.js';

type Arguments = Readonly<Record<string, unknown>>;

const isKind = (value: unknown, type: string): boolean => {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** The value that a text stands for; `undefined` where it can be none of the kinds that are allowed. */
const valueOf = (text: string, schema: unknown, root: unknown): unknown => {
  const { types, items } = readSchema(schema, root);
  // Where anything is allowed, what was typed is what is meant.
  if (types.length === 0) return text;
  const value = parsed(text);
  if (value !== undefined && types.some((type) => type !== 'string' && isKind(value, type))) return value;
  if (types.includes('string')) return text;
  if (!types.includes('array') || text.trimStart().startsWith('[')) return undefined;
  // One item of a list may stand alone.
  const item = valueOf(text, items, root);
  return item === undefined ? undefined : [item];
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * The arguments of a call, from what was typed and the tool's schema: a text stays a text, all else is read as JSON; a
 * list may be given item by item. `args` are those of `--args`, which what is typed as `name=value` goes over. Throws a
 * usage error, with the argument's line of help, for what cannot be meant: an unknown name, a value of another kind, a
 * required one that is missing. What a schema can say beyond that is the server's to check.
 */
export const toolArguments = (tool: Tool, pairs: readonly Pair[], args: Arguments = {}): Arguments => {
  const schema = tool.inputSchema;
  const { properties, required } = propertiesOf(schema);
  const names = Object.keys(properties);
  const help = (name: string): string => helpLine(name, properties[name], required.includes(name), schema);

  const read = ({ name, text, json }: Pair): unknown => {
    if (json) return readJson(text, name);
    if (!Object.hasOwn(properties, name)) {
      // A tool without a list of arguments takes any.
      if (names.length === 0 && schema['additionalProperties'] !== false) return text;
      throw usageError(
        `the tool ${JSON.stringify(tool.name)} has no argument ${JSON.stringify(name)}${instead(name, names)}`,
        `to send it all the same, write ${name}:=json`,
      );
    }
    const value = valueOf(text, properties[name], schema);
    if (value === undefined) {
      throw usageError(
        `${name}: ${JSON.stringify(text)} is not of the kind ${kindText(properties[name], schema)}`,
        help(name),
      );
    }
    const { enum: allowed } = readSchema(properties[name], schema);
    if (allowed !== undefined && !allowed.some((one) => same(one, value))) {
      throw usageError(
        `${name}: ${JSON.stringify(text)} is none of its values${instead(text, allowed.map(String))}`,
        help(name),
      );
    }
    return value;
  };

  const given = new Map(Object.entries(args));
  const typed = new Set<string>();
  for (const pair of pairs) {
    const value = read(pair);
    const before = given.get(pair.name);
    if (!typed.has(pair.name)) given.set(pair.name, value);
    else if (isList(before) && isList(value)) given.set(pair.name, [...before, ...value]);
    else
      throw usageError(
        `${pair.name} is given twice`,
        Object.hasOwn(properties, pair.name) ? help(pair.name) : undefined,
      );
    typed.add(pair.name);
  }

  const missing = required.filter((name) => !given.has(name));
  if (missing.length > 0) {
    const which = missing.map((name) => JSON.stringify(name)).join(', ');
    throw usageError(
      `the tool ${JSON.stringify(tool.name)} needs ${missing.length === 1 ? 'the argument' : 'the arguments'} ${which}`,
      missing.map(help).join('\n'),
    );
  }
  return Object.fromEntries(given);
};
