import { type Check, checkOptions } from '../../client/checks.js';
import { OptionError } from '../../errors/index.js';
import type { AnySchema, ToolDefinition, ToolHandler } from './definition.js';
import { LIMIT_CHECKS, type LocalLimits, LocalTools } from './local-tools.js';

/** Options of a toolkit. An unknown one is an `OptionError` that names it. */
export interface ToolkitOptions extends LocalLimits {
  /** What it is called, for people. */
  readonly name: string;
}

const CHECKS: Readonly<Record<keyof ToolkitOptions, Check>> = {
  name: (value, name) => {
    if (typeof value !== 'string' || value === '') throw new OptionError(name, 'give a string that is not empty');
  },
  ...LIMIT_CHECKS,
};

/**
 * Tools in this process, for a model: what a server's tools are, without a server.
 *
 * ```ts
 * const toolkit = new Toolkit({ name: 'sums' }).tool(
 *   'add',
 *   { description: 'Adds two numbers', input: z.object({ a: z.number(), b: z.number() }) },
 *   ({ a, b }) => ({ sum: a + b }),
 * );
 * ```
 */
export class Toolkit {
  readonly name: string;
  /** Its tools, as a client has a server's. */
  readonly source: LocalTools;

  /** Throws an `OptionError` where an option is unknown or cannot be used. */
  constructor(options: ToolkitOptions) {
    checkOptions(options, CHECKS, 'options');
    const { name, ...limits } = options;
    if (name === undefined) throw new OptionError('name', 'give a string that is not empty');
    this.name = name;
    this.source = new LocalTools(limits);
  }

  /**
   * Adds a tool, and returns the toolkit. Throws an `OptionError` that names the culprit: a name that is taken, an option
   * that cannot be used, a schema whose library makes no JSON Schema (then give `inputJsonSchema`).
   */
  tool<Input extends AnySchema | undefined = undefined, Output extends AnySchema | undefined = undefined>(
    name: string,
    definition: ToolDefinition<Input, Output>,
    handler: ToolHandler<Input, Output>,
  ): this {
    this.source.add(name, definition, handler);
    return this;
  }
}
