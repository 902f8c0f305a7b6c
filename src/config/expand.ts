import { basename, sep } from 'node:path';
import { isSecretName } from './secret-names.js';

/** Variables by name, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What references in a config can mean. */
export interface Surroundings {
  /** The environment variables. */
  readonly env: Variables;
  /** The folder of the project: `${workspaceFolder}`. */
  readonly projectDir: string;
  /** The home of the user: `${userHome}`; `undefined` where there is none. */
  readonly home: string | undefined;
  /** Whether names that differ in case alone are one, as on Windows. Default: false. */
  readonly ignoreCase?: boolean | undefined;
}

/** A reference that could not be replaced, and what to do about it. */
export interface Unresolved {
  /** The variable that is not set; `undefined` where the reference is none to a variable. */
  readonly variable: string | undefined;
  readonly message: string;
}

/** What became of a text. */
export interface Expansion {
  readonly text: string;
  readonly unresolved: readonly Unresolved[];
  /** The values, or defaults, of variables that are secret by their names, wherever in the text they now stand. */
  readonly secrets: readonly string[];
}

const NAME = /^[A-Za-z_][\w.-]*(?:\(x86\))?$/;

/** The references of editors that mean the same wherever they stand. */
const FIXED: Readonly<Record<string, (around: Surroundings) => string | undefined>> = {
  workspaceFolder: ({ projectDir }) => projectDir,
  workspaceRoot: ({ projectDir }) => projectDir,
  workspaceFolderBasename: ({ projectDir }) => basename(projectDir),
  userHome: ({ home }) => home,
  pathSeparator: () => sep,
  '/': () => sep,
};

/** The references that only an editor can resolve. */
const OF_EDITORS = /^(?:input|command|config|workspaceFolder):/;

/** The end of the reference whose `${` stands at `start`; -1 if it has none. Braces in it come in pairs. */
const endOf = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '{') depth += 1;
    else if (text.charAt(at) === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
};

const valueOf = (name: string, { env, ignoreCase = false }: Surroundings): string | undefined => {
  if (Object.hasOwn(env, name) || !ignoreCase) return Object.hasOwn(env, name) ? env[name] : undefined;
  const written = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return written === undefined ? undefined : env[written];
};

/** Defaults within defaults: no person writes more of them, and each costs a stack frame. */
const DEEPEST = 32;

const TOO_DEEP: Unresolved = {
  variable: undefined,
  message: `defaults are nested more than ${DEEPEST} deep: write the value`,
};

const missing = (name: string): Unresolved => ({
  variable: name,
  message: `the variable ${name} is not set: set it, or give a default with \${${name}:-…}`,
});

/** The home is the only one of them that may be missing. */
const HOMELESS: Unresolved = {
  variable: undefined,
  message: 'this user has no home folder: set the variable HOME, or write the path',
};

const ofAnEditor = (reference: string): Unresolved => ({
  variable: undefined,
  message: reference.startsWith('input:')
    ? `\${${reference}} would be asked for by an editor: put the value into an environment variable, and write \${NAME}`
    : `\${${reference}} means something to an editor alone: write the value, or put it into a variable, and write \${NAME}`,
});

/**
 * Replaces what a text refers to. `${NAME}` and `${env:NAME}` are variables; after `:-` may stand a default for one that is
 * not set, which may hold references itself. An empty variable is set. `${workspaceFolder}`, `${workspaceFolderBasename}`,
 * `${userHome}`, `${pathSeparator}` and `${/}` are what they are in editors. What cannot be resolved stays in the text and
 * is told; what is no reference, such as `$NAME` or the `${x%.*}` of a shell, stays as it is. Values are not looked into.
 */
export const expand = (text: string, around: Surroundings): Expansion => {
  const unresolved: Unresolved[] = [];
  const secrets: string[] = [];

  const resolve = (reference: string, depth: number): string | undefined => {
    const fixed = Object.hasOwn(FIXED, reference) ? FIXED[reference] : undefined;
    if (fixed !== undefined) {
      const found = fixed(around);
      if (found === undefined) unresolved.push(HOMELESS);
      return found;
    }
    if (OF_EDITORS.test(reference)) {
      unresolved.push(ofAnEditor(reference));
      return undefined;
    }
    const [head = '', ...rest] = reference.split(':-');
    const name = head.replace(/^env:/, '');
    if (!NAME.test(name)) return undefined;
    const value = valueOf(name, around);
    if (value !== undefined) {
      if (isSecretName(name)) secrets.push(value);
      return value;
    }
    if (rest.length > 0) {
      if (depth >= DEEPEST) {
        unresolved.push(TOO_DEEP);
        return undefined;
      }
      const otherwise = replace(rest.join(':-'), depth + 1);
      // It stands in for a secret.
      if (isSecretName(name)) secrets.push(otherwise);
      return otherwise;
    }
    unresolved.push(missing(name));
    return undefined;
  };

  const replace = (part: string, depth: number): string => {
    let done = '';
    let at = 0;
    for (let start = part.indexOf('${'); start >= 0; start = part.indexOf('${', at)) {
      const end = endOf(part, start);
      if (end < 0) break;
      const whole = part.slice(start, end + 1);
      done += part.slice(at, start) + (resolve(whole.slice(2, -1), depth) ?? whole);
      at = end + 1;
    }
    return done + part.slice(at);
  };

  return { text: replace(text, 0), unresolved, secrets };
};
