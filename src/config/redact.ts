import { isSecretHeader, isSecretName } from './secret-names.js';
import type { ServerConfig } from './server-config.js';

/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** Tokens that are known by their looks, and what introduces one. */
const SHAPES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(bearer|basic|token)(\s+)(?=\S*\d|\S{20})[\w.~+/=-]{8,}/gi, `$1$2${REDACTED}`],
  [/\b(?:sk|pk|rk)[-_][\w-]{16,}/g, REDACTED],
  [/\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AKIA[0-9A-Z]{16})/g, REDACTED],
  [/(?<![\w-])(?:AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?)/g, REDACTED],
  // The user information of a URL.
  [/:\/\/[^\s/?#@"']+@/g, `://${REDACTED}@`],
];

/** A URL up to its query, and the query. */
const QUERY = /(:\/\/(?:(?!:\/\/)[^\s?#"'])*\?)([^\s#"']*)/g;
const QUERY_VALUE = /=[^&]*/g;

const withoutValues = (query: string): string => query.replace(QUERY_VALUE, `=${REDACTED}`);

/**
 * `name=value` and `name: value`, quoted or not, as programs write what they were given; no `${NAME:-default}`. As all
 * patterns here it begins where a word does, so that it is not tried anew at each letter of a long one.
 */
const ASSIGNMENT = /(?<![\w-]|\$\{)([\w-]+)(["']?\s*[=:]\s*["']?)([^\s"',;&]+)/g;

/** Whether it is a value that follows a name, and not the next word of a sentence: `invalid token: expired`. */
const isAssigned = (between: string, value: string): boolean => {
  if (value.includes(REDACTED) || value.startsWith('//') || /^(?:bearer|basic|token)$/i.test(value)) return false;
  return /["'=]/.test(between) || /\d/.test(value) || value.length >= 16;
};

/** Takes out what looks like a secret, in a text of which nothing else is known. */
const withoutShapes = (text: string): string => {
  let clean = text.replace(QUERY, (_all, head: string, query: string) => head + withoutValues(query));
  for (const [pattern, instead] of SHAPES) clean = clean.replace(pattern, instead);
  return clean.replace(ASSIGNMENT, (all: string, name: string, between: string, value: string) =>
    isSecretName(name) && isAssigned(between, value) ? `${name}${between}${REDACTED}` : all,
  );
};

/** A part of a path that is a key rather than a word: hosted servers give each user a URL. */
const KEY_IN_PATH = /^(?=.*\d)(?=.*[a-zA-Z])[\w-]{20,}$/;

/** A URL as it may be told: without user information, the values of its query, its fragment, and keys in its path. */
export const redactUrl = (url: string): string => {
  if (!URL.canParse(url)) return withoutShapes(url);
  const { protocol, username, password, host, pathname, search } = new URL(url);
  const path = pathname
    .split('/')
    .map((part) => (KEY_IN_PATH.test(part) ? REDACTED : part))
    .join('/');
  const user = username === '' && password === '' ? '' : `${REDACTED}@`;
  return `${protocol}//${user}${host}${path}${withoutValues(search)}`;
};

const HEADER_FLAG = /^(?:-H|--?headers?)$/;
const FLAG = /^--?[A-Za-z]/;

const redactHeader = (line: string): string => {
  const [, name, between] = /^([^:=\s]+)(\s*[:=]\s*)/.exec(line) ?? [];
  if (name === undefined || between === undefined) return REDACTED;
  return isSecretHeader(name) ? `${name}${between}${REDACTED}` : line;
};

/** `name=value`, as arguments have it; an argument may hold another, as in `--env=NAME=value`. */
const PAIR = /^([\w.-]+)=(.+)$/s;
const MOST_PAIRS = 3;

const redactArg = (arg: string, before: string | undefined, pairs = 0): string => {
  if (before !== undefined && HEADER_FLAG.test(before)) return redactHeader(arg);
  if (before !== undefined && FLAG.test(before) && !before.includes('=')) {
    if (isSecretName(before) && !arg.startsWith('--')) return REDACTED;
  }
  const [, name, value] = pairs < MOST_PAIRS ? (PAIR.exec(arg) ?? []) : [];
  if (name !== undefined && value !== undefined) {
    if (HEADER_FLAG.test(name)) return `${name}=${redactHeader(value)}`;
    return `${name}=${isSecretName(name) ? REDACTED : redactArg(value, undefined, pairs + 1)}`;
  }
  return URL.canParse(arg) && arg.includes('://') ? redactUrl(arg) : withoutShapes(arg);
};

/** Arguments as they may be told: without what follows `--token` and the like, and what looks like a secret. */
export const redactArgs = (args: readonly string[]): readonly string[] =>
  args.map((arg, index) => redactArg(arg, args[index - 1]));

const redactMembers = <V extends string | undefined>(
  members: Readonly<Record<string, V>>,
  isSecret: (name: string) => boolean,
): Readonly<Record<string, V | string>> =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      value === undefined ? value : isSecret(name) ? REDACTED : redactArg(value, undefined),
    ]),
  );

/** A server of a config as it may be shown: the same, but for its secrets. */
export const describeServer = (server: ServerConfig): ServerConfig =>
  server.transport === 'stdio'
    ? {
        ...server,
        command: withoutShapes(server.command),
        ...(server.args === undefined ? {} : { args: redactArgs(server.args) }),
        ...(server.env === undefined ? {} : { env: redactMembers(server.env, isSecretName) }),
      }
    : {
        ...server,
        url: redactUrl(server.url),
        ...(server.headers === undefined ? {} : { headers: redactMembers(server.headers, isSecretHeader) }),
      };

/** As it stands in a URL, if it can. */
const encoded = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half of a character has no such form.
    return text;
  }
};

/** As it was before it stood in a URL. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign may be nothing but that.
    return text;
  }
};

/** Shorter values in a query are words rather than secrets, unless their names say otherwise. */
const LONG_IN_QUERY = 12;

/** What is secret in a URL. Beside a password, the name of a user is none. */
const secretsInUrl = (url: string): readonly string[] => {
  if (!url.includes('://') || !URL.canParse(url)) return [];
  const { username, password, pathname, searchParams } = new URL(url);
  const inQuery = [...searchParams].filter(([name, value]) => isSecretName(name) || value.length >= LONG_IN_QUERY);
  return [
    password === '' ? username : password,
    ...pathname.split('/').filter((part) => KEY_IN_PATH.test(part)),
    ...inQuery.map(([, value]) => value),
  ].flatMap((part) => [part, decoded(part)]);
};

/** What was taken out of a text, where it is all that follows what was left. */
const takenFrom = (text: string, told: string): string => {
  const kept = told.endsWith(REDACTED) ? told.slice(0, -REDACTED.length) : undefined;
  return kept !== undefined && text.startsWith(kept) ? text.slice(kept.length) : '';
};

/** The values that are secret in a server, as they stand there. */
const secretsOf = (server: ServerConfig): readonly string[] => {
  if (server.transport === 'stdio') {
    const { args = [], env = {} } = server;
    const told = redactArgs(args);
    return [
      ...Object.entries(env).flatMap(([name, value = '']) => (isSecretName(name) ? value : secretsInUrl(value))),
      ...args.map((arg, index) => takenFrom(arg, told[index] ?? '')),
      ...args.flatMap((arg) => secretsInUrl(PAIR.exec(arg)?.[2] ?? arg)),
    ];
  }
  const { url, headers = {} } = server;
  return [...Object.entries(headers).map(([name, value]) => (isSecretHeader(name) ? value : '')), ...secretsInUrl(url)];
};

/** Shorter values are words of their own: without them, a text would be full of holes and tell what they are. */
const SHORTEST = 4;

/** A value in each of the forms in which a text may have it. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  // The part behind `Bearer` may stand alone.
  ...secret.split(/\s+/).filter((part) => part.length >= 8),
  encoded(secret),
  JSON.stringify(secret).slice(1, -1),
];

/**
 * What takes the secrets of a server out of a text, such as an error, or a line of its stderr: the values that are secret
 * in its config, `also` these, and whatever looks like a secret by its shape or by what introduces it. Throws nothing.
 */
export const redactorOf = (server?: ServerConfig, also: readonly string[] = []): ((text: string) => string) => {
  const secrets = [...(server === undefined ? [] : secretsOf(server)), ...also];
  // The longest first: another may be a part of it.
  const forms = [...new Set(secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf))].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => withoutShapes(forms.reduce((clean, form) => clean.replaceAll(form, REDACTED), text));
};
