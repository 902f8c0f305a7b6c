import type { Tool } from 'rx-mcp';
import { h } from './dom.js';
import { iconOf } from './picture.js';
import { schemaForm } from './schema-form.js';

/** What a tool says of itself, in words. It is a hint, and may be wrong. */
const hintsOf = ({ annotations = {} }: Tool): string => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = [
    readOnlyHint === true ? 'only reads' : undefined,
    destructiveHint === true ? 'may destroy' : undefined,
    idempotentHint === true ? 'may be repeated' : undefined,
    openWorldHint === true ? 'reaches outside' : undefined,
  ];
  return hints.filter((hint) => hint !== undefined).join(', ');
};

/** One tool of the list, with a form made of its schema. `onCall` hears what is filled in, as often as it is sent. */
export const toolItem = (tool: Tool, onCall: (args: Readonly<Record<string, unknown>>) => void): HTMLElement => {
  const { element, read } = schemaForm(tool.inputSchema);
  const title = tool.title ?? tool.name;
  const submit = h('button', { type: 'submit' }, 'Call', h('span', { class: 'unseen' }, ` ${title}`));
  const form = h('form', { 'aria-label': title }, element, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onCall(read());
  });
  const name = h('span', {}, ...iconOf(tool.icons), h('b', {}, title), ' ', h('code', {}, tool.name));
  const words = [h('p', {}, tool.description ?? ''), h('p', { class: 'note' }, hintsOf(tool))];
  return h('li', { 'data-tool': tool.name }, h('details', {}, h('summary', {}, name), ...words, form));
};
