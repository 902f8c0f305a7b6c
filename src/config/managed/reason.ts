import { messageOf, ServerGoneError } from '../../errors/index.js';

const lastOf = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim() ?? '';

/**
 * Why a server is not there, for a person: what happened, and the last line that it wrote to stderr.
 * @param lastLine that line, where the error does not know it
 */
export const reasonOf = (error: unknown, lastLine: string): string => {
  if (error instanceof ServerGoneError) {
    const { exitCode, signal, command, stderrTail } = error;
    const own = lastOf(stderrTail);
    const said = own === '' ? lastLine : own;
    // Without the lines before: they are in the error.
    const { message } = new ServerGoneError(exitCode, signal, command, '');
    return said === '' ? message : `${message}; its last line on stderr: ${said}`;
  }
  return lastLine === '' ? messageOf(error) : `${messageOf(error)}; its last line on stderr: ${lastLine}`;
};
