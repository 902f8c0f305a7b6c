import { type Check, callback, checkMembers, milliseconds, oneOf, refuse } from '../../jsonrpc/checks.js';
import { isObject } from '../../jsonrpc/index.js';
import type { CallToolResult } from '../../protocol/schemas/index.js';
import type { Answer } from '../../rx/index.js';
import { type Count, counterOf } from './count.js';

/** How much of results a model gets to read, in tokens; `Infinity` is without limit. Each must be at least 1. */
export interface Budget {
  /** What one result may take. Default: without limit. */
  readonly perCall?: number | undefined;
  /**
   * What the results of one batch may take together. Failures come first and whole; the others fill what is left: small
   * ones whole, larger ones in equal parts. Default: without limit.
   */
  readonly perBatch?: number | undefined;
  /** In place of `perCall`, for single tools. */
  readonly tools?: Readonly<Record<string, number>> | undefined;
}

/** A text that is about to be cut. */
export interface Spilled {
  readonly tool: string;
  readonly toolCallId: string;
  /** The whole text, as it would have gone to the model. */
  readonly text: string;
  /** What the tool answered. */
  readonly raw: CallToolResult;
}

/** How results become what a model reads. */
export interface RenderOptions {
  /** `'name'` (default) names images, audio and other bytes in the text; `'parts'` hands them over, where they fit. */
  readonly media?: 'name' | 'parts' | undefined;
  /** How much of the results the model gets to read. Default: all, but for very long failures. */
  readonly budget?: Budget | undefined;
  /** Counts the tokens of a text. Default, and where it throws or answers no number: four characters each. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /**
   * Called where a text is cut. It may store the whole and answer where: a file name, a URI, in one line of at most 1 000
   * characters, which the model is then told. What fails, takes too long or answers anything else goes unmentioned.
   */
  readonly spill?: ((what: Spilled) => Answer<string | undefined>) | undefined;
  /** How long `spill` may take, in ms. Default 5 000. */
  readonly spillTimeoutMs?: number | undefined;
}

/** The options, complete and checked. */
export interface Rendering {
  readonly media: 'name' | 'parts';
  readonly count: Count;
  readonly perBatch: number;
  /** What one result of a tool may take. */
  readonly perCall: (tool: string) => number;
  readonly spill: RenderOptions['spill'];
  readonly spillTimeoutMs: number;
}

const tokens: Check = (value, name) => {
  const whole = Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY;
  if (!whole || (value as number) < 1) refuse(name, 'give a whole number of tokens, at least 1, or Infinity');
};

const eachTool: Check = (value, name) => {
  if (!isObject(value)) return refuse(name, 'give an object of a number of tokens for each tool');
  for (const [tool, limit] of Object.entries(value)) if (limit !== undefined) tokens(limit, `${name}.${tool}`);
};

const BUDGET_CHECKS: Readonly<Record<keyof Budget, Check>> = { perCall: tokens, perBatch: tokens, tools: eachTool };

const budget: Check = (value, name) => {
  checkMembers(value, BUDGET_CHECKS, name);
};

/** One check for each option of rendering, for `checkOptions`; its keys are the options there are. */
export const RENDER_CHECKS: Readonly<Record<keyof RenderOptions, Check>> = {
  media: oneOf('name', 'parts'),
  budget,
  countTokens: callback,
  spill: callback,
  spillTimeoutMs: milliseconds(1),
};

/** Completes options that {@link RENDER_CHECKS} has passed. */
export const renderingOf = (options: RenderOptions = {}): Rendering => {
  const { perCall = Infinity, perBatch = Infinity, tools = {} } = options.budget ?? {};
  return {
    media: options.media ?? 'name',
    count: counterOf(options.countTokens),
    perBatch,
    // A tool may be called `constructor`.
    perCall: (tool) => (Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? perCall,
    spill: options.spill,
    spillTimeoutMs: options.spillTimeoutMs ?? 5_000,
  };
};
