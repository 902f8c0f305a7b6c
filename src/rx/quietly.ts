import { answerOf } from './answer-of.js';

/** Has something done that answers in its own time, and whose failure changes nothing. */
export const quietly = (work: () => unknown): void => {
  answerOf(work).subscribe({ error: () => undefined });
};
