import { h } from './dom.js';
import { type Asked, type Field, labelled, type Schema, schemaOf, textOr } from './field.js';

interface Choice {
  readonly value: unknown;
  readonly title: string;
}

/** What there is to choose from, with the title of each; nothing where a schema gives no choice. */
export const choicesOf = ({ enum: values, enumNames, oneOf, anyOf }: Schema): readonly Choice[] | undefined => {
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value: unknown, at) => ({ value, title: textOr(names[at], String(value)) }));
  }
  const titled = [oneOf, anyOf].find((list) => Array.isArray(list)) as readonly { const?: unknown }[] | undefined;
  if (titled === undefined || !titled.every((one) => 'const' in schemaOf(one))) return undefined;
  return titled.map((one) => ({ value: one.const, title: textOr(schemaOf(one).title, String(one.const)) }));
};

/** One of several. */
export const selectField = (asked: Asked, choices: readonly Choice[]): Field => {
  const { name, schema, isRequired } = asked;
  const select = h('select', { name, required: isRequired });
  if (!isRequired || schema.default === undefined) select.append(h('option', { value: '' }, '–'));
  for (const [at, { value, title }] of choices.entries()) {
    select.append(h('option', { value: at, selected: value === schema.default }, title));
  }
  return {
    element: labelled(asked, select),
    read: () => (select.value === '' ? undefined : choices[Number(select.value)]?.value),
  };
};

/** Any of several. */
export const severalField = ({ name, schema, isRequired }: Asked, choices: readonly Choice[]): Field => {
  const chosen: readonly unknown[] = Array.isArray(schema.default) ? schema.default : [];
  const boxes = choices.map(({ value, title }) => {
    const box = h('input', { type: 'checkbox', name, checked: chosen.includes(value) });
    return { value, box, label: h('label', { class: 'option' }, box, title) };
  });
  const legend = h('legend', {}, textOr(schema.title, name));
  const hint = h('small', {}, textOr(schema.description, ''));
  return {
    element: h('fieldset', { class: 'field' }, legend, ...boxes.map(({ label }) => label), hint),
    read: () => {
      const values = boxes.filter(({ box }) => box.checked).map(({ value }) => value);
      return values.length === 0 && !isRequired ? undefined : values;
    },
  };
};
