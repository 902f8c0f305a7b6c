import { shortened } from '../bridge/formats/shortened.js';
import { isObject } from '../jsonrpc/index.js';
import { jsonCopy } from '../jsonrpc/json-copy.js';
import { fieldOf, nameOf, textOf } from './search-index.js';

/** How many tools are named where the model does not say. */
export const FEW = 10;

const MOST = 50;

/** What `search_tools` takes. */
export const SEARCH = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What the tool should do, in keywords' },
    limit: { type: 'integer', minimum: 1, maximum: MOST, description: `How many tools to name at most (${FEW})` },
    detail: {
      type: 'string',
      enum: ['name', 'description', 'full'],
      description:
        'How much to say of each: its name alone, its name and a line of description (default), or all of it',
    },
  },
  required: ['query'],
} as const;

const NAME = { type: 'string', description: 'The name of the tool, as search_tools gave it' } as const;

/** What `get_tool_details` takes. */
export const DETAILS = { type: 'object', properties: { name: NAME }, required: ['name'] } as const;

const CALL_SCHEMA = {
  type: 'object',
  properties: {
    name: NAME,
    arguments: { type: 'object', description: 'The arguments, as its inputSchema says' },
  },
  required: ['name'],
};

const callSchema = (): typeof CALL_SCHEMA => CALL_SCHEMA;

/** A call of a tool, as models write it. */
export interface Given {
  readonly name: string;
  readonly [argument: string]: unknown;
}

/** What `call_tool` takes. It is declared as it should be, and read as models write it. */
export const CALL = {
  '~standard': {
    version: 1 as const,
    vendor: 'rx-mcp',
    types: undefined as { readonly input: Given; readonly output: Given } | undefined,
    validate: (
      value: unknown,
    ):
      | { readonly value: Given }
      | { readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[] } =>
      isObject(value) && typeof value['name'] === 'string' && value['name'] !== ''
        ? { value: value as unknown as Given }
        : { issues: [{ message: 'give the name of a tool, as search_tools gave it', path: ['name'] }] },
    jsonSchema: { input: callSchema, output: callSchema },
  },
};

/** The arguments of a call: where they belong, as an object or its JSON, or beside the name, where models put them, too. */
export const argumentsOf = ({ name: _, arguments: args, ...beside }: Given): unknown =>
  args === undefined && Object.keys(beside).length > 0 ? beside : args;

const LONGEST_LINE = 200;

const lineOf = (text: string): string => shortened(text.trim().split('\n', 1)[0] ?? '', LONGEST_LINE);

/** What a field holds, as JSON has it; nothing where it cannot be read or written. */
const writtenOf = (tool: unknown, field: string): unknown => {
  try {
    return jsonCopy(fieldOf(tool, field));
  } catch {
    return undefined;
  }
};

const DETAILED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'];

/** All of a tool that a model may want to know. Goes without what has no form in JSON: that costs no other tool its place. */
export const detailsOf = (tool: unknown): object =>
  Object.fromEntries(
    DETAILED.map((field) => [field, writtenOf(tool, field)] as const).filter(([, value]) => value !== undefined),
  );

/** As much of a tool as is asked for: `name`, `description` or `full`. */
export const toldOf = (tool: unknown, detail: string): object => {
  if (detail === 'full') return detailsOf(tool);
  const name = nameOf(tool);
  if (detail === 'name') return { name };
  const texts = ['description', 'title'].map((field) => textOf(fieldOf(tool, field)));
  return { name, description: lineOf(texts.find((text) => text !== '') ?? '') };
};
