import type { Plain } from './plain.js';
import type { Report } from './report.js';

/** What a model's API takes as the schema of a tool's arguments, as far as APIs differ. */
export interface SchemaRules {
  /** Whether references to `$defs` stay, or what they refer to stands in their place. */
  readonly refs: 'keep' | 'inline';
  /** Whether each `allOf` becomes one schema, or only that of the root. */
  readonly mergeAllOf?: boolean | undefined;
  /** Fits the names of arguments that are taken; absent, all are. */
  readonly argumentNames?: RegExp | undefined;
  /** True for a regular expression that is taken; absent, all that JavaScript takes are. */
  readonly takesPattern?: ((pattern: string) => boolean) | undefined;
  /** What becomes of a schema, whose subschemas are as the server wrote them, before its keywords are looked at. */
  readonly before?: ((schema: Plain, path: string, report: Report) => Plain) | undefined;
  /** The same, after its subschemas were made legal. */
  readonly after?: ((schema: Plain, path: string, report: Report) => Plain) | undefined;
}
