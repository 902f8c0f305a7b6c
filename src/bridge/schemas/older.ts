import { below, type Report } from './report.js';
import type { Plain } from './plain.js';

/** Bounds as numbers: up to draft 4, `exclusiveMinimum` was a flag beside `minimum`. */
const withNumericBounds = (schema: Plain, path: string, report: Report): Plain => {
  let result = schema;
  for (const [keyword, flag] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof result[flag] !== 'boolean') continue;
    const { [keyword]: bound, [flag]: exclusive, ...rest } = result;
    report.note(below(path, flag), 'changed', 'JSON Schema 2020-12 has a number there');
    result = { ...rest, ...(bound !== undefined && { [exclusive === true ? flag : keyword]: bound }) };
  }
  return result;
};

/** Tuples as `prefixItems`: up to 2019-09, `items` was the list and `additionalItems` what came after it. */
const withPrefixItems = (schema: Plain, path: string, report: Report): Plain => {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  report.note(below(path, 'items'), 'changed', 'JSON Schema 2020-12 calls it prefixItems');
  return {
    ...rest,
    ...(items.length > 0 && { prefixItems: items as unknown[] }),
    ...(additionalItems !== undefined && { items: additionalItems }),
  };
};

/** What older drafts of JSON Schema said otherwise, as 2020-12 says it: APIs refuse what no longer fits. */
export const upToDate = (schema: Plain, path: string, report: Report): Plain =>
  withPrefixItems(withNumericBounds(schema, path, report), path, report);
