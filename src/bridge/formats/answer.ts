import type { ToolResult } from '../provider.js';
import type { Answered, AnswerOf, CallFormat } from './format.js';
import { formatOf } from './formats.js';

const FACTS = ['is_error', 'structured_content', 'raw', 'error'] as const;

/**
 * The result of a call in the shape in which the format takes it. Its enumerable fields are those of the vendor;
 * `is_error`, `structured_content`, `raw` and `error` can be read too, but go into no request. Where a format takes only text, or
 * not this kind of part, the text names what was there. Throws nothing.
 */
export const answerIn = <F extends CallFormat>(format: F, call: Answered, result: ToolResult): AnswerOf<F> => {
  if (format === 'neutral') return result as AnswerOf<F>;
  const answer: object = formatOf(format).answer(call, result);
  for (const fact of FACTS) {
    if (fact in answer || result[fact] === undefined) continue;
    Object.defineProperty(answer, fact, { value: result[fact], configurable: true, writable: true });
  }
  return answer as AnswerOf<F>;
};
