import { type Budget, budgetOf, sameJson } from '../jsonrpc/same-json.js';
import type { Tool } from '../protocol/schemas/index.js';
import { definition } from './tool-definition.js';

const isAsBefore = (before: Tool, after: Tool, budget: Budget): boolean =>
  before === after || sameJson(definition(before), definition(after), budget);

/** What became of the tools of a server from one list to the next. */
export interface ToolChanges {
  readonly added: readonly Tool[];
  readonly removed: readonly Tool[];
  readonly changed: readonly { readonly before: Tool; readonly after: Tool }[];
}

/** The difference of two lists; `undefined` if there is none. Where there is too much to compare, what is left counts as changed. */
export const changesBetween = (
  before: ReadonlyMap<string, Tool>,
  after: ReadonlyMap<string, Tool>,
): ToolChanges | undefined => {
  const added: Tool[] = [];
  const budget = budgetOf();
  const changed: { before: Tool; after: Tool }[] = [];
  for (const [name, tool] of after) {
    const known = before.get(name);
    if (known === undefined) added.push(tool);
    else if (!isAsBefore(known, tool, budget)) changed.push({ before: known, after: tool });
  }
  const removed = [...before.values()].filter(({ name }) => !after.has(name));
  return added.length + removed.length + changed.length === 0 ? undefined : { added, removed, changed };
};
