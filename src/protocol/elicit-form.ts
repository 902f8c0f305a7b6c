import { catchError, map, type Observable, of } from 'rxjs';
import { compileSchema } from './schemas/compile.js';
import { isObject } from './schemas/guards.js';

type Content = Record<string, unknown>;

const propertiesOf = (schema: unknown): Record<string, unknown> =>
  isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};

/** The content of an accepted form, with the schema's defaults for what was left out. Never changes what it is given. */
export const withDefaults = (schema: unknown, content: Readonly<Content>): Content => {
  const filled: Content = { ...content };
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    // `in` would find what every object inherits.
    if (Object.hasOwn(filled, name) && filled[name] !== undefined) continue;
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

/**
 * Emits what is wrong with the content of an accepted form, nothing if it is as the server asked, and completes.
 * A schema that is of no use is the server's own matter: nothing is wrong then. MCP 2026-07-28 client/elicitation.
 */
export const formIssues = (schema: unknown, content: Content): Observable<readonly string[]> =>
  compileSchema(schema).pipe(
    map((check) => check(content)),
    catchError(() => of([])),
  );
