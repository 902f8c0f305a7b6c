import { choicesOf, selectField, severalField } from './choice.js';
import { h } from './dom.js';
import { type Asked, type Field, jsonField, type Schema, schemaOf, switchField } from './field.js';
import { numberField } from './number-field.js';
import { textField } from './text-field.js';
import { objectOf } from './words.js';

/** The fields of a form, and what is filled in. */
export interface SchemaForm {
  readonly element: HTMLElement;
  /** The value of each field by its name: `undefined` where it is left out. */
  readonly read: () => Readonly<Record<string, unknown>>;
}

const isNull = (schema: unknown): boolean => schemaOf(schema).type === 'null';

/** The schema of what there is besides null, where null may stand in its place. */
const withoutNull = (schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } => {
  const { type, anyOf, oneOf, ...rest } = schema;
  if (Array.isArray(type) && type.includes('null') && type.length === 2) {
    return { schema: { ...schema, type: type.find((one) => one !== 'null') as unknown }, isNullable: true };
  }
  const either: unknown = anyOf ?? oneOf;
  if (type !== undefined || !Array.isArray(either) || either.length !== 2 || !either.some(isNull)) {
    return { schema, isNullable: false };
  }
  return { schema: { ...schemaOf(either.find((one) => !isNull(one))), ...rest }, isNullable: true };
};

const fieldOf = (given: Asked): Field => {
  const { schema, isNullable } = withoutNull(given.schema);
  const asked: Asked = { ...given, schema, isNullable };
  const choices = choicesOf(schema);
  if (choices !== undefined) return selectField(asked, choices);
  if (schema.type === 'array') {
    const several = choicesOf(schemaOf(schema.items));
    return several === undefined || isNullable ? jsonField(asked) : severalField(asked, several);
  }
  if (schema.type === 'string') return textField(asked);
  if (schema.type === 'number' || schema.type === 'integer') return numberField(asked);
  if (schema.type !== 'boolean') return jsonField(asked);
  return isNullable
    ? selectField(asked, [
        { value: true, title: 'yes' },
        { value: false, title: 'no' },
      ])
    : switchField(asked);
};

/** Whether a schema says in another way than by properties what there may be. */
const hasMore = (
  { $ref, allOf, anyOf, oneOf, patternProperties, additionalProperties }: Schema,
  isAll: boolean,
): boolean =>
  $ref !== undefined ||
  allOf !== undefined ||
  patternProperties !== undefined ||
  (additionalProperties !== undefined && additionalProperties !== false) ||
  // Beside properties, these mostly say which of them go together.
  (isAll && (anyOf !== undefined || oneOf !== undefined));

/** A form for what a schema describes: the input of a tool, or what a server asks a person. */
export const schemaForm = (value: unknown): SchemaForm => {
  const schema = schemaOf(value);
  const properties = new Map(Object.entries(objectOf(schema.properties)));
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const isMore = hasMore(schema, properties.size === 0);
  // What has to be there and is not described may be anything; where there may be more, it goes there.
  if (!isMore)
    for (const name of required) if (typeof name === 'string' && !properties.has(name)) properties.set(name, {});
  const fields = [...properties].map(([name, property]) => ({
    name,
    ...fieldOf({ name, schema: schemaOf(property), isRequired: required.includes(name) }),
  }));
  const name = properties.size === 0 ? 'arguments' : 'more arguments';
  const isMissing = required.some((one) => typeof one === 'string' && !properties.has(one));
  const more = isMore ? jsonField({ name, schema: {}, isRequired: isMissing }, true) : undefined;
  const elements = [...fields, ...(more === undefined ? [] : [more])].map(({ element }) => element);
  return {
    element: h('div', { class: 'fields' }, ...elements),
    read: () =>
      Object.fromEntries([
        ...Object.entries(objectOf(more?.read())),
        ...fields.map(({ name, read }) => [name, read()] as const),
      ]),
  };
};

/** What was not left out. */
export const filledIn = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
