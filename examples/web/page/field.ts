import { freshId, h } from './dom.js';

/** JSON Schema, as far as a form cares. */
export interface Schema {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly default?: unknown;
  readonly enum?: unknown;
  readonly enumNames?: unknown;
  readonly oneOf?: unknown;
  readonly anyOf?: unknown;
  readonly items?: unknown;
  readonly properties?: unknown;
  readonly required?: unknown;
  readonly format?: unknown;
  readonly pattern?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly minLength?: unknown;
  readonly maxLength?: unknown;
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
}

/** A schema, if it is one. */
export const schemaOf = (value: unknown): Schema => (typeof value === 'object' && value !== null ? value : {});

/** Text where there is text. */
export const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** A label above, and what there is to know below. */
export const labelled = ({ name, schema, isRequired }: Asked, control: HTMLElement): HTMLElement => {
  const id = freshId();
  const hint = h('small', { id: `${id}-hint` }, textOr(schema.description, ''));
  control.id = id;
  if (hint.textContent !== '') control.setAttribute('aria-describedby', hint.id);
  const label = h('label', { for: id }, textOr(schema.title, name), isRequired ? '' : h('i', {}, ' (may be left out)'));
  return h('div', { class: 'field' }, label, control, hint);
};

const TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
};

/** A date and a time as an input has them: local, and without a zone. */
const localTime = (value: string): string => {
  const at = new Date(value);
  return Number.isNaN(at.getTime())
    ? ''
    : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** A line of text, a date, an address. */
export const textField = (asked: Asked): Field => {
  const { name, schema, isRequired } = asked;
  const isTime = schema.format === 'date-time';
  const input = h('input', {
    name,
    type: TYPES[textOr(schema.format, '')] ?? 'text',
    required: isRequired,
    minlength: numberOr(schema.minLength),
    maxlength: numberOr(schema.maxLength),
    pattern: textOr(schema.pattern, undefined),
    autocomplete: 'off',
  });
  const preset = textOr(schema.default, '');
  input.value = isTime ? localTime(preset) : preset;
  const read = (): string | undefined => {
    if (input.value === '' && !(isRequired && schema.minLength === undefined)) return undefined;
    return isTime && input.value !== '' ? new Date(input.value).toISOString() : input.value;
  };
  return { element: labelled(asked, input), read };
};

/** A number. */
export const numberField = (asked: Asked): Field => {
  const { name, schema, isRequired } = asked;
  const input = h('input', {
    name,
    type: 'number',
    required: isRequired,
    min: numberOr(schema.minimum),
    max: numberOr(schema.maximum),
    step: schema.type === 'integer' ? 1 : 'any',
  });
  input.value = String(numberOr(schema.default) ?? '');
  return { element: labelled(asked, input), read: () => (input.value === '' ? undefined : input.valueAsNumber) };
};

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

/** Anything that has no field of its own, as JSON. */
export const jsonField = (asked: Asked): Field => {
  const { name, schema, isRequired } = asked;
  const area = h('textarea', { name, rows: 3, required: isRequired, spellcheck: 'false' });
  area.value = schema.default === undefined ? '' : JSON.stringify(schema.default, null, 2);
  const check = (): void => {
    try {
      if (area.value !== '') JSON.parse(area.value);
      area.setCustomValidity('');
    } catch {
      area.setCustomValidity('This is not JSON.');
    }
  };
  area.addEventListener('input', check);
  const titled = { ...asked, schema: { ...schema, title: `${textOr(schema.title, name)}, as JSON` } };
  return {
    element: labelled(titled, area),
    read: () => (area.value === '' ? undefined : (JSON.parse(area.value) as unknown)),
  };
};
