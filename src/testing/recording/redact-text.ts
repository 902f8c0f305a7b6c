import { REDACTED, withoutKnownSecrets } from '../../rx/index.js';
import { isCount, isSecretInQuery, isSecretName } from './secret-names.js';

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

/** `name=`, `name: `, quoted or not, also where quotes or the sign are escaped. It begins where a word does. */
const NAMING = /(?<![\w-])([\w-]+)(["'\\]*\s*(?:[=:]|%3D)\s*\\*)(["']?)/gi;
/** What may follow it. Sticky: it is looked for there and nowhere else. */
const VALUES = {
  '"': /(?:[^"\\\n\r]|\\[^\n\r])+/y,
  "'": /(?:[^'\\\n\r]|\\[^\n\r])+/y,
  // Within a text that is quoted itself.
  '\\"': /[^"\\\n\r]+/y,
  "\\'": /[^'\\\n\r]+/y,
  line: /[^\n\r]+/y,
  word: /[^\s"<>&]+/y,
} as const;
const LITERAL = /^(?:true|false|null|none|undefined|\[|\{|\(|\/\/)/i;
/** Headers whose values have spaces in them. */
const LONG_HEADER = /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i;

const valueAt = (text: string, at: number, naming: RegExpExecArray): string => {
  const { index, 1: name = '', 2: between = '', 3: quote = '' } = naming;
  const before = text[index - 1] ?? '\n';
  const isHeader = LONG_HEADER.test(name) && between.includes(':') && quote === '';
  const opened = before === '"' || before === "'" ? before : undefined;
  const how =
    quote === '"' || quote === "'"
      ? (`${between.endsWith('\\') ? '\\' : ''}${quote}` as keyof typeof VALUES)
      : isHeader
        ? (opened ?? 'line')
        : between.includes(':') && /[\n\r]/.test(before)
          ? 'line'
          : 'word';
  const pattern = VALUES[how];
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

/** A text without what follows names that say it is secret. What follows another name may be named itself. */
const withoutNamed = (text: string): string => {
  let clean = '';
  let from = 0;
  NAMING.lastIndex = 0;
  for (let naming = NAMING.exec(text); naming !== null; naming = NAMING.exec(text)) {
    const { index, 0: all, 1: name = '' } = naming;
    const isSecret = /[?&#]/.test(text[index - 1] ?? '') ? isSecretInQuery(name) : isSecretName(name);
    if (!isSecret) continue;
    const at = index + all.length;
    const value = valueAt(text, at, naming);
    if (
      value === '' ||
      value.includes(REDACTED) ||
      LITERAL.test(value) ||
      isCount(name, /^\d{1,9}(?!\w)/.exec(value)?.[0])
    )
      continue;
    clean += text.slice(from, at) + REDACTED;
    from = at + value.length;
    NAMING.lastIndex = from;
  }
  return clean + text.slice(from);
};

/** An option of a program that is followed by its value. */
const FLAG = /(?<=^|\s)--?([A-Za-z][\w-]*)(\s+)(?!-|\[redacted)[^\s"']+/g;

/** A text without what looks like a secret, or is named like one. What is written in Base64 is not looked into. */
export const redactText = (text: string): string => {
  const shown = withoutKnownSecrets(text.includes('://') ? text.replace(WORD, withoutUser) : text);
  return withoutNamed(shown).replace(FLAG, (all: string, name: string, between: string) =>
    isSecretName(name) ? `${all.slice(0, all.indexOf(name))}${name}${between}${REDACTED}` : all,
  );
};
