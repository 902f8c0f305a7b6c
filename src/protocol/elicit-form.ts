import { map, type Observable, of } from 'rxjs';
import { isObject } from '../jsonrpc/index.js';
import { compileSchema, isOfKnownDialect } from './schemas/compile.js';

type Content = Record<string, unknown>;

const propertiesOf = (schema: unknown): Record<string, unknown> =>
  isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};

/**
 * The content of an accepted form, with the schema's defaults for what it does not name. What it names as `undefined` was
 * left out on purpose, by a person who saw the default and cleared it. Never changes what it is given.
 */
export const withDefaults = (schema: unknown, content: Readonly<Content>): Content => {
  // What is undefined never reaches the wire, and must not pass for what is required.
  const filled: Content = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    // `in` would find what every object inherits.
    if (Object.hasOwn(content, name)) continue;
    if (isObject(property) && property['default'] !== undefined) {
      Object.defineProperty(filled, name, {
        value: property['default'],
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return filled;
};

const NO_FIELD = 'it is neither text, nor a finite number, nor true or false, nor a list of texts';

/** Whether a form can hold a value at all: text, a number, a switch, or several texts. */
const fits = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'));

/** A form's schema means the same in every dialect: what a field is, and which must be there. */
const readable = (schema: Readonly<Record<string, unknown>>): unknown =>
  isOfKnownDialect(schema) ? schema : { ...schema, $schema: undefined };

/**
 * Emits what is wrong with the content of an accepted form, nothing if it is as the server asked, and completes. Errors with an
 * `Error` that says why nothing can be checked by this form: what leaves unchecked may not fit. Where there is no form at all,
 * nothing is wrong. MCP 2026-07-28 client/elicitation.
 */
export const formIssues = (schema: unknown, content: Content): Observable<readonly string[]> => {
  const misfits = Object.entries(content).filter(([, value]) => !fits(value));
  if (misfits.length > 0) return of(misfits.map(([name]) => `#/${name}: ${NO_FIELD}`));
  if (!isObject(schema)) return of([]);
  return compileSchema(readable(schema)).pipe(map((check) => check(content)));
};
