import { isObject } from '../../jsonrpc/index.js';
import { patternCost } from './pattern-cost.js';

/** How much one check may cost, in steps of about ten nanoseconds: some hundred milliseconds. */
const MAX_STEPS = 50_000_000;
/** What one value costs under one schema. */
const VISIT = 50;
/** What one value of an `enum` or a `const` costs: it is compared, and told where none fits. */
const MEMBER = 10;
/** What one step of a regular expression costs. */
const TRY = 2;
/** So many characters of a text cost a step. */
const TEXT = 16;
/** What it costs to divide a number exactly. */
const DIVISION = 500;

/** The longest text a pattern is tried on. */
const MAX_TEXT = 5_000;
/** How many steps a pattern may take on one text. */
const MAX_TRIES = 5_000_000;

/** The schemas of a document by their URIs, as the validator finds them. */
export type Lookup = Readonly<Record<string, unknown>>;

/** What to do with a value, by what checking it would cost. */
export type Verdict =
  | 'check'
  /** The same, and `uniqueItems` holds wherever it is asked for: to compare each item with each would take long. */
  | 'check-unique'
  /** A pattern may take for ever on a text of it. */
  | 'text-too-long'
  /** It would take too long. */
  | 'too-much';

class TooMuch extends Error {}
class TextTooLong extends Error {}

type Members = Readonly<Record<string, unknown>>;

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return 1 + value.length / TEXT;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [key, member]) => sum + key.length / TEXT + sizeOf(member), 1);
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
/** Of a list, too: the validator makes no difference. */
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
/** Of a list or a text: the validator goes through either. */
const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? (value as readonly unknown[]).length : 0;

/** Keywords whose schemas are for the value itself. */
const OWN = ['not', 'if', 'then', 'else'] as const;
const OWN_LISTS = ['anyOf', 'allOf', 'oneOf'] as const;
const OWN_BY_KEY = ['dependentSchemas', 'dependencies'] as const;
/** Those for every member of an object, and for every item of a list. */
const FOR_MEMBERS = ['additionalProperties', 'unevaluatedProperties'] as const;
const FOR_ITEMS = ['items', 'additionalItems', 'contains', 'unevaluatedItems'] as const;

/**
 * Says what a check would cost before it is made: the schema and the value are both a stranger's, and a small schema can
 * make the work for a small value endless. It goes through both as the validator does, and stops as soon as it is too much.
 */
export class Effort {
  readonly #schema: unknown;
  readonly #lookup: Lookup;
  readonly #size: number;
  /** Whether nothing in the schema costs more than its size says. */
  readonly #isPlain: boolean;
  readonly #costs = new Map<string, (length: number) => number>();
  #steps = 0;
  #isUnique = true;

  /** @param isPlain whether the schema has neither references, nor patterns, nor `uniqueItems` */
  constructor(schema: unknown, lookup: Lookup, isPlain: boolean) {
    this.#schema = schema;
    this.#lookup = lookup;
    this.#size = isPlain ? sizeOf(schema) : 0;
    this.#isPlain = isPlain;
  }

  verdict(value: unknown): Verdict {
    // Without those each schema meets each value once at most.
    if (this.#isPlain && this.#size * sizeOf(value) * VISIT <= MAX_STEPS) return 'check';
    this.#steps = 0;
    this.#isUnique = true;
    try {
      this.#visit(this.#schema, value, undefined);
    } catch (reason) {
      if (reason instanceof TooMuch) return 'too-much';
      if (reason instanceof TextTooLong) return 'text-too-long';
      throw reason;
    }
    return this.#isUnique ? 'check-unique' : 'check';
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new TooMuch();
  }

  /** @param outer what `$recursiveRef` leads to */
  #visit(schema: unknown, value: unknown, outer: Members | undefined): void {
    if (!isObject(schema)) return;
    this.#spend(VISIT + MEMBER * lengthOf(schema['type']));
    const isAnchor = schema['$recursiveAnchor'] === true;
    const root = outer ?? (isAnchor ? schema : undefined);
    this.#references(schema, value, root);
    if (schema['enum'] !== undefined) this.#spend(MEMBER * sizeOf(schema['enum']));
    if (schema['const'] !== undefined) this.#spend(MEMBER * sizeOf(schema['const']));
    for (const keyword of OWN) this.#visit(schema[keyword], value, root);
    for (const keyword of OWN_LISTS)
      for (const one of listOf(schema[keyword])) this.#visit(one, value, isAnchor ? root : undefined);
    if (typeof value === 'number' && schema['multipleOf'] !== undefined) this.#spend(DIVISION);
    if (typeof value === 'string') this.#text(schema, value);
    else if (Array.isArray(value)) this.#items(schema, value, root);
    else if (isObject(value)) this.#members(schema, value, root);
  }

