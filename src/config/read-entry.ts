import { below } from '../bridge/schemas/report.js';
import { messageOf } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import { describedWith } from './describe-server.js';
import { expand, type Surroundings } from './expand.js';
import { type ConfigProblem, Problems } from './problem.js';
import { isKnownKey, readServer } from './read-server.js';
import { redactText } from './redact-text.js';
import { redactorOf } from './redactor.js';
import type { ServerConfig } from './server-config.js';

/** What became of one entry of a config. */
export type ConfigEntry = {
  /** Its key, as it is written. */
  readonly key: string;
  /** Where it stands, as a JSON Pointer. */
  readonly path: string;
} & (
  | {
      readonly state: 'usable';
      readonly server: ServerConfig;
      /** Takes the secrets of this server out of a text. */
      readonly redact: (text: string) => string;
    }
  | { readonly state: 'disabled' }
  | {
      readonly state: 'failed';
      /** What is wrong with it, and what to do. It holds no secret. */
      readonly reason: string;
    }
);

/** Lists and objects of texts are the deepest that has a meaning in an entry; an object that was handed in may be endless. */
const DEEPEST = 1;

/** Replaces the references in every text of a value. */
const expanded = (
  value: unknown,
  path: string,
  around: Surroundings,
  problems: Problems,
  secrets: string[],
  depth = 0,
): unknown => {
  if (typeof value === 'string') {
    const found = expand(value, around);
    for (const { message, variable } of found.unresolved) problems.add('error', path, message, { variable });
    secrets.push(...found.secrets);
    return found.text;
  }
  if (depth >= DEEPEST || typeof value !== 'object' || value === null) return value;
  const inner = (member: unknown, step: string | number): unknown =>
    expanded(member, below(path, step), around, problems, secrets, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  return Object.fromEntries(Object.entries(value).map(([key, member]: [string, unknown]) => [key, inner(member, key)]));
};

/** An entry, and what is not as it should be in it. */
export interface ReadEntry {
  readonly entry: ConfigEntry;
  readonly problems: readonly ConfigProblem[];
}

/** The sentence of a problem where its path does not stand beside it: most begin with the member they are about. */
const told = (path: string, { path: where, message }: ConfigProblem): string => {
  const member = where.slice(path.length + 1);
  return member === '' || message.startsWith(`${member.split('/', 1).join('')}:`) ? message : `${member}: ${message}`;
};

/** Why what was handed in cannot be looked at. It holds no secret. */
export const unreadable = (error: unknown): string => `it cannot be read: ${redactText(messageOf(error))}`;

const failedEntry = (key: string, path: string, problems: readonly ConfigProblem[]): ReadEntry => {
  const errors = problems.filter(({ level }) => level === 'error');
  return {
    entry: { key, path, state: 'failed', reason: errors.map((error) => told(path, error)).join('; ') },
    problems,
  };
};

const readThrough = (
  key: string,
  read: () => unknown,
  path: string,
  around: Surroundings,
  problems: Problems,
): ReadEntry => {
  if (key.trim() === '') {
    problems.add('error', path, 'the key of a server is its name, and is empty: give it one');
    return failedEntry(key, path, problems.all);
  }
  // Once: what is read again may be another.
  const given = read();
  const raw: unknown = isObject(given) ? { ...given } : given;
  if (!isObject(raw)) {
    problems.add('error', path, 'a server is an object with a command or a url');
    return failedEntry(key, path, problems.all);
  }

  const secrets: string[] = [];
  const replaced = Object.entries(raw).map(
    ([name, value]) =>
      [name, isKnownKey(name) ? expanded(value, below(path, name), around, problems, secrets) : value] as const,
  );
  // What is wrong with a text whose reference could not be replaced follows from that.
  const unresolved = new Set(problems.all.map((problem) => problem.path));
  const found = new Problems({ server: key });
  const server = readServer(Object.fromEntries(replaced), path, around, found);
  if (server === 'disabled') return { entry: { key, path, state: 'disabled' }, problems: [] };

  const redact = redactorOf(server, secrets);
  const other = found.all
    .filter((problem) => !unresolved.has(problem.path))
    .map((problem) => ({ ...problem, message: redact(problem.message) }));
  // Those about references name them, and no value: a redactor would take the names out.
  const all = [...problems.all, ...other];
  if (server === undefined || all.some(({ level }) => level === 'error')) return failedEntry(key, path, all);
  describedWith(server, redact);
  return { entry: { key, path, state: 'usable', server, redact }, problems: all };
};

/**
 * Reads one entry, which `read` gets: replaces what its texts refer to, and checks it. An entry with an error has failed, and no other is
 * touched by that; of one that is switched off nothing is told. Throws nothing.
 */
export const readEntry = (key: string, read: () => unknown, path: string, around: Surroundings): ReadEntry => {
  const problems = new Problems({ server: key });
  try {
    return readThrough(key, read, path, around, problems);
  } catch (error) {
    // An object that was handed in may be code, at any depth.
    problems.add('error', path, unreadable(error));
    return failedEntry(key, path, problems.all);
  }
};
