import { isObject } from '../../jsonrpc/index.js';
import { below, type Report } from '../schemas/report.js';
import type { SchemaRules } from '../schemas/index.js';

type Schema = Readonly<Record<string, unknown>>;
type Step = (schema: Schema, path: string, report: Report) => Schema;

/**
 * The keywords that Google's documentation names for JSON Schema, less those for references: what they refer to stands
 * in their place, since not every model follows them, and none to any depth.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'format', 'title', 'description', 'enum', 'anyOf', 'minimum', 'maximum'],
  ...['items', 'prefixItems', 'minItems', 'maxItems'],
  ...['properties', 'additionalProperties', 'required', 'propertyOrdering'],
]);

/** Keywords that say something about values of one type alone. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  object: ['properties', 'additionalProperties', 'required', 'propertyOrdering'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  string: ['format'],
};
const SOME_TYPE: ReadonlySet<string> = new Set(Object.values(OF_TYPE).flat());

const withEnumForConst: Step = (schema, path, report) => {
  if (!Object.hasOwn(schema, 'const')) return schema;
  const { const: value, enum: values, ...rest } = schema;
  report.note(below(path, 'const'), 'changed', 'an enum of one says the same');
  return { ...rest, enum: values ?? [value] };
};

const withAnyOfForOneOf: Step = (schema, path, report) => {
  const { oneOf, ...rest } = schema;
  if (oneOf === undefined || rest['anyOf'] !== undefined) return schema;
  report.note(below(path, 'oneOf'), 'changed', 'Gemini takes it for anyOf');
  return { ...rest, anyOf: oneOf };
};

const withNullType: Step = (schema, path, report) => {
  const { nullable, ...rest } = schema;
  if (nullable !== true || typeof rest['type'] !== 'string') return schema;
  report.note(below(path, 'nullable'), 'changed', 'a list of types says it in JSON Schema');
  return { ...rest, type: [rest['type'], 'null'] };
};

const withPlainBounds: Step = (schema, path, report) => {
  let result = schema;
  for (const [exclusive, bound, step] of [
    ['exclusiveMinimum', 'minimum', 1],
    ['exclusiveMaximum', 'maximum', -1],
  ] as const) {
    const { [exclusive]: limit, ...rest } = result;
    if (typeof limit !== 'number' || rest[bound] !== undefined) continue;
    report.note(below(path, exclusive), 'changed', `${bound} is what Gemini knows`);
    const whole = rest['type'] === 'integer' && Number.isSafeInteger(limit);
    result = { ...rest, [bound]: whole ? limit + step : limit };
  }
  return result;
};

/** One schema for each of several types. One type and null may share a schema. */
const withOneType: Step = (schema, path, report) => {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || rest['anyOf'] !== undefined) return schema;
  if (type.filter((one) => one !== 'null').length < 2) return schema;
  report.note(below(path, 'type'), 'changed', 'each of its types has a schema of its own');
  const common = Object.entries(rest).filter(([keyword]) => !SOME_TYPE.has(keyword));
  const anyOf = (type as readonly unknown[]).map((one) => {
    const own = OF_TYPE[String(one)] ?? [];
    return { type: one, ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => own.includes(keyword))) };
  });
  return { ...Object.fromEntries(common), anyOf };
};

const withKnownKeywords: Step = (schema, path, report) =>
  Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => {
      if (KEYWORDS.has(keyword)) return true;
      report.note(below(path, keyword), 'dropped', 'Gemini does not know it');
      return false;
    }),
  );

const typeOfAll = (values: readonly unknown[]): string | undefined => {
  const [first, ...others] = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  if (others.length > 0) return undefined;
  return first === 'string' || first === 'number' || first === 'boolean' ? first : undefined;
};

/** An enum of texts and numbers, with its type; of anything else, the type is left. */
const withSimpleEnum: Step = (schema, path, report) => {
  const { enum: values, ...rest } = schema;
  if (!Array.isArray(values)) return schema;
  const inferred = rest['type'] === undefined && rest['anyOf'] === undefined ? typeOfAll(values) : undefined;
  const typed = (found: Schema): Schema => (inferred === undefined ? found : { type: inferred, ...found });
  const taken: readonly unknown[] = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  if (taken.length === values.length) return typed(schema);
  report.note(below(path, 'enum'), 'changed', 'Gemini takes texts and numbers there');
  // Without its other values it would forbid what the tool takes; null can be said by the type.
  if (taken.length === 0 || values.some((value) => value !== null && !taken.includes(value))) return typed(rest);
  const { type, ...others } = typed({ ...schema, enum: taken });
  return { type: typeof type === 'string' ? [type, 'null'] : type, ...others };
};

const withDefinedRequired: Step = (schema, path, report) => {
  const { required, ...rest } = schema;
  if (!Array.isArray(required)) return schema;
  const properties = isObject(rest['properties']) ? rest['properties'] : {};
  const defined = (required as readonly string[]).filter((name) => Object.hasOwn(properties, name));
  if (defined.length === required.length && defined.length > 0) return schema;
  report.note(below(path, 'required'), 'changed', 'Gemini asks for no property that is not described');
  return defined.length > 0 ? { ...schema, required: defined } : rest;
};

/** Alternatives each of which says something: one that takes anything makes the others idle. */
const withTellingAnyOf: Step = (schema, path, report) => {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.every((one) => isObject(one) && Object.keys(one).length > 0)) return schema;
  report.note(below(path, 'anyOf'), 'dropped', 'one of its alternatives says nothing to Gemini');
  return rest;
};

const all =
  (...steps: readonly Step[]): Step =>
  (schema, path, report) =>
    steps.reduce((at, step) => step(at, path, report), schema);

/** What `parametersJsonSchema` of `@google/genai` takes: JSON Schema, in the keywords of its documentation. */
export const geminiRules: SchemaRules = {
  refs: 'inline',
  mergeAllOf: true,
  before: all(withEnumForConst, withAnyOfForOneOf, withNullType, withPlainBounds, withOneType, withKnownKeywords),
  after: all(withSimpleEnum, withDefinedRequired, withTellingAnyOf),
};
