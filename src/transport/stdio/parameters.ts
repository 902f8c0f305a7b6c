import { OptionError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { LONGEST_MS } from '../../rx/index.js';
import { DEFAULT_MAX_LINE_BYTES } from '../framing/index.js';

/** How a server is started as a child process and spoken to over its stdin and stdout. */
export interface StdioParameters {
  /** The program: a path, or a name that is looked up in the child's `PATH`. Never given to a shell. */
  command: string;
  /** Its arguments, as they are. Default none. */
  args?: readonly string[] | undefined;
  /** Variables laid over the inherited environment; `undefined` removes one. On Windows their names ignore case. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The child's working directory. Default: that of this process at the moment of the start. */
  cwd?: string | undefined;
  /** False gives the child the variables of `env` and no others, `PATH` included. Default true. */
  inheritEnv?: boolean | undefined;
  /** How long each of the two grace periods of a close lasts, in milliseconds. Default 2 000. */
  killGraceMs?: number | undefined;
  /** False where a server that ended may not be started again. Default true. */
  restart?: boolean | undefined;
  /**
   * Takes secrets out of what is told of the server: the lines of its stderr, and stderr, command and arguments in errors.
   * What it throws leaves nothing of the text. Default: all is told as it is.
   */
  redact?: ((text: string) => string) | undefined;
  /** The largest message that is accepted, in bytes. Default 64 MiB; values over 512 MiB count as 512 MiB. */
  maxMessageBytes?: number | undefined;
}

/** {@link StdioParameters} that were checked, with their defaults. */
export interface CheckedParameters {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  readonly inheritEnv: boolean;
  readonly killGraceMs: number;
  readonly restart: boolean;
  readonly redact: (text: string) => string;
  readonly maxMessageBytes: number;
}

// The system ends a string at its first NUL: what follows would be dropped without a word.
const text = (option: string, value: unknown): string => {
  if (typeof value !== 'string') throw new OptionError(option, `it must be a string, not ${typeof value}`);
  if (value.includes('\0')) throw new OptionError(option, 'it contains a NUL character; remove it');
  return value;
};

const flag = (option: string, value: unknown, fallback: boolean): boolean => {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw new OptionError(option, `it must be true or false, not ${typeof value}`);
  return value;
};

const commandOf = (value: unknown): string => {
  const command = text('command', value);
  if (command.trim() === '') throw new OptionError('command', 'it is empty; name the program that is the server');
  return command;
};

const argsOf = (value: unknown): readonly string[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new OptionError('args', `it must be an array of strings, not ${typeof value}`);
  // A hole in a sparse array is no string, and `map` would pass it over.
  return Array.from(value, (arg: unknown) => text('args', arg));
};

const envOf = (value: unknown): Readonly<Record<string, string | undefined>> => {
  if (value === undefined) return {};
  if (!isObject(value)) throw new OptionError('env', 'it must be an object of strings');
  return Object.fromEntries(
    Object.entries(value).map(([name, variable]) => {
      if (text('env', name) === '' || name.includes('=')) {
        throw new OptionError('env', `${JSON.stringify(name)} cannot be the name of a variable`);
      }
      return [name, variable === undefined ? undefined : text('env', variable)];
    }),
  );
};

const cwdOf = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  const cwd = text('cwd', value);
  if (cwd === '') throw new OptionError('cwd', 'it is empty; leave it out for the directory of this process');
  return cwd;
};

const killGraceOf = (value: unknown): number => {
  if (value === undefined) return 2_000;
  if (typeof value !== 'number' || !(value >= 0 && value <= LONGEST_MS)) {
    throw new OptionError('killGraceMs', `it must be a number of milliseconds from 0 to ${LONGEST_MS}`);
  }
  return value;
};

const asItIs = (told: string): string => told;

const redactOf = (value: unknown): ((text: string) => string) => {
  if (value === undefined) return asItIs;
  if (typeof value !== 'function') throw new OptionError('redact', `it must be a function, not ${typeof value}`);
  return (told) => {
    try {
      return String((value as (text: string) => unknown)(told));
    } catch {
      return '';
    }
  };
};

const maxMessageBytesOf = (value: unknown): number => {
  if (value === undefined) return DEFAULT_MAX_LINE_BYTES;
  if (typeof value !== 'number' || !(value >= 1)) {
    throw new OptionError('maxMessageBytes', 'it must be a number of bytes, at least 1');
  }
  return value;
};

/**
 * Checks parameters and fills in their defaults. Throws an `OptionError` that names the first option that cannot be
 * used. Values are copied: changing what was handed in changes nothing afterwards. Other keys are not looked at.
 */
export const checkParameters = (parameters: StdioParameters): CheckedParameters => {
  // JavaScript callers are checked too, so nothing is taken from the declared types.
  const given: unknown = parameters;
  if (!isObject(given)) throw new OptionError('parameters', 'they must be an object with a command');
  return {
    command: commandOf(given['command']),
    args: argsOf(given['args']),
    env: envOf(given['env']),
    cwd: cwdOf(given['cwd']),
    inheritEnv: flag('inheritEnv', given['inheritEnv'], true),
    killGraceMs: killGraceOf(given['killGraceMs']),
    restart: flag('restart', given['restart'], true),
    redact: redactOf(given['redact']),
    maxMessageBytes: maxMessageBytesOf(given['maxMessageBytes']),
  };
};
