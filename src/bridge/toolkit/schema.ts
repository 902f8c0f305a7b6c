import { defer, map, type Observable, of, tap } from 'rxjs';
import { messageOf, OptionError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { type Checker, compileSchema } from '../../protocol/schemas/compile.js';
import { answerOf } from '../../rx/index.js';
import { jsonCopy } from '../../jsonrpc/json-copy.js';
import { convert, type Side, written } from './json-schema.js';
import { isStandardSchema, type JsonSchema, sentencesOf, type StandardSchema } from './standard.js';

/** A value that is as its schema says, as the schema reads it; or what is wrong with it, a sentence each. */
export type Checked = { readonly value: unknown } | { readonly issues: readonly string[] };

/** A schema that a tool declares and that its values are checked by. */
export interface ToolSchema {
  readonly json: JsonSchema;
  /** Emits once and completes; errors where the schema itself is of no use. */
  readonly check: (value: unknown) => Observable<Checked>;
}

const checkStandard =
  (schema: StandardSchema): ToolSchema['check'] =>
  (value) =>
    answerOf(() => schema['~standard'].validate(value)).pipe(
      map((result) => {
        // Some libraries give a value beside their issues.
        if (result.issues !== undefined && result.issues.length > 0) return { issues: sentencesOf(result.issues) };
        return { value: (result as { readonly value: unknown }).value };
      }),
    );

const checkJson = (json: JsonSchema): ToolSchema['check'] => {
  let compiled: Checker | undefined;
  const checker$ = defer(() =>
    compiled === undefined
      ? compileSchema(json).pipe(
          tap((checker) => {
            compiled = checker;
          }),
        )
      : of(compiled),
  );
  return (value) =>
    checker$.pipe(
      map((check): Checked => {
        // As it goes over a wire: a Date is a string there, and what is undefined is absent.
        let copy: unknown;
        try {
          copy = jsonCopy(value);
        } catch (reason) {
          return { issues: [`it has no form in JSON: ${messageOf(reason)}`] };
        }
        const issues = check(copy);
        return issues.length > 0 ? { issues } : { value: copy };
      }),
    );
};

/** Other libraries take the members of an object alone, which look like JSON Schema and say nothing as such. */
const refuseShape = (schema: unknown, name: string): void => {
  if (isObject(schema) && Object.values(schema).some(isStandardSchema)) {
    throw new OptionError(name, 'its members are schemas, and it is none itself: wrap it, as in z.object({ … })');
  }
};

/**
 * Reads a schema as a user gives it: of a library that keeps to Standard Schema, or JSON Schema, which is compiled on
 * first use. Throws an `OptionError` for what is neither, and where a library's schema has no JSON Schema.
 * @param own the JSON Schema to declare in place of what the library makes
 */
export const schemaOf = (schema: unknown, own: unknown, side: Side, tool: string): ToolSchema => {
  const name = `${tool}.${side}`;
  const declared = own === undefined ? undefined : written(own, `${name}JsonSchema`);
  if (!isStandardSchema(schema)) {
    refuseShape(schema, name);
    const json = written(schema, name);
    return { json: declared ?? json, check: checkJson(json) };
  }
  return { json: declared ?? convert(schema, side, name), check: checkStandard(schema) };
};
