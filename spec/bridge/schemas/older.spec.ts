import { describe, expect, it } from '@jest/globals';
import { upToDate } from '../../../src/bridge/schemas/older.js';
import { Report } from '../../../src/bridge/schemas/report.js';

const FLAG = 'JSON Schema 2020-12 has a number there';
const TUPLE = 'JSON Schema 2020-12 calls it prefixItems';

const made = (schema: object): unknown => {
  const report = new Report('t');
  const result = upToDate({ ...schema }, '/s', report);
  return [result, report.changes.map(({ action, path, reason }) => `${action} ${path}: ${reason}`)];
};

describe('what older drafts said', () => {
  it.each<readonly [object, object, readonly string[]]>([
    [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }, [`changed /s/exclusiveMinimum: ${FLAG}`]],
    [{ minimum: 1, exclusiveMinimum: false }, { minimum: 1 }, [`changed /s/exclusiveMinimum: ${FLAG}`]],
    [{ maximum: 1, exclusiveMaximum: true }, { exclusiveMaximum: 1 }, [`changed /s/exclusiveMaximum: ${FLAG}`]],
    [{ exclusiveMaximum: true }, {}, [`changed /s/exclusiveMaximum: ${FLAG}`]],
    [{ items: [{}] }, { prefixItems: [{}] }, [`changed /s/items: ${TUPLE}`]],
    [{ items: [], title: 'T' }, { title: 'T' }, [`changed /s/items: ${TUPLE}`]],
    [{ items: [{}], additionalItems: false }, { prefixItems: [{}], items: false }, [`changed /s/items: ${TUPLE}`]],
  ])('is said as 2020-12 says it: %j', (schema, expected, changes) => {
    const [result, told] = made(schema) as [object, string[]];
    expect(result).toStrictEqual(expected);
    expect(told).toEqual(changes);
  });

  it.each([{ exclusiveMinimum: 1, minimum: 0 }, { items: {} }, { items: {}, additionalItems: {} }, {}])(
    'is left where 2020-12 says the same: %j',
    (schema) => {
      expect(made(schema)).toStrictEqual([schema, []]);
    },
  );
});
