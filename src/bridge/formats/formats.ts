import type { LlmFormat } from '../provider.js';
import { aiSdk } from './ai-sdk.js';
import { anthropic } from './anthropic.js';
import type { Format } from './format.js';
import { gemini } from './gemini.js';
import { openai } from './openai.js';
import { openaiResponses } from './openai-responses.js';

const FORMATS: { readonly [F in LlmFormat]: Format<F> } = {
  openai,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  'ai-sdk': aiSdk,
};

/** The formats, by name, in the order in which they are documented. */
export const LLM_FORMATS: readonly LlmFormat[] = Object.keys(FORMATS) as LlmFormat[];

/** All that is known of one vendor's shapes. */
export const formatOf = <F extends LlmFormat>(format: F): Format<F> => FORMATS[format];
