import { catchError, map, type Observable, of, tap } from 'rxjs';
import { messageOf, OutputInvalidError } from '../errors/index.js';
import type { Checker } from '../protocol/index.js';
import { type Part, part } from '../rx/index.js';
import type { CallToolResult, Tool } from '../protocol/schemas/index.js';
import type { Channels } from '../session/index.js';
import type { Catalogue } from './catalogue.js';
import type { Settings } from './options.js';

/** What checks values against schemas: many tools promise nothing of their output. */
export const compiler: Part<typeof import('../protocol/schemas/compile.js')> = /* @__PURE__ */ part(
  () => import('../protocol/schemas/compile.js'),
);

/**
 * Checks structured output against the tools' output schemas, as far as the catalogue knows them. A schema is
 * compiled with the first result that needs it, so that one bad schema costs no list. MCP 2026-07-28 server/tools,
 * "Output Schema".
 */
export class OutputCheck {
  /** Both made with the first use. */
  #checkers: WeakMap<Tool, Checker> | undefined;
  #toldOf: WeakSet<Tool> | undefined;
  readonly #catalogue: Catalogue;
  readonly #mode: Settings['validateOutput'];
  readonly #channels: Channels;

  constructor(catalogue: Catalogue, mode: Settings['validateOutput'], channels: Channels) {
    this.#catalogue = catalogue;
    this.#mode = mode;
    this.#channels = channels;
  }

  /**
   * The result of a tool, where its schema is compiled or it has none; throws what is below, then. Else emits it once it
   * is checked, and completes. What is not as its schema promised is an `OutputInvalidError` or a warning, by the mode.
   */
  checked(name: string, result: CallToolResult): CallToolResult | Observable<CallToolResult> {
    const tool = this.#mode === 'off' ? undefined : this.#catalogue.get(name);
    // The output of a failed tool is never checked: it would hide the failure.
    if (tool?.outputSchema === undefined || result.isError === true) return result;
    const known = this.#checkers?.get(tool);
    if (known !== undefined) return this.#judged(tool, result, known);
    return this.#compiled(tool).pipe(
      map((check) => this.#judged(tool, result, check)),
      catchError((reason: unknown) => {
        if (reason instanceof OutputInvalidError) throw reason;
        return of(this.#unusable(tool, result, reason));
      }),
    );
  }

  #judged(tool: Tool, result: CallToolResult, check: Checker): CallToolResult {
    let issues: readonly string[];
    try {
      const { structuredContent: output } = result;
      issues = output === undefined ? ['there is no structured content'] : check(output);
    } catch (reason) {
      return this.#unusable(tool, result, reason);
    }
    if (issues.length === 0) return result;
    const error = new OutputInvalidError(tool.name, issues);
    if (this.#mode === 'error') throw error;
    this.#channels.warn('output-invalid', error.message, error);
    return result;
  }

  /** The schema itself is of no use. */
  #unusable(tool: Tool, result: CallToolResult, reason: unknown): CallToolResult {
    const error = new OutputInvalidError(tool.name, [`the output schema cannot be used: ${messageOf(reason)}`]);
    if (this.#mode === 'error') throw error;
    // Once a tool: the schema is the same for every result.
    this.#toldOf ??= new WeakSet<Tool>();
    if (this.#toldOf.has(tool)) return result;
    this.#toldOf.add(tool);
    this.#channels.warn('output-schema', error.message, error);
    return result;
  }

  #compiled(tool: Tool): Observable<Checker> {
    return compiler
      .use(({ compileSchema }) => compileSchema(tool.outputSchema))
      .pipe(
        tap((checker) => {
          this.#checkers ??= new WeakMap<Tool, Checker>();
          this.#checkers.set(tool, checker);
        }),
      );
  }
}
