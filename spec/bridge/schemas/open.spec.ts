import { describe, expect, it } from '@jest/globals';
import { Document, type OpenTerms, Opener, TooMany } from '../../../src/bridge/schemas/open.js';
import { Unusable } from '../../../src/bridge/schemas/plain.js';
import { Report } from '../../../src/bridge/schemas/report.js';

const ALL: OpenTerms = { keepRefs: false, allOf: true, alternatives: true };

interface Made {
  readonly schema: unknown;
  readonly changes: readonly string[];
}

const opened = (schema: object, terms: Partial<OpenTerms> = {}, root: object = schema, maxRefs = 64): Made => {
  const report = new Report('t');
  const opener = new Opener(new Document({ ...root }, maxRefs), { ...ALL, ...terms }, report);
  const { schema: result } = opener.open({ ...schema }, '/s');
  return { schema: result, changes: report.changes.map(({ action, path, reason }) => `${action} ${path}: ${reason}`) };
};

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('a reference', () => {
  const replaced = 'replaced /s/$ref: what it refers to stands in its place';
  const dropped = 'dropped /s/$ref: it refers to nothing in the schema';

  it.each<readonly [string, object, object, readonly string[]]>([
    ['#', { title: 'Root' }, { title: 'Root' }, [replaced]],
    ['#/$defs/A', { $defs: { A: { title: 'A' } } }, { title: 'A' }, [replaced]],
    ['#/list/1', { list: [{}, { title: 'B' }] }, { title: 'B' }, [replaced]],
    ['#/$defs/A', { $defs: { A: true } }, {}, [replaced]],
    ['#/$defs/A', { $defs: { A: false } }, {}, [replaced]],
    ['#/$defs/A', { $defs: { A: 'text' } }, {}, [dropped]],
    ['#/$defs/A', { $defs: null }, {}, [dropped]],
    ['#/$defs/A', {}, {}, [dropped]],
    ['#/title/length', { title: 'abc' }, {}, [dropped]],
    ['$defs', { $defs: { A: {} } }, {}, [dropped]],
    ['/$defs/A', { $defs: { A: {} } }, {}, [dropped]],
    ['#/%', { '%': {} }, {}, [dropped]],
  ])('is followed to what is a schema, and to nothing else: %s in %j', (ref, root, expected, changes) => {
    expect(opened({ $ref: ref }, {}, root)).toEqual({ schema: expected, changes });
  });

  it('stays where it may, if it names a definition of the root that comes to an end', () => {
    const root = {
      $defs: { A: object({ x: { title: 'X' } }), B: { $ref: '#/$defs/A' }, C: { $ref: '#/$defs/C' } },
      definitions: { D: {} },
    };
    const keeps = (ref: string): boolean =>
      opened({ $ref: ref }, { keepRefs: true, alternatives: false }, root).changes.length === 0;
    const kept = ['#/$defs/A', '#/$defs/B', '#/definitions/D'];
    const followed = ['#/$defs/C', '#/$defs/A/properties/x', '#/$defs', '#/$defs/None', '#', '#/other/#/$defs/A'];
    expect([...kept, ...followed].filter(keeps)).toEqual(kept);
  });

  it('is followed as often inside of others as it may, and then is no more than its type', () => {
    const names = ['A', 'B', 'C', 'D'];
    const $defs = Object.fromEntries(
      names.map((name, at) => [name, { title: name, type: 'object', $ref: `#/$defs/${names[at + 1]}` }]),
    );
    expect(opened({ $ref: '#/$defs/A' }, {}, { $defs }, 2)).toEqual({
      schema: { title: 'A', type: 'object' },
      changes: [replaced, replaced, 'replaced /s/$ref: there are too many references inside references'],
    });
  });
});

