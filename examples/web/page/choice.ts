import { h } from './dom.js';
import { type Asked, checked, emptied, type Field, labelled, numberOr, type Schema, schemaOf } from './field.js';
import { textOr } from './words.js';

interface Choice {
  readonly value: unknown;
  readonly title: string;
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** What there is to choose from, with the title of each; nothing where a schema gives no choice. */
export const choicesOf = (schema: Schema): readonly Choice[] | undefined => {
  const { enum: values, enumNames, oneOf, anyOf, const: only } = schema;
  if (Array.isArray(values) && values.length > 0) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value: unknown, at) => ({ value, title: textOr(names[at], wordsOf(value)) }));
  }
  if (only !== undefined) return [{ value: only, title: wordsOf(only) }];
  const titled: unknown = [oneOf, anyOf].find((list) => Array.isArray(list) && list.length > 0);
  if (!Array.isArray(titled) || !titled.every((one) => 'const' in schemaOf(one))) return undefined;
  return titled.map(schemaOf).map(({ const: value, title }) => ({ value, title: textOr(title, wordsOf(value)) }));
};

/** One of several. Nothing is chosen that was not offered as the default. */
export const selectField = (asked: Asked, choices: readonly Choice[]): Field => {
  const { name, schema, isRequired, isNullable = false } = asked;
  const select = h('select', { name, required: isRequired && !isNullable });
  const preset = schema.default === undefined ? -1 : choices.findIndex(({ value }) => isSame(value, schema.default));
  if (!isRequired || isNullable || preset === -1) select.append(h('option', { value: '' }, '–'));
  for (const [at, { title }] of choices.entries()) {
    select.append(h('option', { value: at, selected: at === preset }, title));
  }
  return {
    element: labelled(asked, select),
    read: () => (select.value === '' ? emptied(asked) : choices[Number(select.value)]?.value),
  };
};

/** Any of several. */
export const severalField = ({ name, schema, isRequired }: Asked, choices: readonly Choice[]): Field => {
  const preset: readonly unknown[] = Array.isArray(schema.default) ? schema.default : [];
  const least = numberOr(schema.minItems, 0);
  const most = numberOr(schema.maxItems, Infinity);
  const boxes = choices.map(({ value, title }) => {
    const box = h('input', { type: 'checkbox', name, checked: preset.includes(value) });
    return { value, box, label: h('label', { class: 'option' }, box, h('bdi', {}, title)) };
  });
  const chosen = (): readonly unknown[] => boxes.filter(({ box }) => box.checked).map(({ value }) => value);
  // None at all is an answer where it may be one, and was not so from the start.
  const isLeftOut = (): boolean =>
    chosen().length === 0 && !isRequired && (least > 0 || !Array.isArray(schema.default));
  const [first] = boxes;
  if (first !== undefined)
    checked(
      first.box,
      () => {
        const { length } = chosen();
        if (isLeftOut() || (length >= least && length <= most)) return undefined;
        return length < least ? `At least ${least} of these have to be chosen.` : `At most ${most} may be chosen.`;
      },
      boxes.map(({ box }) => box),
    );
  const legend = h('legend', {}, h('bdi', {}, textOr(schema.title, name)));
  const hint = h('small', { dir: 'auto' }, textOr(schema.description, ''));
  return {
    element: h('fieldset', { class: 'field' }, legend, ...boxes.map(({ label }) => label), hint),
    read: () => (isLeftOut() ? undefined : chosen()),
  };
};
