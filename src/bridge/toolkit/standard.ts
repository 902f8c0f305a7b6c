import { reasonText } from '../../errors/index.js';

/** A JSON Schema, as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What makes JSON Schema of a schema of a validation library. Each may throw. Standard JSON Schema, version 1. */
export interface StandardJsonSchema {
  readonly input: (options: { readonly target: 'draft-2020-12' | 'draft-07' }) => Record<string, unknown>;
  readonly output: (options: { readonly target: 'draft-2020-12' | 'draft-07' }) => Record<string, unknown>;
}

/** Something that is wrong with a value, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What became of a value: what it was read as, or what is wrong with it. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** A schema of zod, valibot, arktype or any library that keeps to Standard Schema, version 1: https://standardschema.dev */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: StandardJsonSchema | undefined;
  };
}

/** What a schema takes. */
export type SchemaInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];

/** What a schema makes of what it takes. */
export type SchemaOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** True for a schema of a library; some are functions. */
export const isStandardSchema = (value: unknown): value is StandardSchema => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as Partial<StandardSchema>)['~standard'];
  return typeof standard?.validate === 'function';
};

/** How many issues a model is told of: the first few are what it can mend. */
const MOST_ISSUES = 10;

const sentenceOf = (issue: StandardIssue): string => {
  try {
    const path = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  } catch {
    return reasonText(issue);
  }
};

/** Issues as sentences, each with its path where it has one; of many the first ten. */
export const sentencesOf = (issues: readonly StandardIssue[]): readonly string[] => {
  const sentences = issues.slice(0, MOST_ISSUES).map(sentenceOf);
  return issues.length > MOST_ISSUES ? [...sentences, `and ${issues.length - MOST_ISSUES} more`] : sentences;
};
