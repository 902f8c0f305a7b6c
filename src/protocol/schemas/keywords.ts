import { isObject } from '../../jsonrpc/index.js';

export type Members = Readonly<Record<string, unknown>>;
export type Test<T> = (value: T) => boolean;

/** What only the validator knows. */
export class Unknown extends Error {}

/** What the tests of a schema are made with. */
export interface Making {
  /** The test of a schema. Throws {@link Unknown} where the validator has to be asked. */
  readonly test: (schema: unknown) => Test<unknown>;
  /** The test of the schema that one refers to. */
  readonly referred: (schema: Members) => Test<unknown>;
  /** Counts what a check does, and throws {@link Unknown} once that is too much. */
  readonly spend: (steps: number) => void;
  /** The validator's. */
  readonly formats: Readonly<Record<string, Test<string>>>;
}

/** So many characters of a text are a step. */
const TEXT = 64;

export const listOf = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Unknown();
  return value;
};

export const all = <T>(tests: readonly Test<T>[], value: T): boolean => {
  for (const test of tests) if (!test(value)) return false;
  return true;
};

/** A test by a keyword whose value is a number; none where it is not there. */
const bounded = <T>(schema: Members, keyword: string, test: (value: T, bound: number) => boolean): Test<T>[] => {
  const bound = schema[keyword];
  if (bound === undefined) return [];
  if (typeof bound !== 'number') throw new Unknown();
  return [(value) => test(value, bound)];
};

const oneOf = (values: readonly unknown[], spend: Making['spend']): Test<unknown> => {
  if (values.some((value) => typeof value === 'object' && value !== null)) throw new Unknown();
  const set = new Set(values);
  return (value) => {
    if (typeof value === 'string') spend(value.length / TEXT);
    return set.has(value);
  };
};

/** Tests of a value, whatever it is. */
export const wholeTests = (schema: Members, { test, referred, spend }: Making): readonly Test<unknown>[] => {
  const tests: Test<unknown>[] = [];
  if (schema['$ref'] !== undefined) tests.push(referred(schema));
  if (schema['const'] !== undefined) tests.push(oneOf([schema['const']], spend));
  if (schema['enum'] !== undefined) tests.push(oneOf(listOf(schema['enum']), spend));
  const each = (keyword: string, made: (tests: readonly Test<unknown>[]) => Test<unknown>): void => {
    if (schema[keyword] !== undefined) tests.push(made(listOf(schema[keyword]).map((one) => test(one))));
  };
  each('allOf', (every) => (value) => all(every, value));
  each('anyOf', (any) => (value) => any.some((one) => one(value)));
  if (schema['not'] !== undefined) {
    const not = test(schema['not']);
    tests.push((value) => !not(value));
  }
  each('oneOf', (any) => (value) => any.filter((one) => one(value)).length === 1);
  return tests;
};

/** How long a text is in characters, as the validator counts them: a pair of surrogates is one. */
const lengthOf = (text: string): number => {
  let length = text.length;
  for (let at = 0; at + 1 < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xd800 || (text.charCodeAt(at + 1) & 0xfc00) !== 0xdc00) continue;
    length -= 1;
    at += 1;
  }
  return length;
};

export const textTests = (schema: Members, { spend, formats }: Making): readonly Test<string>[] => {
  const tests = [
    ...bounded<string>(schema, 'minLength', (text, least) => lengthOf(text) >= least),
    ...bounded<string>(schema, 'maxLength', (text, most) => lengthOf(text) <= most),
  ];
  const { format } = schema;
  if (format !== undefined) {
    if (typeof format !== 'string' || (format in formats && !Object.hasOwn(formats, format))) throw new Unknown();
    // One that the validator does not know says nothing.
    const test = formats[format];
    if (test !== undefined) tests.push((text) => test(text));
  }
  if (tests.length === 0) return tests;
  return [
    (text) => {
      spend(text.length / TEXT);
      return all(tests, text);
    },
  ];
};

export const numberTests = (schema: Members): readonly Test<number>[] => [
  ...bounded<number>(schema, 'minimum', (value, least) => value >= least),
  ...bounded<number>(schema, 'maximum', (value, most) => value <= most),
  ...bounded<number>(schema, 'exclusiveMinimum', (value, bound) => value > bound),
  ...bounded<number>(schema, 'exclusiveMaximum', (value, bound) => value < bound),
];

export const listTests = (schema: Members, { test, spend }: Making): readonly Test<readonly unknown[]>[] => {
  const tests = [
    ...bounded<readonly unknown[]>(schema, 'minItems', (items, least) => items.length >= least),
    ...bounded<readonly unknown[]>(schema, 'maxItems', (items, most) => items.length <= most),
  ];
  const { prefixItems, items: rest = true } = schema;
  const first = prefixItems === undefined ? [] : listOf(prefixItems).map((one) => test(one));
  const other = test(rest);
  if (first.length === 0 && rest === true) return tests;
  return [
    ...tests,
    (items) => {
      spend(items.length);
      // By their places: one that is not there is to be seen as well.
      for (let at = 0; at < items.length; at += 1) if (!(first[at] ?? other)(items[at])) return false;
      return true;
    },
  ];
};

export const objectTests = (schema: Members, { test, spend }: Making): readonly Test<Members>[] => {
  const { required, properties = {}, propertyNames, additionalProperties = true } = schema;
  const keysOf = (members: Members): readonly string[] => {
    const keys = Object.keys(members);
    spend(keys.length);
    return keys;
  };
  const tests = [
    ...bounded<Members>(schema, 'minProperties', (members, least) => keysOf(members).length >= least),
    ...bounded<Members>(schema, 'maxProperties', (members, most) => keysOf(members).length <= most),
  ];
  if (required !== undefined) {
    const names = listOf(required) as readonly string[];
    tests.push((members) => {
      spend(names.length);
      return names.every((name) => Object.hasOwn(members, name));
    });
  }
  if (!isObject(properties)) throw new Unknown();
  const named = Object.entries(properties).map(([name, one]) => [name, test(one)] as const);
  if (named.length > 0)
    tests.push((members) => {
      spend(named.length);
      for (const [name, one] of named) if (Object.hasOwn(members, name) && !one(members[name])) return false;
      return true;
    });
  if (propertyNames !== undefined) {
    const isName = test(propertyNames);
    tests.push((members) => keysOf(members).every(isName));
  }
  if (additionalProperties !== true) {
    const other = test(additionalProperties);
    tests.push((members) => keysOf(members).every((key) => Object.hasOwn(properties, key) || other(members[key])));
  }
  return tests;
};
