import type { Tool } from '../protocol/schemas/index.js';
import { canonical } from './canonical.js';

/** What a tool is to a model and to who approved it, as one text. */
export const definitionOf = ({ name, title, description, inputSchema, outputSchema, annotations }: Tool): string =>
  canonical({ name, title, description, inputSchema, outputSchema, annotations });

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
