import { REDACTED } from '../rx/known-secrets.js';
import { redactQuery, redactText } from './redact-text.js';
import { isSecretHeader, isSecretName } from './secret-names.js';

/** A part of a path that is a key rather than a word: hosted servers give each user a URL. */
export const KEY_IN_PATH = /^(?=.*\d)(?=.*[a-zA-Z])[\w-]{20,}$/;

/** A URL as it may be told: without user information, the values of its query, its fragment, and keys in its path. */
export const redactUrl = (url: string): string => {
  if (!URL.canParse(url)) return redactText(url);
  const { protocol, username, password, host, pathname, search } = new URL(url);
  const path = pathname
    .split('/')
    .map((part) => (KEY_IN_PATH.test(part) ? REDACTED : part))
    .join('/');
  const user = username === '' && password === '' ? '' : `${REDACTED}@`;
  return `${protocol}//${user}${host}${path}${redactQuery(search)}`;
};

const HEADER_FLAG = /^(?:-H|--?headers?)$/;
const FLAG = /^--?[A-Za-z]/;

const redactHeader = (line: string): string => {
  const [, name, between] = /^([^:=\s]+)(\s*[:=]\s*)/.exec(line) ?? [];
  if (name === undefined || between === undefined) return REDACTED;
  return isSecretHeader(name) ? `${name}${between}${REDACTED}` : line;
};

/** `name=value`, as arguments have it; an argument may hold another, as in `--env=NAME=value`. */
export const PAIR = /^([\w.-]+)=(.+)$/s;
const MOST_PAIRS = 3;

/** A text of a config as it may be told, behind the one that stands before it. */
export const redactArg = (arg: string, before: string | undefined, pairs = 0): string => {
  if (before !== undefined && HEADER_FLAG.test(before)) return redactHeader(arg);
  if (before !== undefined && FLAG.test(before) && !before.includes('=')) {
    if (isSecretName(before) && !arg.startsWith('--')) return REDACTED;
  }
  const [, name, value] = pairs < MOST_PAIRS ? (PAIR.exec(arg) ?? []) : [];
  if (name !== undefined && value !== undefined) {
    if (HEADER_FLAG.test(name)) return `${name}=${redactHeader(value)}`;
    return `${name}=${isSecretName(name) ? REDACTED : redactArg(value, undefined, pairs + 1)}`;
  }
  return URL.canParse(arg) && arg.includes('://') ? redactUrl(arg) : redactText(arg);
};

/** Arguments as they may be told: without what follows `--token` and the like, and what looks like a secret. */
export const redactArgs = (args: readonly string[]): readonly string[] =>
  args.map((arg, index) => redactArg(arg, args[index - 1]));
