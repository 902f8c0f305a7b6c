import type { Ask } from '../../../src/cli/ask/dialogue.js';
import { type Part, render } from '../../../src/cli/text/paint.js';

/** A person who types these lines, one for each question; and all that was said, a question with what was typed. */
export const scriptedAsk = (
  ...lines: readonly (string | undefined)[]
): { readonly ask: Ask; readonly said: string[] } => {
  const said: string[] = [];
  const left = [...lines];
  const text = (parts: readonly Part[]): string => render(parts, false);
  const line: Ask['line'] = async (...prompt) => {
    if (left.length === 0) throw new Error(`nobody answers: ${text(prompt)}`);
    const typed = left.shift();
    said.push(text(prompt) + (typed ?? '^D'));
    return typed;
  };
  return { said, ask: { say: (...parts) => void said.push(text(parts)), line, confirm: line } };
};
