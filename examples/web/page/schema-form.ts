import { h } from './dom.js';
import { choicesOf, selectField, severalField } from './choice.js';
import { type Asked, type Field, jsonField, numberField, schemaOf, switchField, textField } from './field.js';

/** The fields of a form, and what is filled in. */
export interface SchemaForm {
  readonly element: HTMLElement;
  readonly read: () => Readonly<Record<string, unknown>>;
}

const fieldOf = (asked: Asked): Field => {
  const { schema } = asked;
  const choices = choicesOf(schema);
  if (choices !== undefined) return selectField(asked, choices);
  if (schema.type === 'array') {
    const several = choicesOf(schemaOf(schema.items));
    return several === undefined ? jsonField(asked) : severalField(asked, several);
  }
  if (schema.type === 'string') return textField(asked);
  if (schema.type === 'number' || schema.type === 'integer') return numberField(asked);
  if (schema.type === 'boolean') return switchField(asked);
  return jsonField(asked);
};

/** A schema that says what there is in another way than by properties is filled in as JSON, whole. */
const wholeForm = (schema: object): SchemaForm => {
  const { element, read } = jsonField({ name: 'arguments', schema, isRequired: false });
  return { element, read: () => (read() ?? {}) as Readonly<Record<string, unknown>> };
};

/** A form for what a schema describes: the input of a tool, or what a server asks a person. */
export const schemaForm = (value: unknown): SchemaForm => {
  const schema = schemaOf(value);
  const properties = Object.entries(schemaOf(schema.properties) as Readonly<Record<string, unknown>>);
  if (properties.length === 0 && (Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf))) return wholeForm({});
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const fields = properties.map(([name, property]) => {
    const field = fieldOf({ name, schema: schemaOf(property), isRequired: required.includes(name) });
    return { name, ...field };
  });
  return {
    element: h('div', { class: 'fields' }, ...fields.map(({ element }) => element)),
    read: () =>
      Object.fromEntries(
        fields.map(({ name, read }) => [name, read()] as const).filter(([, filled]) => filled !== undefined),
      ),
  };
};
