import { messageOf, ServerGoneError } from '../../errors/index.js';
import { tellingLine } from '../telling-line.js';

/** The end of a sentence: the last line of stderr, and before it the one that says more, where that is another. */
const saying = (lines: readonly string[]): string => {
  const last = lines.at(-1)?.trim() ?? '';
  if (last === '') return '';
  const telling = tellingLine(lines);
  return telling === last || telling === ''
    ? `; its last line on stderr: ${last}`
    : `; on stderr: ${telling}; its last line there: ${last}`;
};

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

/**
 * Why a server is not there, for a person: what happened, and the last line that it wrote to stderr, with the one that says most.
 * @param lines its lines there that say something, where the error does not know them
 */
export const reasonOf = (error: unknown, lines: readonly string[]): string => {
  if (error instanceof ServerGoneError) {
    const { exitCode, signal, command, stderrTail } = error;
    const own = linesOf(stderrTail);
    // Without the lines before: they are in the error.
    const { message } = new ServerGoneError(exitCode, signal, command, '');
    return message + saying(own.length === 0 ? lines : own);
  }
  return messageOf(error) + saying(lines);
};
