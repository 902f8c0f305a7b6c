import { catchError, defer, map, type Observable, of, tap, throwError } from 'rxjs';
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

const whyUnusable = (reason: unknown): string => `the output schema cannot be used: ${messageOf(reason)}`;

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
   * Emits the result of a tool once it is checked, and completes; what is not as its schema promised is an error or a
   * warning, by the mode. The result itself where there is nothing to check.
   */
  checked(name: string, result: CallToolResult): CallToolResult | Observable<CallToolResult> {
    const tool = this.#mode === 'off' ? undefined : this.#catalogue.get(name);
    if (tool?.outputSchema === undefined) return result;
    return this.#issues(tool, result).pipe(
      map((issues) => {
        if (issues.length > 0) throw new OutputInvalidError(name, issues);
        return result;
      }),
      catchError((reason: unknown) => {
        const unusable = !(reason instanceof OutputInvalidError);
        const error = unusable ? new OutputInvalidError(name, [whyUnusable(reason)]) : reason;
        if (this.#mode === 'error') return throwError(() => error);
        if (!unusable) this.#channels.warn('output-invalid', error.message, error);
        else if (this.#toldOf?.has(tool) !== true) {
          // Once a tool: the schema is the same for every result.
          this.#toldOf ??= new WeakSet<Tool>();
          this.#toldOf.add(tool);
          this.#channels.warn('output-schema', error.message, error);
        }
        return of(result);
      }),
    );
  }

  /**
   * Emits the issues of a result, none if it is as promised, and completes. Errors where the schema itself is of
   * no use. The output of a failed tool is never checked: it would hide the failure.
   */
  #issues(tool: Tool, result: CallToolResult): Observable<readonly string[]> {
    if (result.isError === true) return of([]);
    if (result.structuredContent === undefined) return of(['there is no structured content']);
    return this.#checker(tool).pipe(map((check) => check(result.structuredContent)));
  }

  #checker(tool: Tool): Observable<Checker> {
    return defer(() => {
      const known = this.#checkers?.get(tool);
      if (known !== undefined) return of(known);
      return compiler
        .use(({ compileSchema }) => compileSchema(tool.outputSchema))
        .pipe(
          tap((checker) => {
            this.#checkers ??= new WeakMap<Tool, Checker>();
            this.#checkers.set(tool, checker);
          }),
        );
    });
  }
}
