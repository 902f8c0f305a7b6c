import type { Tool } from 'rx-mcp';
import { h } from './dom.js';
import { iconOf } from './picture.js';
import { filledIn, schemaForm } from './schema-form.js';
import { clipped, objectOf, textOr } from './words.js';

type OnCall = (args: Readonly<Record<string, unknown>>) => void;

/** What a tool says of itself, in words. It is a hint, and may be wrong. */
const hintsOf = ({ annotations }: Tool): string => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = objectOf(annotations);
  const hints = [
    readOnlyHint === true ? 'only reads' : undefined,
    destructiveHint === true ? 'may destroy' : undefined,
    idempotentHint === true ? 'may be repeated' : undefined,
    openWorldHint === true ? 'reaches outside' : undefined,
  ];
  return hints.filter((hint) => hint !== undefined).join(', ');
};

/** A form made of the schema of a tool; words in its place where it is of no use. */
const formOf = (tool: Tool, title: string, onCall: OnCall): HTMLElement => {
  try {
    const { element, read } = schemaForm(tool.inputSchema);
    const submit = h('button', { type: 'submit' }, 'Call', h('span', { class: 'unseen' }, ` ${title}`));
    const form = h('form', { 'aria-label': title });
    // Before its fields are in it: a field hides the method of the form that has its name.
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      onCall(filledIn(read()));
    });
    form.append(element, submit);
    return form;
  } catch (reason) {
    return h('p', { class: 'error' }, `This tool cannot be used: its schema is of no use (${String(reason)}).`);
  }
};

/** What to call a tool. */
export const titleOf = ({ title, name }: Tool): string => clipped(textOr(title, name), 200);

/**
 * One tool of the list, with a form made of its schema as soon as it is opened. `onCall` hears what is filled in, as often
 * as it is sent. What is wrong with one tool does no harm to the others.
 */
export const toolItem = (tool: Tool, onCall: OnCall): HTMLElement => {
  const title = titleOf(tool);
  const name = h('span', {}, ...iconOf(tool.icons), h('b', {}, h('bdi', {}, title)), ' ', h('code', {}, tool.name));
  const description = h('p', { dir: 'auto' }, clipped(textOr(tool.description, ''), 10_000));
  const details = h('details', {}, h('summary', {}, name), description, h('p', { class: 'note' }, hintsOf(tool)));
  // Most of a long list are never opened.
  details.addEventListener('toggle', () => details.append(formOf(tool, title, onCall)), { once: true });
  return h('li', { 'data-tool': tool.name }, details);
};
