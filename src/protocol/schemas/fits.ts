import type { SchemaDraft } from '@cfworker/json-schema';
import { isObject } from '../../jsonrpc/index.js';
import type { Lookup } from './effort.js';
import {
  all,
  listOf,
  listTests,
  type Making,
  type Members,
  numberTests,
  objectTests,
  type Test,
  textTests,
  Unknown,
  wholeTests,
} from './keywords.js';

/** How many schemas may meet values, and how many keys be looked up, in one check: some ten milliseconds. */
const MAX_STEPS = 1_000_000;

/** Keywords that are left to the validator, those it does not know either among them. */
const OTHERS = [
  '$recursiveRef',
  '$recursiveAnchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'if',
  'then',
  'else',
  'patternProperties',
  'unevaluatedProperties',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'multipleOf',
  'pattern',
] as const;

/** Whether a type is among those that a schema takes. */
const typesOf = (type: unknown): Test<string> => {
  if (type === undefined) return () => true;
  const names = typeof type === 'string' ? [type] : listOf(type);
  return (name) => names.includes(name);
};

/** Schemas and values are gone down call by call: what is too deep for that, only the validator knows as well. */
const isUnknown = (reason: unknown): boolean => reason instanceof Unknown || reason instanceof RangeError;

/** What a schema, and all it leads to, is compiled to. */
class Fitting implements Making {
  readonly formats: Making['formats'];
  readonly #lookup: Lookup;
  readonly #dialect: SchemaDraft;
  readonly #known = new Map<Members, Test<unknown>>();
  readonly #root: Test<unknown>;
  #steps = 0;

  constructor(schema: unknown, lookup: Lookup, formats: Making['formats'], dialect: SchemaDraft) {
    this.formats = formats;
    this.#lookup = lookup;
    this.#dialect = dialect;
    this.#root = this.test(schema);
  }

  fits(value: unknown): boolean {
    this.#steps = 0;
    try {
      return this.#root(value);
    } catch (reason) {
      if (isUnknown(reason)) return false;
      throw reason;
    }
  }

  readonly spend = (steps: number): void => {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new Unknown();
  };

  readonly test = (schema: unknown): Test<unknown> => {
    if (typeof schema === 'boolean') {
      return () => {
        this.spend(1);
        return schema;
      };
    }
    if (!isObject(schema)) throw new Unknown();
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    // It may lead to itself.
    let test: Test<unknown> = () => false;
    this.#known.set(schema, (value) => test(value));
    test = this.#testOf(schema);
    this.#known.set(schema, test);
    return test;
  };

  readonly referred = ({ $ref, __absolute_ref__: absolute = $ref }: Members): Test<unknown> => {
    if (typeof absolute !== 'string' || !(absolute in this.#lookup)) throw new Unknown();
    return this.test(this.#lookup[absolute]);
  };

  #testOf(schema: Members): Test<unknown> {
    if (this.#dialect === '7' && schema['$ref'] !== undefined) return this.referred(schema);
    if (OTHERS.some((keyword) => schema[keyword] !== undefined)) throw new Unknown();
    const takes = typesOf(schema['type']);
    const whole = wholeTests(schema, this);
    /** The test of what is of one type. */
    const typed = <T>(type: string, tests: readonly Test<T>[]): Test<T> =>
      takes(type) ? (value) => all(tests, value) && all(whole, value) : () => false;
    const isText = typed('string', textTests(schema, this));
    const numbers = numberTests(schema);
    const isNumber = takes('number') ? typed('number', numbers) : typed('integer', [(n) => n % 1 === 0, ...numbers]);
    const isSwitch = typed('boolean', []);
    const isNull = typed('null', []);
    const isList = typed('array', listTests(schema, this));
    const isMembers = typed('object', objectTests(schema, this));
    return (value) => {
      this.spend(1);
      switch (typeof value) {
        case 'string':
          return isText(value);
        case 'number':
          // No other is JSON.
          if (!Number.isFinite(value)) throw new Unknown();
          return isNumber(value);
        case 'boolean':
          return isSwitch(value);
        case 'object':
          if (value === null) return isNull(value);
          return Array.isArray(value) ? isList(value) : isMembers(value as Members);
        default:
          throw new Unknown();
      }
    };
  }
}

/** Tells that a value is as a schema says. Where it does not, the validator has to be asked: it knows more. */
export type Fits = (value: unknown) => boolean;

/**
 * Compiles the keywords that most schemas are made of to plain functions, without `eval`; `undefined` where a schema has
 * others. It says yes to what the validator says yes to, ten times sooner, and to nothing that it says no to; no to what
 * would take long, and to what is no JSON.
 *
 * @param lookup the schemas by their URIs, as the validator made it of this schema
 * @param formats the validator's
 */
export const fitsBy = (
  schema: unknown,
  lookup: Lookup,
  formats: Making['formats'],
  dialect: SchemaDraft,
): Fits | undefined => {
  // There another keyword says whether a bound is exclusive.
  if (dialect === '4') return undefined;
  try {
    const fitting = new Fitting(schema, lookup, formats, dialect);
    return (value) => fitting.fits(value);
  } catch (reason) {
    if (isUnknown(reason)) return undefined;
    throw reason;
  }
};
