import { isObject } from '../../jsonrpc/index.js';
import { patternCost } from './pattern-cost.js';
import { sizeOf, TEXT } from './size-of.js';

/** How much one check may cost, in steps of about ten nanoseconds: some hundred milliseconds. */
const MAX_STEPS = 50_000_000;
/** What one value costs under one schema. */
const VISIT = 50;
/** What one value of an `enum` or a `const` costs: it is compared, and told where none fits. */
const MEMBER = 10;
/** What one step of a regular expression costs. */
const TRY = 2;
/** What it costs that a name is told in the place of what is wrong; and so much more for each of its characters. */
const PLACE = 50;
/** What it costs to look up a member that a schema names, and to tell of one that is required and not there. */
const NAMED = 15;
const REQUIRED = 35;
/** What each key of an object costs whenever a schema meets it; in a large one, which is a table to the engine, more. */
const KEY = 5;
const TABLE = 1_000;
const TABLE_KEY = 100;
/** What each key costs that a branch hands over as seen to. */
const SEEN = 30;
/** What is wrong inside is told at each level around it, too. */
const TOLD = 2;
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
  /** Sizes of what the schema compares with. */
  readonly #sizes = new WeakMap<object, number>();
  /** The keys of large objects: many a schema may meet the same one. */
  #keys = new Map<object, readonly string[]>();
  #steps = 0;
  /** In how many branches within each other it is: what is seen to is looked up in each. */
  #branches = 0;
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
    const most = MAX_STEPS / (this.#size * VISIT);
    if (this.#isPlain && sizeOf(value, most) <= most) return 'check';
    this.#steps = 0;
    this.#branches = 0;
    this.#isUnique = true;
    try {
      this.#visit(this.#schema, value, undefined);
    } catch (reason) {
      // It goes down call by call, as the validator does: what is too deep for it is too deep for that.
      if (reason instanceof TooMuch || reason instanceof RangeError) return 'too-much';
      if (reason instanceof TextTooLong) return 'text-too-long';
      throw reason;
    } finally {
      this.#keys = new Map();
    }
    return this.#isUnique ? 'check-unique' : 'check';
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new TooMuch();
  }

  /** What comparing with a part of the schema costs. */
  #compare(part: unknown): void {
    if (part === undefined) return;
    let size = typeof part === 'object' && part !== null ? this.#sizes.get(part) : sizeOf(part);
    if (size === undefined) {
      size = sizeOf(part);
      this.#sizes.set(part as object, size);
    }
    this.#spend(MEMBER * size);
  }

  #keysOf(members: Members): readonly string[] {
    const known = this.#keys.get(members);
    if (known !== undefined) return known;
    const keys = Object.keys(members);
    if (keys.length > TABLE / 10) this.#keys.set(members, keys);
    return keys;
  }

  /**
   * Tells how much there may be to tell of the value, at most.
   * @param outer what `$recursiveRef` leads to
   */
  #visit(schema: unknown, value: unknown, outer: Members | undefined): number {
    if (!isObject(schema)) return 1;
    this.#spend(VISIT + MEMBER * lengthOf(schema['type']));
    const isAnchor = schema['$recursiveAnchor'] === true;
    const root = outer ?? (isAnchor ? schema : undefined);
    this.#compare(schema['enum']);
    this.#compare(schema['const']);
    let told = 3 + this.#references(schema, value, root);
    for (const keyword of OWN) if (schema[keyword] !== undefined) told += this.#visit(schema[keyword], value, root);
    this.#branches += 1;
    for (const keyword of OWN_LISTS)
      for (const one of listOf(schema[keyword])) {
        if (isObject(value)) this.#spend(SEEN * this.#keysOf(value).length);
        told += this.#visit(one, value, isAnchor ? root : undefined);
      }
    this.#branches -= 1;
    if (typeof value === 'number' && schema['multipleOf'] !== undefined) this.#spend(DIVISION);
    if (typeof value === 'string') this.#text(schema, value);
    else if (Array.isArray(value)) told += this.#items(schema, value, root);
    else if (isObject(value)) told += this.#members(schema, value, root);
    this.#spend(TOLD * told);
    return told;
  }

  #references(schema: Members, value: unknown, root: Members | undefined): number {
    const { $ref, $recursiveRef } = schema;
    let told = 0;
    if ($ref !== undefined) {
      const uri = schema['__absolute_ref__'] ?? $ref;
      if (typeof uri === 'string') told += this.#visit(this.#lookup[uri], value, root);
    }
    if ($recursiveRef === '#') told += this.#visit(root ?? schema, value, root);
    return told;
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

  #items(schema: Members, items: readonly unknown[], root: Members | undefined): number {
    let told = 0;
    const visit = (one: unknown, item: unknown): void => {
      this.#spend(PLACE);
      told += 1 + this.#visit(one, item, root);
    };
    for (const keyword of ['prefixItems', 'items'] as const) {
      const each = listOf(schema[keyword]).slice(0, items.length);
      // Not the keyword of a list of schemas, but the validator would take an object for one.
      if (keyword === 'prefixItems' && isObject(schema[keyword])) throw new TooMuch();
      for (const [at, one] of each.entries()) visit(one, items[at]);
    }
    for (const keyword of FOR_ITEMS) {
      if (isObject(schema[keyword])) for (const item of items) visit(schema[keyword], item);
      else if (schema[keyword] === false) {
        this.#spend(2 * VISIT * items.length);
        told += 2 * items.length;
      }
    }
    const { uniqueItems } = schema;
    // Whatever is true to the validator.
    if (![undefined, null, false, 0, ''].includes(uniqueItems as never)) this.#unique(items, uniqueItems === true);
    return told;
  }

  #unique(items: readonly unknown[], isPlain: boolean): void {
    this.#spend(MEMBER * items.length);
    const isEasy = items.every((item) => typeof item !== 'object' || item === null);
    if (isPlain && isEasy && new Set(items).size === items.length) return;
    this.#isUnique = false;
    // Each is compared with each, and of objects every member.
    this.#spend(items.length * (isEasy ? items.length : sizeOf(items, MAX_STEPS) * MEMBER));
  }

  #members(schema: Members, members: Members, root: Members | undefined): number {
    const keys = this.#keysOf(members);
    const required = lengthOf(schema['required']);
    this.#spend(keys.length * (keys.length > TABLE ? TABLE_KEY : KEY) + REQUIRED * required);
    let told = required;
    for (const keyword of OWN_BY_KEY) {
      const byKey = Object.entries(membersOf(schema[keyword]));
      this.#spend(NAMED * byKey.length);
      for (const [key, one] of byKey) {
        if (!Object.hasOwn(members, key)) continue;
        if (!isObject(one)) told += this.#required(one);
        else told += 1 + this.#visit(one, members, root);
      }
    }
    for (const one of Object.values(membersOf(schema['dependentRequired']))) told += this.#required(one);
    if (schema['propertyNames'] !== undefined)
      for (const key of keys) told += 1 + this.#member(schema['propertyNames'], key, key, root);
    return told + this.#properties(schema, members, keys, root);
  }

  #required(names: unknown): number {
    this.#spend(NAMED + REQUIRED * lengthOf(names));
    return lengthOf(names);
  }

  /** One that is told by its name. */
  #member(schema: unknown, key: string, member: unknown, root: Members | undefined): number {
    this.#spend(PLACE + key.length);
    return 1 + this.#visit(schema, member, root);
  }

  #properties(schema: Members, members: Members, keys: readonly string[], root: Members | undefined): number {
    let told = 0;
    const properties = membersOf(schema['properties']);
    const named = Object.entries(properties);
    this.#spend(NAMED * named.length);
    for (const [key, one] of named) {
      if (Object.hasOwn(members, key)) told += this.#member(one, key, members[key], root);
    }
    for (const [pattern, one] of Object.entries(membersOf(schema['patternProperties']))) {
      for (const key of keys) {
        this.#try(pattern, key);
        told += this.#member(one, key, members[key], root);
      }
    }
    for (const keyword of FOR_MEMBERS) {
      const one = schema[keyword];
      if (one === undefined || one === true) continue;
      for (const key of keys) {
        // The first is not for those that have a schema of their own.
        if (keyword === 'additionalProperties' && Object.hasOwn(properties, key)) continue;
        this.#spend(VISIT + this.#branches);
        told += this.#member(one, key, members[key], root);
      }
    }
    return told;
  }
}
