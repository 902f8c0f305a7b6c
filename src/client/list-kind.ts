import { excerptOf } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { Capability } from '../protocol/index.js';
import type { Tool } from '../protocol/schemas/index.js';

/** A list of the protocol: how it is asked for, and how one of its entries is read. */
export interface ListKind<T> {
  readonly method: 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';
  /** The member of the result that holds the entries. */
  readonly member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  readonly capability: Capability;
  /** Reads one entry, mended where it can be; `undefined` leaves it out. Whatever is not right is told to `warn`. */
  readonly read: (entry: unknown, warn: (message: string, entry: unknown) => void) => T | undefined;
}

/** Whether an entry says what it is called. */
export const named = (entry: unknown, key: string): entry is Record<string, unknown> =>
  isObject(entry) && typeof entry[key] === 'string';

/** Tools: one whose input schema is missing, or says nothing of its type, takes an object. */
const readTool: ListKind<Tool>['read'] = (entry, warn) => {
  if (!named(entry, 'name')) {
    warn('left out a tool without name', entry);
    return undefined;
  }
  const { inputSchema } = entry;
  if (isObject(inputSchema) && inputSchema['type'] === 'object') return entry as unknown as Tool;
  warn(
    `the input schema of tool ${excerptOf(JSON.stringify(entry['name']))} is not that of an object; taken as one`,
    entry,
  );
  const mended = isObject(inputSchema) ? { ...inputSchema, type: 'object' } : { type: 'object' };
  return { ...entry, inputSchema: mended } as unknown as Tool;
};

export const TOOLS: ListKind<Tool> = { method: 'tools/list', member: 'tools', capability: 'tools', read: readTool };
