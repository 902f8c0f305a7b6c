import { freshId, h } from './dom.js';
import { textOr } from './words.js';

/** JSON Schema, as far as a form cares. */
export interface Schema {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: unknown;
  readonly enumNames?: unknown;
  readonly oneOf?: unknown;
  readonly anyOf?: unknown;
  readonly allOf?: unknown;
  readonly items?: unknown;
  readonly properties?: unknown;
  readonly patternProperties?: unknown;
  readonly additionalProperties?: unknown;
  readonly required?: unknown;
  readonly format?: unknown;
  readonly pattern?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly exclusiveMinimum?: unknown;
  readonly exclusiveMaximum?: unknown;
  readonly multipleOf?: unknown;
  readonly minLength?: unknown;
  readonly maxLength?: unknown;
  readonly minItems?: unknown;
  readonly maxItems?: unknown;
  readonly $ref?: unknown;
}

/** What a person can fill in, and how it is read: `undefined` where it is left out. */
export interface Field {
  readonly element: HTMLElement;
  readonly read: () => unknown;
}

/** One value of a property, with its label and its description. */
export interface Asked {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Whether null may stand in its place. */
  readonly isNullable?: boolean;
}

/** A schema, if it is one. */
export const schemaOf = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** A number where there is a number. */
export const numberOr = <T>(value: unknown, otherwise: T): number | T =>
  typeof value === 'number' ? value : otherwise;

/** A label above, and what there is to know below. */
export const labelled = ({ name, schema, isRequired }: Asked, control: HTMLElement): HTMLElement => {
  const id = freshId();
  const hint = h('small', { id: `${id}-hint`, dir: 'auto' }, textOr(schema.description, ''));
  control.id = id;
  if (hint.textContent !== '') control.setAttribute('aria-describedby', hint.id);
  const title = h('bdi', {}, textOr(schema.title, name));
  const label = h('label', { for: id }, title, isRequired ? '' : h('i', {}, ' (may be left out)'));
  return h('div', { class: 'field' }, label, control, hint);
};

/** What a person is told of what they filled in; nothing where it will do. */
export type Complaint = string | undefined;

/** Has a control say what is wrong with it, at once and with each change. */
export const checked = (
  control: HTMLInputElement | HTMLTextAreaElement,
  complain: () => Complaint,
  changing: readonly HTMLElement[] = [control],
): void => {
  const check = (): void => control.setCustomValidity(complain() ?? '');
  for (const one of changing) {
    one.addEventListener('input', check);
    one.addEventListener('change', check);
  }
  check();
};

/** What is left out, or emptied: null where that may stand for it, and has to. */
export const emptied = ({ schema, isRequired, isNullable = false }: Asked): null | undefined =>
  isNullable && (isRequired || (schema.default !== undefined && schema.default !== null)) ? null : undefined;

/** A switch. One that nobody has touched, and that need not be there, is left out. */
export const switchField = (asked: Asked): Field => {
  const { name, schema, isRequired } = asked;
  const input = h('input', { name, type: 'checkbox' });
  input.checked = schema.default === true;
  let isKnown = isRequired || schema.default !== undefined;
  input.addEventListener('change', () => (isKnown = true));
  const element = labelled(asked, input);
  element.classList.add('switch');
  return { element, read: () => (isKnown ? input.checked : undefined) };
};

/**
 * Anything that has no field of its own, as JSON.
 * @param isWhole whether it has to be an object
 */
export const jsonField = (asked: Asked, isWhole = false): Field => {
  const { name, schema, isRequired } = asked;
  const area = h('textarea', { name, rows: 3, required: isRequired, spellcheck: 'false' });
  area.value = schema.default === undefined ? '' : JSON.stringify(schema.default, null, 2);
  checked(area, () => {
    if (area.value.trim() === '') return isRequired ? 'This has to be filled in.' : undefined;
    try {
      const value = JSON.parse(area.value) as unknown;
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isWhole && !isObject ? 'This has to be an object: { … }' : undefined;
    } catch {
      return 'This is not JSON.';
    }
  });
  const titled = { ...asked, schema: { ...schema, title: `${textOr(schema.title, name)}, as JSON` } };
  return {
    element: labelled(titled, area),
    read: () => (area.value.trim() === '' ? undefined : (JSON.parse(area.value) as unknown)),
  };
};