describe('schemas that are composed', () => {
  const merged = (path: string): string => `changed ${path}/allOf: its schemas are merged into one`;

  it('are one, in which the first that says something counts', () => {
    expect(
      opened({ title: 'T', allOf: [5, { title: 'U', type: 'object' }, { allOf: [{ minProperties: 1 }] }, null] }),
    ).toEqual({
      schema: { title: 'T', type: 'object', minProperties: 1 },
      changes: [merged('/s'), merged('/s/allOf')],
    });
  });

  it('have the properties and the required names of all, each name once', () => {
    const allOf = [
      object({ a: { title: 'A' }, b: true }, { required: ['a', 5] }),
      object({ a: { type: 'string' }, b: {}, c: {} }, { required: ['a', 'c'] }),
    ];
    expect(opened({ allOf })).toMatchObject({
      schema: object({ a: { title: 'A', type: 'string' }, b: true, c: {} }, { required: ['a', 'c'] }),
    });
    expect(opened({ properties: 5, allOf: [object({ a: {} })] }).schema).toEqual({ properties: 5, type: 'object' });
    expect(opened({ properties: { a: {} }, allOf: [{ properties: 5 }] }).schema).toEqual({ properties: { a: {} } });
  });

  it('stay where they are to, also beside a reference', () => {
    const schema = { allOf: [{ title: 'A' }], anyOf: [object({ a: {} })] };
    expect(opened(schema, { allOf: false, alternatives: false })).toEqual({ schema, changes: [] });
    expect(opened(schema, { alternatives: false }).schema).toEqual({ title: 'A', anyOf: [object({ a: {} })] });
  });

  it('are of no use where they are nested too deep', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`D${at}`, { allOf: [{ $ref: `#/$defs/D${at + 1}` }] }]),
    );
    expect(() => opened({ $ref: '#/$defs/D0' }, {}, { $defs })).toThrow(
      new Unusable('its schemas are nested more than 64 deep'),
    );
  });
});

describe('alternatives', () => {
  const told = (keyword: string): string =>
    `changed /s/${keyword}: its alternatives are one object, which takes what any of them takes`;

  it('are one object, which requires what all of them do', () => {
    const anyOf = [
      object({ id: { title: 'other' }, a: { title: 'A' } }, { required: ['x', 'y', 5] }),
      { properties: { a: { title: 'A' } }, required: ['x', 'y'] },
      { type: ['object', 'null'], properties: { b: {} }, required: ['x'] },
      { type: ['string', 'null'], properties: { no: {} } },
      { type: 'string', properties: { no: {} } },
    ];
    expect(opened({ properties: { id: { title: 'own' } }, anyOf })).toEqual({
      schema: { properties: { id: { title: 'own' }, a: { title: 'A' }, b: {} }, required: ['x'] },
      changes: [told('anyOf')],
    });
  });

  it('leave the schema as it is where none of them is an object', () => {
    expect(opened({ title: 'T', oneOf: [{ type: 'null' }, 5] })).toEqual({
      schema: { title: 'T' },
      changes: [told('oneOf')],
    });
  });

  it('are alternatives of a property where they describe it otherwise', () => {
    const anyOf = [object({ a: { title: 'A' } }), object({ a: { title: 'B' } }), object({ a: { title: 'A' } })];
    expect(opened({ anyOf }).schema).toEqual({ properties: { a: { anyOf: [{ title: 'A' }, { title: 'B' }] } } });
  });
});

describe('what may be spent on a document', () => {
  it('is 5 000 schemas, properties and required names', () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));
    const spent = (properties: number, required: number): (() => void) => {
      const document = new Document({}, 1);
      return () => {
        document.spend({
          properties: Object.fromEntries(names(properties).map((name) => [name, {}])),
          required: names(required),
        });
      };
    };
    for (const [properties, required] of [
      [4_999, 0],
      [0, 4_999],
      [2_000, 2_999],
    ] as const) {
      const spend = spent(properties, required);
      spend();
      expect(spend).toThrow(new TooMany('it has more than 5000 subschemas'));
    }
    expect(spent(5_000, 0)).toThrow(TooMany);
    expect(spent(0, 5_000)).toThrow(TooMany);
  });
});
