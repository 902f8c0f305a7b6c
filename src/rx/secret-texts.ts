import { REDACTED, withoutKnownSecrets } from './known-secrets.js';
import { withoutPairs } from './secret-pairs.js';
import { type How, valueAt } from './secret-values.js';
import { isCount, isSecretInQuery, isSecretName, isSecretSetting } from './secret-names.js';

/**
 * What a text is: what somebody is told, in which `token: expired` says what is the matter; or what went over a wire, of
 * which nothing may be kept that could be a secret.
 */
export type TextKind = 'message' | 'recording';

/** What may be the address of something: up to where no address goes on. */
const WORD = /[^\s"<>`]+/g;
const PORT_OR_NONE = /^[^:]*(?::\d{0,5})?$/;

/** A word without the user information of the URL in it, though the password has characters that should have been encoded. */
const withoutUser = (word: string): string => {
  const start = word.indexOf('://');
  const last = word.lastIndexOf('@');
  if (start === -1 || last < start) return word;
  const rest = word.slice(start + 3);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  // `host`, `host:80` or `user@host` end where they should; what else has a colon is a name and a password, which may go on.
  const end = PORT_OR_NONE.test(authority) ? start + 3 + authority.lastIndexOf('@') : last;
  return end < start + 3 ? word : `${word.slice(0, start)}://${REDACTED}${word.slice(end)}`;
};

/** `name=`, `name: `, `name =>`, quoted or not, also where quotes or the sign are escaped. It begins where a word does. */
const NAMING = /(?<![\w-])([\w-]+)(["'\\]*\s*(?:[=:]{1,3}>?|%3D)\s*\\*)(["']?)/gi;
/** A name of two words: `API key: `. */
const SECOND_WORD = /^(?:key|phrase|code|word)$/i;
const FIRST_WORD = /(?<![\w-])([A-Za-z]+) $/;
const LONGEST_WORD = 20;
/** In a key of RFC 7517, and what of it is secret: RFC 7518, section 6. */
const KEY_TYPE = /\bkty["'\\]*\s*[:=]/;
const KEY_PART = /^(?:d|k|p|q|dp|dq|qi)$/;
/** What is no value, or was taken out. */
const NO_VALUE =
  /(?:true|false|null|none|undefined)(?![\w-])|(?:bearer|basic|token)(?=["',;&\n\r]|$)|[[{(]|\/\/|[\w-]{1,20}\s{1,4}\[redacted/iy;
/** Headers whose values have spaces in them. */
const LONG_HEADER = /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i;
const howAt = (text: string, naming: RegExpExecArray, kind: TextKind): How => {
  const { index, 1: name = '', 2: between = '', 3: quote = '' } = naming;
  if (quote === '"' || quote === "'") return `${between.endsWith('\\') ? '\\' : ''}${quote}` as How;
  if (!between.includes(':')) return 'word';
  const before = text[index - 1] ?? '\n';
  if (LONG_HEADER.test(name)) return before === '"' || before === "'" ? before : 'line';
  return kind === 'recording' && /[\n\r]/.test(before) ? 'line' : 'word';
};

/** Whether a word is one that no sentence has. */
const isOdd = (word: string): boolean => word.length >= 16 || /[\d=]/.test(word);

const isOddIn = (value: string, how: How): boolean => (how === 'line' ? value.split(/\s+/).some(isOdd) : isOdd(value));

/** Whether a name says so with the word before it, by where it stands in a URL, or by what it is in a key of RFC 7517. */
const isSecretByPlace = (
  text: string,
  naming: RegExpExecArray,
  isSecret: (name: string) => boolean,
  hasKeys: boolean,
): boolean => {
  const { index, 1: name = '', 3: quote = '' } = naming;
  if (/[?&#]/.test(text[index - 1] ?? '') && isSecretInQuery(name)) return true;
  if (hasKeys && quote !== '' && KEY_PART.test(name)) return true;
  if (!SECOND_WORD.test(name)) return false;
  const [, first] = FIRST_WORD.exec(text.slice(Math.max(0, index - LONGEST_WORD), index)) ?? [];
  return first !== undefined && isSecret(`${first}_${name}`);
};

/** A text without what follows names that say it is secret. What follows another name may be named itself. */
const withoutNamed = (text: string, kind: TextKind): string => {
  const isSecretHere = kind === 'message' ? isSecretSetting : isSecretName;
  const hasKeys = KEY_TYPE.test(text);
  let clean = '';
  let from = 0;
  // Up to where a line was looked at, and nothing odd was in it.
  let plain = 0;
  NAMING.lastIndex = 0;
  for (let naming = NAMING.exec(text); naming !== null; naming = NAMING.exec(text)) {
    const { index, 0: all, 1: name = '', 2: between = '', 3: quote = '' } = naming;
    if (!isSecretHere(name) && !isSecretByPlace(text, naming, isSecretHere, hasKeys)) continue;
    const at = index + all.length;
    NO_VALUE.lastIndex = at;
    if (NO_VALUE.test(text)) continue;
    // Unquoted, what is behind an arrow is what a function does.
    if (quote === '' && between.includes('>')) continue;
    const how = howAt(text, naming, kind);
    if (how === 'line' && at < plain) continue;
    const value = valueAt(text, at, how);
    if (value === '' || isCount(name, /^\d{1,9}(?!\w)/.exec(value)?.[0])) continue;
    if (kind === 'message' && quote === '' && !between.includes('=') && !isOddIn(value, how)) {
      if (how === 'line') plain = at + value.length;
      continue;
    }
    clean += text.slice(from, at) + REDACTED;
    from = at + value.length;
    NAMING.lastIndex = from;
  }
  return clean + text.slice(from);
};

/** An option of a program that is followed by its value. */
const FLAG = /(?<=^|\s)--?([A-Za-z][\w-]*)(\s+)(?!-|\[redacted)([^\s"']+)/g;

const withoutFlags = (text: string, kind: TextKind): string =>
  text.replace(FLAG, (all: string, name: string, between: string, value: string) => {
    const isSecret = kind === 'message' ? isSecretSetting(name) && isOdd(value) : isSecretName(name);
    return isSecret ? `${all.slice(0, all.length - between.length - value.length)}${between}${REDACTED}` : all;
  });

/** A text without what looks like a secret, or is named like one. What is written in Base64 is not looked into. */
export const withoutSecretTexts = (text: string, kind: TextKind): string => {
  const shown = withoutKnownSecrets(text.includes('://') ? text.replace(WORD, withoutUser) : text);
  const paired = withoutPairs(shown, kind === 'message' ? isSecretSetting : isSecretName);
  return withoutFlags(withoutNamed(paired, kind), kind);
};
