import type { Tool } from '../protocol/schemas/index.js';
import { sha256Of } from './sha256.js';

/** A piece of the text, or something that is yet to be written. */
type Part = string | { readonly value: unknown };

const partsOf = (value: object): Part[] => {
  if (Array.isArray(value)) {
    return ['[', ...value.flatMap((item: unknown, index): Part[] => [index === 0 ? '' : ',', { value: item }]), ']'];
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, member], index): Part[] => [
      `${index === 0 ? '' : ','}${JSON.stringify(key)}:`,
      { value: member as unknown },
    ]);
  return ['{', ...members, '}'];
};

/** JSON with the keys of every object in one order, so that equal values have equal texts. */
export const canonical = (root: unknown): string => {
  let text = '';
  // A stack of its own: how deep a schema is nested is the server's to say, and recursion would end at some depth.
  const left: Part[] = [{ value: root }];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (typeof part === 'string') text += part;
    else if (typeof part.value === 'object' && part.value !== null) {
      for (const inner of partsOf(part.value).reverse()) left.push(inner);
    } else text += JSON.stringify(part.value) ?? 'null';
  }
  return text;
};

/** What a tool is to a model and to who approved it, as one text. */
export const definitionOf = ({ name, title, description, inputSchema, outputSchema, annotations }: Tool): string =>
  canonical({ name, title, description, inputSchema, outputSchema, annotations });

/**
 * A stable fingerprint of a tool: the SHA-256, in hexadecimal, of its name, title, description, schemas and annotations,
 * whatever the order of their keys. Keep it with an approval, and ask again when it differs. Icons and `_meta` do not
 * count. Throws nothing.
 */
export const toolFingerprint = (tool: Tool): string => sha256Of(definitionOf(tool));

/** What became of the tools of a server from one list to the next. */
export interface ToolChanges {
  readonly added: readonly Tool[];
  readonly removed: readonly Tool[];
  readonly changed: readonly { readonly before: Tool; readonly after: Tool }[];
}

/** The difference of two lists; `undefined` if there is none. */
export const changesBetween = (
  before: ReadonlyMap<string, Tool>,
  after: ReadonlyMap<string, Tool>,
): ToolChanges | undefined => {
  const added: Tool[] = [];
  const changed: { before: Tool; after: Tool }[] = [];
  for (const [name, tool] of after) {
    const known = before.get(name);
    if (known === undefined) added.push(tool);
    else if (known !== tool && definitionOf(known) !== definitionOf(tool)) changed.push({ before: known, after: tool });
  }
  const removed = [...before.values()].filter(({ name }) => !after.has(name));
  return added.length + removed.length + changed.length === 0 ? undefined : { added, removed, changed };
};
