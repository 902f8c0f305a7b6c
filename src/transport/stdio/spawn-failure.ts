import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SpawnFailedError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import type { CheckedParameters } from './parameters.js';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const mayEnter = (cwd: string): boolean => {
  try {
    accessSync(cwd, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

// The system reports a missing or closed working directory with the same codes as a missing or closed program.
const wrongDirectory = (cwd: string): string | undefined => {
  const directory = JSON.stringify(cwd);
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found === undefined) return `the working directory ${directory} does not exist; create it, or give another cwd`;
  if (!found.isDirectory()) return `${directory}, given as cwd, is not a directory; give one`;
  return mayEnter(cwd) ? undefined : `the working directory ${directory} may not be entered; change its permissions`;
};

const safely = <T>(look: () => T | undefined): T | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

const isPath = (command: string): boolean => command.includes('/') || command.includes('\\');

const notFound = (command: string, cwd: string | undefined): string => {
  if (/\s/.test(command) && !existsSync(resolve(cwd ?? '.', command))) {
    return 'no such program was found (ENOENT); its arguments go into args, one by one, and not into command';
  }
  if (!isPath(command)) {
    return 'no such program was found (ENOENT); install it, give its full path as command, or check PATH in env';
  }
  const path = resolve(cwd ?? '.', command);
  return existsSync(path)
    ? `${JSON.stringify(path)} exists, but the interpreter its first line names was not found (ENOENT); install that`
    : `there is no file ${JSON.stringify(path)} (ENOENT); check the path`;
};

const notPermitted = (command: string, cwd: string | undefined): string => {
  const isDirectory = isPath(command) && (safely(() => statSync(resolve(cwd ?? '.', command)).isDirectory()) ?? false);
  return isDirectory
    ? 'it is a directory (EACCES); name the program inside it'
    : 'permission denied (EACCES); make the file executable, or start it with its interpreter as command';
};

const reasonOf = (code: string, { command, cwd }: CheckedParameters): string => {
  const directory = cwd === undefined ? undefined : safely(() => wrongDirectory(cwd));
  if (directory !== undefined) return directory;
  switch (code) {
    case 'ENOENT':
      return safely(() => notFound(command, cwd)) ?? 'it was not found (ENOENT)';
    case 'EACCES':
    case 'EPERM':
      return notPermitted(command, cwd);
    case 'E2BIG':
      return 'its arguments and environment are too long for the system (E2BIG); shorten them, or use a file';
    case 'EMFILE':
    case 'ENFILE':
      return `too many files are open (${code}); close connections, or raise the limit`;
    case 'EAGAIN':
      return 'the system has no room for another process (EAGAIN); end some, or raise the limit';
    default:
      return code === '' ? 'the system refused' : `the system refused (${code})`;
  }
};

/** Takes secrets out of the system's error, which has the command and its arguments as well. */
const tellLess = (
  error: Record<string, unknown>,
  args: readonly string[],
  redact: CheckedParameters['redact'],
): void => {
  for (const member of ['message', 'stack', 'syscall', 'path']) {
    const text = error[member];
    if (typeof text === 'string') error[member] = redact(text);
  }
  if ('spawnargs' in error) error['spawnargs'] = args;
};

/** Why a start failed and what to do about it, found out from the system's error and a look at the files. */
export const explainSpawnFailure = (error: unknown, parameters: CheckedParameters): SpawnFailedError => {
  const { command, args, redact } = parameters;
  const told = args.map(redact);
  if (isObject(error)) tellLess(error, told, redact);
  return new SpawnFailedError(redact(command), told, redact(reasonOf(codeOf(error), parameters)), error);
};
