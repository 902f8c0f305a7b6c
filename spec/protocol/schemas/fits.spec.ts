import { dereference, format, validate, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Fits, fitsBy } from '../../../src/protocol/schemas/fits.js';

const DIALECTS: readonly SchemaDraft[] = ['2020-12', '2019-09', '7'];

const both = (
  schema: object | boolean,
  dialect: SchemaDraft = '2020-12',
): { readonly fits: Fits | undefined; readonly valid: Fits } => {
  const lookup = dereference(schema);
  return {
    fits: fitsBy(schema, lookup, format, dialect),
    valid: (value) => validate(value, schema, dialect, lookup, false).valid,
  };
};

const fitting = (schema: object | boolean, dialect?: SchemaDraft): Fits => {
  const { fits } = both(schema, dialect);
  if (fits === undefined) throw new Error('it was left to the validator');
  return fits;
};

// Few names and values, so that values often fit.
const NAMES = ['a', 'b', '__proto__', 'constructor', 'länge'];
const simple = fc.constantFrom<unknown>(
  0,
  1,
  2,
  1.5,
  -0,
  -3,
  1e300,
  '',
  'a',
  'ab',
  '💡',
  '\ud83d',
  '2026-12-01',
  true,
  false,
  null,
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    simple,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 3 }),
  ),
})).any;

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const size = fc.integer({ min: -1, max: 3 });
/** Each keyword is there now and then. */
const keywords = (entries: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(entries, { requiredKeys: [], noNullPrototype: true });
const schemas = fc.letrec((tie) => {
  const schema = tie('schema');
  const several = fc.array(schema, { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      keywords({ type: fc.oneof(fc.constantFrom(...TYPES), fc.subarray(TYPES)) }),
      fc.boolean(),
      keywords({ enum: fc.array(simple, { maxLength: 3 }) }),
      keywords({ const: simple }),
      keywords({ type: fc.constant('number'), minimum: size, maximum: size }),
      keywords({ exclusiveMinimum: size, exclusiveMaximum: size }),
      keywords({ minLength: size, maxLength: size, format: fc.constantFrom('date', 'email', 'no-such-format') }),
      keywords({ items: schema, minItems: size, maxItems: size }),
      keywords({ prefixItems: several, items: schema }),
      keywords({ not: schema }),
      keywords({ propertyNames: schema }),
      keywords({
        properties: fc.dictionary(fc.constantFrom(...NAMES), schema, { maxKeys: 3 }),
        required: fc.subarray(NAMES),
        additionalProperties: schema,
      }),
      keywords({ additionalProperties: schema, minProperties: size, maxProperties: size }),
      keywords({ anyOf: several, type: fc.constantFrom(...TYPES) }),
      keywords({ allOf: several }),
      keywords({ oneOf: several }),
      keywords({ $ref: fc.constantFrom('#/$defs/one', '#/$defs/two'), type: fc.constantFrom(...TYPES) }),
    ),
  };
}).schema;

/** `undefined` where it never ends. */
const answered = (ask: () => boolean): boolean | undefined => {
  try {
    return ask();
  } catch (reason) {
    if (reason instanceof RangeError) return undefined;
    throw reason;
  }
};

describe('what tells that a value fits', () => {
  it('says what the validator says', () => {
    let checked = 0;
    const document = fc.tuple(schemas, schemas, schemas).map(([root, one, two]) => ({
      ...(typeof root === 'boolean' ? { allOf: [root] } : root),
      $defs: { one, two },
    }));
    fc.assert(
      fc.property(
        document,
        fc.array(value, { minLength: 3, maxLength: 6 }),
        fc.constantFrom(...DIALECTS),
        (schema, values, dialect) => {
          const { fits, valid } = both(schema, dialect);
          if (fits === undefined) throw new Error('it was left to the validator');
          for (const each of values) {
            const wanted = answered(() => valid(each));
            // A schema that leads to itself, and to nothing else, where it is looked at.
            if (wanted === undefined) continue;
            expect(fits(each)).toBe(wanted);
            checked += wanted ? 1 : 0;
          }
        },
      ),
      { numRuns: 2_000 },
    );
    // Were it always no, nothing would have been tried.
    expect(checked).toBeGreaterThan(50);
  });

  it.each([
    ['a text in characters', { minLength: 2, maxLength: 2 }, ['💡💡', 'ab'], ['💡', '💡💡💡']],
    ['halves of a pair as characters', { maxLength: 2 }, ['\ud83d\ud83d', '\udca1a'], ['\udca1\ud83da']],
    ['halves that do not belong together as two', { minLength: 2 }, ['a\udca1', '\ud83da'], ['\ud83d\udca1']],
    ['a long text', { minLength: 1, maxLength: 200_000 }, ['a'.repeat(200_000)], ['']],
    ['a number that is enough', { minimum: 1 }, [1, 2, '0'], [0]],
    ['a number that is not too much', { maximum: 1 }, [1, 0, '2'], [2]],
    ['a number above another', { exclusiveMinimum: 1 }, [2, '1'], [1, 0]],
    ['a number below another', { exclusiveMaximum: 1 }, [0, '1'], [1, 2]],
    ['items that are enough', { minItems: 1 }, [[0], [0, 0], {}], [[]]],
    ['items that are not too many', { maxItems: 1 }, [[], [0], { a: 0, b: 0 }], [[0, 0]]],
    ['members that are enough', { minProperties: 1 }, [{ a: 0 }, []], [{}]],
    ['members that are not too many', { maxProperties: 1 }, [{}, { a: 0 }, [0, 0]], [{ a: 0, b: 0 }]],
    ['one of several', { enum: ['a', 1, null] }, ['a', 1, null], ['1', 0, {}, false]],
    ['one alone', { const: null }, [null], ['null', 0, {}]],
    ['exactly one of two', { oneOf: [{ minimum: 1 }, { maximum: 1 }] }, [0, 2], [1]],
    ['a whole number', { type: 'integer' }, [1, 1.0, -0], [1.5, '1']],
    ['a number, whole or not', { type: ['number', 'null'] }, [1, 1.5, null], ['1']],
    ['own members alone', { required: ['toString'] }, [{ toString: 1 }], [{}]],
    ['a member that is named as what every object has', { properties: { constructor: { type: 'string' } } }, [{}], []],
    ['names', { propertyNames: { maxLength: 1 } }, [{ a: 1 }, {}, []], [{ ab: 1 }]],
    [
      'a pair',
      { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      [[], ['a'], ['a', 1]],
      [[1], ['a', 1, 1]],
    ],
    ['what must not be', { not: { type: 'null' } }, [1, 'a'], [null]],
    ['a format', { format: 'date-time' }, ['2026-12-01T00:00:00Z', 1], ['today']],
    ['a format that nobody knows', { format: 'no-such' }, ['a'], []],
    ['all but what is named', { properties: { a: true }, additionalProperties: false }, [{ a: 1 }, {}, []], [{ b: 1 }]],
  ])('reads %s', (_what, schema, good, bad) => {
    const fits = fitting(schema);
    expect(good.map((each) => fits(each))).toEqual(good.map(() => true));
    expect(bad.map((each) => fits(each))).toEqual(bad.map(() => false));
  });

  it('follows references to where they lead, to themselves too', () => {
    const fits = fitting({
      $defs: { tree: { type: 'object', properties: { children: { items: { $ref: '#/$defs/tree' } } } } },
      $ref: '#/$defs/tree',
    });
    expect(fits({ children: [{ children: [] }, {}] })).toBe(true);
    expect(fits({ children: [{ children: [1] }] })).toBe(false);
  });

  it('reads nothing beside a reference in draft 7', () => {
    const schema = {
      definitions: { text: { type: 'string' } },
      properties: { a: { $ref: '#/definitions/text', maxLength: 1 } },
    };
    expect(fitting(schema, '7')({ a: 'long' })).toBe(true);
    expect(fitting(schema, '2019-09')({ a: 'long' })).toBe(false);
  });

  it.each([
    ['a pattern', { properties: { a: { pattern: 'a' } } }],
    ['a condition', { if: { type: 'string' }, then: { maxLength: 1 } }],
    ['what is required by another', { dependentRequired: { a: ['b'] } }],
    ['first items that are no list', { prefixItems: {} }],
    ['a list of items', { items: [{ type: 'string' }] }],
    ['what is left over', { unevaluatedProperties: false }],
    ['items that are unlike', { uniqueItems: true }],
    ['objects to be equal to', { enum: [{ a: 1 }] }],
    ['an object to be equal to, among others', { enum: ['a', {}] }],
    ['an object to be equal to', { const: [] }],
    ['a reference that is none', { $ref: '#/$defs/a', __absolute_ref__: 5, $defs: { a: {} } }],
    ['a format that is no name', { format: 5 }],
    ['a reference to nowhere', { $ref: '#/$defs/none' }],
    ['a bound that is no number', { minimum: '1' }],
    ['types that are none', { type: { a: 1 } }],
    ['an enum that is no list', { enum: 'a' }],
    ['properties that are a list', { properties: [] }],
    ['a schema that is none', { additionalProperties: 'none' }],
    ['a format by the name of what every object has', { format: 'hasOwnProperty' }],
    ['a reference that moves', { $dynamicRef: '#a' }],
  ])('leaves %s to the validator', (_what, schema) => {
    expect(fitsBy(schema, dereference(schema as Schema), format, '2020-12')).toBeUndefined();
  });

  it('leaves draft 4 to the validator, where a bound may be exclusive by another keyword', () => {
    expect(both({ minimum: 1 }, '4').fits).toBeUndefined();
  });

  it.each([
    ['undefined', undefined],
    ['a member that is undefined', { a: undefined }],
    ['an item that is not there', { a: new Array(1) }],
    ['a function', { a: (): void => undefined }],
    ['a number that JSON has not', { a: NaN }],
    ['an endless number', { a: Infinity }],
  ])('says no to what is no JSON: %s', (_what, each) => {
    // Behind the choice of exactly one, a no would be a yes.
    const fits = fitting({ properties: { a: { oneOf: [{}, { type: ['number', 'array'], items: {} }] } } });
    expect(fits(each)).toBe(false);
    expect(fitting({ properties: { a: { items: {} } } })(each)).toBe(false);
  });

  it('says no to what would take long, however often it is asked', () => {
    const $defs: Record<string, object> = { d30: { type: 'string' } };
    for (let at = 0; at < 30; at += 1) {
      const next = { $ref: `#/$defs/d${at + 1}` };
      $defs[`d${at}`] = { oneOf: [{ allOf: [next, next] }, { type: 'null' }] };
    }
    const fits = fitting({ $defs, properties: { a: { $ref: '#/$defs/d0' }, b: { type: 'string' } } });
    expect(fits({ a: 'x' })).toBe(false);
    expect(fits({ b: 'x' })).toBe(true);
  });

  it.each([
    ['items by their places', { prefixItems: [true] }, new Array(100_000).fill(0)],
    ['long texts to compare', { const: 'x'.repeat(1_000_000) }, 'x'.repeat(1_000_000)],
  ])('counts %s', (_what, leaf, each) => {
    expect(fitting({ allOf: new Array(4).fill(leaf) })(each)).toBe(true);
    expect(fitting({ allOf: new Array(100).fill(leaf) })(each)).toBe(false);
  });

  it('hides no fault that is another’s', () => {
    const faulty = {
      get a(): never {
        throw new Error('mine');
      },
    };
    expect(() => fitting({ properties: { a: {} } })(faulty)).toThrow('mine');
    expect(() => fitsBy({ properties: faulty }, {}, format, '2020-12')).toThrow('mine');
  });

  it('says no to what is too deep', () => {
    const fits = fitting({ $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' });
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(fits(deep)).toBe(false);
    expect(fits([[[]]])).toBe(true);
  });
});
