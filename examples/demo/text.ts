import { stripVTControlCharacters } from 'node:util';
import type { CallToolResult } from '../../src/index.js'; // 'rx-mcp'

/**
 * A stranger's words as one line that is safe to print: they may hold line breaks, or sequences that a terminal
 * would obey.
 */
export const oneLine = (words: string, longest = 500): string => {
  const line = stripVTControlCharacters(words)
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
};

/** The text of a tool's result. */
export const textOf = ({ content }: CallToolResult): string =>
  oneLine(content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join(' '));

/** What went wrong, as one line. The errors of rx-mcp say what, of which server, and why. */
export const reasonOf = (reason: unknown): string =>
  oneLine(reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason));
