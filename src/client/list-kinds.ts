import type { Prompt, Resource, ResourceTemplate } from '../protocol/schemas/index.js';
import { type ListKind, named } from './list-kind.js';

/** An entry that is good as long as it says what it is called. */
const entryWith =
  <T>(what: string, key: string): ListKind<T>['read'] =>
  (entry, warn) => {
    if (named(entry, key)) return entry as T;
    warn(`left out ${what} without ${key}`, entry);
    return undefined;
  };

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