  #references(schema: Members, value: unknown, root: Members | undefined): void {
    const { $ref, $recursiveRef } = schema;
    if ($ref !== undefined) {
      const uri = schema['__absolute_ref__'] ?? $ref;
      if (typeof uri === 'string') this.#visit(this.#lookup[uri], value, root);
    }
    if ($recursiveRef === '#') this.#visit(root ?? schema, value, root);
  }

  #text({ pattern, minLength, maxLength, format }: Members, text: string): void {
    if (minLength !== undefined || maxLength !== undefined || format !== undefined) this.#spend(text.length / TEXT);
    if (typeof pattern === 'string') this.#try(pattern, text);
  }

  #try(pattern: string, text: string): void {
    if (text.length > MAX_TEXT) throw new TextTooLong();
    let cost = this.#costs.get(pattern);
    if (cost === undefined) {
      cost = patternCost(pattern);
      this.#costs.set(pattern, cost);
    }
    const tries = cost(text.length);
    if (tries > MAX_TRIES) throw new TextTooLong();
    this.#spend(pattern.length + tries * TRY);
  }

  #items(schema: Members, items: readonly unknown[], root: Members | undefined): void {
    for (const keyword of ['prefixItems', 'items'] as const) {
      const each = listOf(schema[keyword]).slice(0, items.length);
      // Not the keyword of a list of schemas, but the validator would take an object for one.
      if (keyword === 'prefixItems' && isObject(schema[keyword])) throw new TooMuch();
      for (const [at, one] of each.entries()) this.#visit(one, items[at], root);
    }
    for (const keyword of FOR_ITEMS) {
      if (isObject(schema[keyword])) for (const item of items) this.#visit(schema[keyword], item, root);
      else if (schema[keyword] === false) this.#spend(VISIT * items.length);
    }
    const { uniqueItems } = schema;
    // Whatever is true to the validator.
    if (![undefined, null, false, 0, ''].includes(uniqueItems as never)) this.#unique(items, uniqueItems === true);
  }

  #unique(items: readonly unknown[], isPlain: boolean): void {
    this.#spend(items.length);
    const isEasy = items.every((item) => typeof item !== 'object' || item === null);
    if (isPlain && isEasy && new Set(items).size === items.length) return;
    this.#isUnique = false;
    // Each is compared with each, and of objects every member.
    this.#spend(items.length * (isEasy ? items.length : sizeOf(items) * MEMBER));
  }

  #members(schema: Members, members: Members, root: Members | undefined): void {
    const keys = Object.keys(members);
    this.#spend(keys.length + MEMBER * lengthOf(schema['required']));
    for (const keyword of OWN_BY_KEY) {
      const byKey = Object.entries(membersOf(schema[keyword]));
      this.#spend(byKey.length);
      for (const [key, one] of byKey) {
        if (!Object.hasOwn(members, key)) continue;
        if (!isObject(one)) this.#spend(MEMBER * lengthOf(one));
        else this.#visit(one, members, root);
      }
    }
    for (const one of Object.values(membersOf(schema['dependentRequired']))) this.#spend(1 + MEMBER * lengthOf(one));
    if (schema['propertyNames'] !== undefined) for (const key of keys) this.#visit(schema['propertyNames'], key, root);
    this.#properties(schema, members, keys, root);
  }

  #properties(schema: Members, members: Members, keys: readonly string[], root: Members | undefined): void {
    const properties = membersOf(schema['properties']);
    this.#spend(Object.keys(properties).length);
    for (const [key, one] of Object.entries(properties)) {
      if (Object.hasOwn(members, key)) this.#visit(one, members[key], root);
    }
    for (const [pattern, one] of Object.entries(membersOf(schema['patternProperties']))) {
      for (const key of keys) {
        this.#try(pattern, key);
        this.#visit(one, members[key], root);
      }
    }
    for (const keyword of FOR_MEMBERS) {
      const one = schema[keyword];
      if (one === undefined || one === true) continue;
      for (const key of keys) {
        // The first is not for those that have a schema of their own.
        if (keyword === 'additionalProperties' && Object.hasOwn(properties, key)) continue;
        this.#spend(VISIT);
        this.#visit(one, members[key], root);
      }
    }
  }
}
