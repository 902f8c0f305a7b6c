import { excerptOf } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { Capability } from '../protocol/index.js';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../protocol/schemas/index.js';

/** A list of the protocol: how it is asked for, and how one of its entries is read. */
export interface ListKind<T> {
  readonly method: 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';
  /** The member of the result that holds the entries. */
  readonly member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  readonly capability: Capability;
  /** Reads one entry, mended where it can be; `undefined` leaves it out. Whatever is not right is told to `warn`. */
  readonly read: (entry: unknown, warn: (message: string, entry: unknown) => void) => T | undefined;
}

const named = (entry: unknown, key: string): entry is Record<string, unknown> =>
  isObject(entry) && typeof entry[key] === 'string';

/** An entry that is good as long as it says what it is called. */
const entryWith =
  <T>(what: string, key: string): ListKind<T>['read'] =>
  (entry, warn) => {
    if (named(entry, key)) return entry as T;
    warn(`left out ${what} without ${key}`, entry);
    return undefined;
  };

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

export const PROMPTS: ListKind<Prompt> = {
  method: 'prompts/list',
  member: 'prompts',
  capability: 'prompts',
  read: entryWith('a prompt', 'name'),
};

/** Resources: one without a name goes by its URI. */
const readResource: ListKind<Resource>['read'] = (entry, warn) => {
  if (!named(entry, 'uri')) {
    warn('left out a resource without uri', entry);
    return undefined;
  }
  return typeof entry['name'] === 'string'
    ? (entry as unknown as Resource)
    : ({ ...entry, name: entry['uri'] } as unknown as Resource);
};

export const RESOURCES: ListKind<Resource> = {
  method: 'resources/list',
  member: 'resources',
  capability: 'resources',
  read: readResource,
};

export const RESOURCE_TEMPLATES: ListKind<ResourceTemplate> = {
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  capability: 'resources',
  read: entryWith('a resource template', 'uriTemplate'),
};
