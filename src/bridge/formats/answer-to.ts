import type { AnswerOf, CallFormat } from './format.js';

/** The format of a call, by the shape of its type. */
export type FormatOfCall<C> = unknown extends C
  ? CallFormat
  : C extends { readonly type: 'function_call' }
    ? 'openai-responses'
    : C extends { readonly type: 'tool_use' }
      ? 'anthropic'
      : C extends { readonly type: 'tool-call' }
        ? 'ai-sdk'
        : C extends { readonly type: 'function' | 'custom' }
          ? 'openai'
          : 'functionCall' extends keyof C
            ? 'gemini'
            : 'args' extends keyof C
              ? 'gemini'
              : 'neutral';

/** What answers a call of a type. */
export type AnswerTo<C> = AnswerOf<FormatOfCall<C>>;
