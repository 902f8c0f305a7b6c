import { isObject } from '../../jsonrpc/index.js';
import type { ElicitRequestFormParams } from '../../protocol/schemas/index.js';
import { oneLine } from '../text/clean.js';

/** A value that a form can hold. */
export type FieldValue = string | number | boolean | string[];

/** One of the values that a field can have. */
export interface Choice {
  readonly value: string;
  /** Its name for people. */
  readonly label: string;
}

/** A field of a form that a server wants filled in, as it is asked for. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly type: string;
  readonly required: boolean;
  readonly default: FieldValue | undefined;
  readonly choices: readonly Choice[] | undefined;
  /** Whether several of the choices may be taken. */
  readonly several: boolean;
  /** What a value must be like, in few words. */
  readonly hints: readonly string[];
  /** What the server says of it. */
  readonly schema: unknown;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && oneLine(value) !== '' ? oneLine(value) : undefined;

const choicesOf = (schema: Readonly<Record<string, unknown>>): readonly Choice[] | undefined => {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : undefined;
  if (titled !== undefined) {
    return titled.flatMap((one: unknown) =>
      isObject(one) && typeof one['const'] === 'string'
        ? [{ value: one['const'], label: text(one['title']) ?? oneLine(one['const']) }]
        : [],
    );
  }
  if (!Array.isArray(values)) return undefined;
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  return values.flatMap((value: unknown, index) =>
    typeof value === 'string' ? [{ value, label: text(names[index]) ?? oneLine(value) }] : [],
  );
};

const hintsOf = (schema: Readonly<Record<string, unknown>>, type: string): readonly string[] => {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format } = schema;
  const range = (least: unknown, most: unknown, unit: string): readonly string[] => {
    if (typeof least === 'number' && typeof most === 'number') return [`${least} to ${most}${unit}`];
    if (typeof least === 'number') return [`at least ${least}${unit}`];
    return typeof most === 'number' ? [`at most ${most}${unit}`] : [];
  };
  return [
    ...(type === 'number' ? ['a number'] : type === 'integer' ? ['a whole number'] : []),
    ...(typeof format === 'string' ? [oneLine(format)] : []),
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...range(minItems, maxItems, ' of them'),
  ];
};

const isValue = (value: unknown): value is FieldValue =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'));

/** The fields of a form, in its order. What a stranger's schema may hold beside them is left out. */
export const fieldsOf = (schema: ElicitRequestFormParams['requestedSchema']): readonly Field[] => {
  const { properties, required }: { readonly properties?: unknown; readonly required?: unknown } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const own = isObject(property) ? property : {};
    const type = text(own['type']) ?? 'string';
    const several = type === 'array';
    const items = isObject(own['items']) ? own['items'] : {};
    return {
      name,
      title: text(own['title']) ?? oneLine(name),
      description: text(own['description']),
      type,
      required: needed.includes(name),
      default: isValue(own['default']) ? own['default'] : undefined,
      choices: choicesOf(several ? items : own),
      several,
      hints: hintsOf(own, type),
      schema: property,
    };
  });
};

/** What became of what was typed: a value, nothing, or a reason to ask again. */
export type Reading = { readonly value: FieldValue | undefined } | { readonly problem: string };

const pick = (typed: string, choices: readonly Choice[]): string | undefined => {
  const wanted = typed.trim();
  const exact = choices.find(({ value }) => value === wanted);
  const numbered = /^\d+$/.test(wanted) ? choices[Number(wanted) - 1] : undefined;
  const low = wanted.toLowerCase();
  const near = choices.find(({ value, label }) => value.toLowerCase() === low || label.toLowerCase() === low);
  return (exact ?? numbered ?? near)?.value;
};

const YES = /^(?:y|yes|true|1|on)$/i;
const NO = /^(?:n|no|false|0|off)$/i;

/** Reads what was typed for a field. An empty line is its default, or leaves it out where it need not be there. */
export const readField = (field: Field, typed: string): Reading => {
  const { choices, type, several } = field;
  if (typed.trim() === '') {
    if (field.default !== undefined || !field.required) return { value: field.default };
    return { problem: `${field.title} must be filled in` };
  }
  if (choices !== undefined && several) {
    const picked = typed.split(',').map((one) => pick(one, choices));
    const found = picked.filter((one) => one !== undefined);
    if (found.length < picked.length) return { problem: 'give numbers from the list, with commas between them' };
    return { value: [...new Set(found)] };
  }
  if (choices !== undefined) {
    const value = pick(typed, choices);
    return value === undefined ? { problem: 'give a number from the list' } : { value };
  }
  if (several) return { value: typed.split(',').map((one) => one.trim()) };
  if (type === 'boolean') {
    if (YES.test(typed.trim())) return { value: true };
    return NO.test(typed.trim()) ? { value: false } : { problem: 'answer yes or no' };
  }
  if (type === 'number' || type === 'integer') {
    const value = Number(typed.trim());
    const fits = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
    return fits ? { value } : { problem: `give a ${type === 'integer' ? 'whole ' : ''}number` };
  }
  return { value: typed };
};

/** A value as it is shown. */
export const valueText = (value: FieldValue | undefined, choices: readonly Choice[] | undefined): string => {
  if (value === undefined) return '(left out)';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const label = (one: string): string => choices?.find((choice) => choice.value === one)?.label ?? oneLine(one);
  return (Array.isArray(value) ? value : [String(value)]).map(label).join(', ');
};
