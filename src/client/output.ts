import type { SchemaDraft, Validator } from '@cfworker/json-schema';
import {
  catchError,
  concatMap,
  defer,
  from,
  map,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  throwError,
} from 'rxjs';
import { OutputInvalidError } from '../errors/index.js';
import { isObject } from '../protocol/index.js';
import type { CallToolResult, Tool } from '../protocol/schemas/index.js';
import type { Channels } from '../session/index.js';
import type { Catalogue } from './catalogue.js';
import type { Settings } from './options.js';

/** Bounds on a schema, which is a stranger's: past them it is not compiled. */
const MAX_DEPTH = 64;
const MAX_NODES = 20_000;
const MAX_ISSUES = 10;

const DIALECTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, '7'],
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, '4'],
];

/** A schema that cannot be used, and why. */
class UnusableSchema extends Error {}

const dialectOf = (schema: Readonly<Record<string, unknown>>): SchemaDraft => {
  const { $schema } = schema;
  if ($schema === undefined) return '2020-12';
  const known = typeof $schema === 'string' ? DIALECTS.find(([pattern]) => pattern.test($schema)) : undefined;
  if (known === undefined) throw new UnusableSchema(`its dialect ${JSON.stringify($schema)} is not supported`);
  return known[1];
};

/** Refuses a schema that is too large, or refers to another document: none is ever fetched. */
const checkBounds = (schema: unknown): void => {
  let nodes = 0;
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return;
    nodes += 1;
    if (depth > MAX_DEPTH || nodes > MAX_NODES) throw new UnusableSchema('it is too deep or too large');
    const ref = (value as Record<string, unknown>)['$ref'];
    if (typeof ref === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(ref) && !ref.startsWith('urn:')) {
      throw new UnusableSchema(`it refers to ${ref}, which is not fetched`);
    }
    for (const member of Object.values(value)) visit(member, depth + 1);
  };
  visit(schema, 0);
};

/**
 * Checks structured output against the tools' output schemas. The validator is loaded on first use, and a
 * schema compiled with the first result that needs it, so that one bad schema costs no list. MCP 2026-07-28
 * server/tools, "Output Schema".
 */
export class OutputCheck {
  readonly #validators = new WeakMap<Tool, Validator>();
  readonly #catalogue: Catalogue;
  readonly #mode: Settings['validateOutput'];
  readonly #channels: Channels;

  constructor(catalogue: Catalogue, mode: Settings['validateOutput'], channels: Channels) {
    this.#catalogue = catalogue;
    this.#mode = mode;
    this.#channels = channels;
  }

  /** Mirrors the results of one tool; what is not as its schema promised is an error or a warning, by the mode. */
  check(name: string): MonoTypeOperatorFunction<CallToolResult> {
    if (this.#mode === 'off') return (result$) => result$;
    return concatMap((result) => {
      const tool = this.#catalogue.get(name);
      if (tool?.outputSchema === undefined) return of(result);
      return this.#issues(tool, result).pipe(
        map((issues) => {
          if (issues.length > 0) throw new OutputInvalidError(name, issues);
          return result;
        }),
        catchError((reason: unknown) => {
          if (this.#mode === 'error') return throwError(() => reason);
          this.#channels.warn('output-invalid', reason instanceof Error ? reason.message : String(reason), reason);
          return of(result);
        }),
      );
    });
  }

  /**
   * Emits the issues of a result, none if it is as promised, and completes. Errors with an
   * `OutputInvalidError` that says why where the schema itself is of no use. The output of a failed tool is
   * never checked: it would hide the failure.
   */
  #issues(tool: Tool, result: CallToolResult): Observable<readonly string[]> {
    const { outputSchema, name } = tool;
    if (outputSchema === undefined || result.isError === true) return of([]);
    if (result.structuredContent === undefined) return of(['there is no structured content']);
    return defer(() => {
      const compiled = this.#validators.get(tool);
      return compiled === undefined ? this.#compile(tool, outputSchema) : of(compiled);
    }).pipe(
      map((validator) => {
        const { valid, errors } = validator.validate(result.structuredContent);
        return valid ? [] : errors.slice(0, MAX_ISSUES).map((issue) => `${issue.instanceLocation}: ${issue.error}`);
      }),
      catchError((reason: unknown) => {
        const why = reason instanceof Error ? reason.message : String(reason);
        throw new OutputInvalidError(name, [`the output schema cannot be used: ${why}`]);
      }),
    );
  }

  #compile(tool: Tool, schema: unknown): Observable<Validator> {
    return from(import('@cfworker/json-schema')).pipe(
      map((library) => {
        if (!isObject(schema)) throw new UnusableSchema('it is not an object');
        const dialect = dialectOf(schema);
        checkBounds(schema);
        const validator = new library.Validator(schema, dialect, false);
        this.#validators.set(tool, validator);
        return validator;
      }),
    );
  }
}
