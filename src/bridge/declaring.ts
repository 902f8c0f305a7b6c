import { boolean, type Check, checkOptions, callback, milliseconds, oneOf } from '../jsonrpc/checks.js';
import { signal } from '../client/call-options.js';
import { guarded } from '../rx/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import { declare, type DeclarationsOf, LLM_FORMATS } from './formats/index.js';
import type { LlmFormat } from './provider.js';
import type { DeclarationChange } from './schemas/index.js';

/** How tools are declared to a model. */
export interface DeclareOptions<F extends LlmFormat = LlmFormat> {
  /** The API they are for. Default `'openai'`: chat completions. */
  readonly format?: F | undefined;
  /** Called once with what was changed or left out to make the declarations legal; not at all if nothing was. */
  readonly report?: ((changes: readonly DeclarationChange[]) => void) | undefined;
  /** True asks where the tools are, whatever is kept. */
  readonly refresh?: boolean | undefined;
  /** How long each request may take, in ms; 0 is without limit. */
  readonly timeoutMs?: number | undefined;
  /** Gives it up when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** One check for each option of declarations. */
export const DECLARE_CHECKS: Readonly<Record<keyof DeclareOptions, Check>> = {
  format: oneOf(...LLM_FORMATS),
  report: callback,
  refresh: boolean,
  timeoutMs: milliseconds(0),
  signal,
};

/** Throws an `OptionError` for an option that is unknown or cannot be used. */
export const checkDeclareOptions = (options: unknown): void => {
  checkOptions(options, DECLARE_CHECKS, 'options');
};

/** The declarations of tools, and the report of what was changed for them. */
export const declared = <F extends LlmFormat>(
  tools: readonly Tool[],
  options: DeclareOptions<F>,
): DeclarationsOf<F> => {
  const { declarations, changes } = declare(tools, options.format ?? ('openai' as F));
  if (changes.length > 0 && options.report !== undefined) guarded(options.report, changes, () => undefined);
  return declarations;
};
