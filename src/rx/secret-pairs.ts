import { REDACTED } from './known-secrets.js';
import { isCount, holderOf, isSecretBeside } from './secret-names.js';
import { type How, valueAt } from './secret-values.js';

type IsSecret = (name: string) => boolean;

/** What stands between the tags of an element: `<password>…</password>`. A bare `key` says of what, in the entry of a list. */
const ELEMENT = /<(?!key>)([A-Za-z][\w:.-]{0,60})([^<>]*>(?:<!\[CDATA\[)?)([^<]+)(?=<\/)/g;
/** An entry of a property list: `<key>password</key><string>…</string>`. */
const ENTRY = /<(?:key|name)>([^<>]{1,60})(<\/(?:key|name)>\s*<(?:string|value)>\s*(?:<string>)?)([^<]+)/g;

const withoutElements = (text: string, isSecret: IsSecret): string => {
  const replaced = (all: string, name: string, between: string, value: string): string => {
    const isLeft = !isSecret(name) || between.endsWith('/>') || value.trim() === '' || value.startsWith(REDACTED);
    return isLeft || isCount(name, value) ? all : all.slice(0, all.length - value.length) + REDACTED;
  };
  return text.replace(ELEMENT, replaced).replace(ENTRY, replaced);
};

/** A tag, or an object without those that are in it. */
const GROUP = /[<{][^<>{}]+/g;
/** A member or an attribute, up to what it says: `key="`, `"key": "`, `key => '`. */
const MEMBER = /(?<![\w-])([A-Za-z]+)(["'\\]*\s*(?:=>|[:=])\s*\\*)(["']?)/g;

interface Member {
  readonly name: string;
  readonly at: number;
  readonly value: string;
}

const membersOf = (group: string): readonly Member[] => {
  const members: Member[] = [];
  MEMBER.lastIndex = 0;
  for (let found = MEMBER.exec(group); found !== null; found = MEMBER.exec(group)) {
    const { 0: all, 1: name = '', 2: between = '', 3: quote = '' } = found;
    const at = found.index + all.length;
    const how = quote === '' ? 'word' : (between.endsWith('\\') ? '\\' : '') + quote;
    const value = valueAt(group, at, how as How);
    MEMBER.lastIndex = at + value.length;
    if (value !== '') members.push({ name, at, value });
  }
  return members;
};

const HOLDER = /(?:val|values?|text|content|data|answer|default)["'\\]*\s*[:=]/i;
/** What is longer is a text, and names nothing. */
const LONGEST_NAME = 60;

/** What is named by one member and held by another: `<add key="Password" value="…"/>`, `{"type":"password","value":"…"}`. */
const withoutHeld = (group: string): string => {
  if (!HOLDER.test(group)) return group;
  const members = membersOf(group);
  const naming = (held: 'value' | 'text'): string | undefined =>
    members.find(({ name, value }) => value.length <= LONGEST_NAME && isSecretBeside(name, value, held))?.value;
  // Once for each of the two kinds, however many there are.
  const names = { value: naming('value'), text: naming('text') };
  let clean = '';
  let from = 0;
  for (const { name: holder, at, value } of members) {
    const kind = holderOf(holder);
    const name = kind === undefined ? undefined : names[kind];
    if (name === undefined || isCount(name, value) || value.startsWith(REDACTED)) continue;
    clean += group.slice(from, at) + REDACTED;
    from = at + value.length;
  }
  return clean + group.slice(from);
};

/** A user and the password of an option of `curl`. A user and a group of numbers are of `docker`. */
const USER = /(?<!\S)(-[uU]|--(?:proxy-)?user)(\s+|=)(\\*["']?)([^\s:"'\\]{0,64}:)(?!\/\/|\[redacted|\d+(?!\S))/g;
/** What stands before a password in a `.netrc`. */
const NETRC = /(?<!\S)(?:machine\s+[^\s,;]+|default)(?:\s+(?:login|account)\s+\S+){1,2}\s+password\s+(?!\[redacted)/g;

/** A text without the values that begin where a pattern ends. */
const withoutValues = (text: string, pattern: RegExp, howOf: (found: RegExpExecArray) => How): string => {
  let clean = '';
  let from = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const at = found.index + found[0].length;
    const value = valueAt(text, at, howOf(found));
    if (value === '') continue;
    clean += text.slice(from, at) + REDACTED;
    from = at + value.length;
    pattern.lastIndex = from;
  }
  return clean + text.slice(from);
};

/** A text without secrets that are named by what stands around them: in tags, in objects, and in the ways of some programs. */
export const withoutPairs = (text: string, isSecret: IsSecret): string => {
  let clean = text.includes('</') ? withoutElements(text, isSecret) : text;
  if (/[<{]/.test(clean)) clean = clean.replace(GROUP, withoutHeld);
  clean = withoutValues(clean, USER, ({ 3: quote = '' }) => (quote === '' ? 'word' : (quote as How)));
  return withoutValues(clean, NETRC, () => 'word');
};
