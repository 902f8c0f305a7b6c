import { clean } from './clean.js';
import { KEY_IN_PATH, PAIR, redactArgs } from './redact.js';
import { REDACTED } from '../rx/known-secrets.js';
import { redactText } from './redact-text.js';
import { isSecretHeader, isSecretName } from './secret-names.js';
import type { ServerConfig } from './server-config.js';

/** As it stands in a URL, if it can. */
const encoded = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half of a character has no such form.
    return text;
  }
};

/** As it stands in a form, or in a query that was made as one: it encodes more than a URL does. */
const inForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** The same with small letters in its escapes, as some programs write them. */
const inSmallLetters = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

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
  const { url, headers = {}, oauth } = server;
  return [
    ...Object.entries(headers).map(([name, value]) => (isSecretHeader(name) ? value : '')),
    ...secretsInUrl(url),
    oauth?.clientSecret ?? '',
  ];
};

/** Shorter values are words of their own: without them, a text would be full of holes and tell what they are. */
const SHORTEST = 4;

/** A value in each of the forms in which a text may have it. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  // The part behind `Bearer` may stand alone.
  ...secret.split(/\s+/).filter((part) => part.length >= 8),
  ...[encoded(secret), inForm(secret)].flatMap((form) => [form, inSmallLetters(form)]),
  inJson(secret),
  // A text with JSON in it, as a body that is told, may stand in JSON itself.
  inJson(inJson(secret)),
  // In quotes of another kind, as Node and Python show a text.
  secret.replaceAll('\\', '\\\\'),
];

/** As much of a secret as is left where a text was cut; less says too little, and may as well be a word. */
const SHORTEST_PART = 6;

/** What stands before a token in a header, and is in the words of servers. */
const SCHEME = /^(?:bearer|basic|token|digest|apikey)(?:\s|%20|\+)+/i;

/** A text without the parts of secrets with which it begins and ends because it was cut there. */
const withoutParts = (text: string, forms: readonly string[]): string => {
  const end = text.endsWith('…') ? text.length - 1 : text.length;
  let [from, to] = [0, end];
  for (const whole of forms) {
    const form = whole.replace(SCHEME, '');
    for (let length = Math.min(form.length - 1, end); length >= SHORTEST_PART; length -= 1) {
      if (text.startsWith(form.slice(-length))) from = Math.max(from, length);
      if (text.endsWith(form.slice(0, length), end)) to = Math.min(to, end - length);
    }
  }
  if (from === 0 && to === end) return text;
  return (
    (from > 0 ? REDACTED : '') + text.slice(from, Math.max(from, to)) + (to < end ? REDACTED : '') + text.slice(end)
  );
};

/**
 * What takes the secrets of a server out of a text, such as an error, or a line of its stderr: the values that are secret
 * in its config, `also` these, and whatever looks like a secret by its shape or by what introduces it. A text that was cut
 * is also without the part of a secret that it begins or ends with; one whose escape sequences hide a secret, without those,
 * too. Throws nothing.
 */
export const redactorOf = (server?: ServerConfig, also: readonly string[] = []): ((text: string) => string) => {
  const secrets = [...(server === undefined ? [] : secretsOf(server)), ...also];
  // The longest first: another may be a part of it.
  const forms = [...new Set(secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf))].sort(
    (a, b) => b.length - a.length,
  );
  const redact = (text: string): string => {
    const whole = forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
    return redactText(withoutParts(whole, forms));
  };
  return (text) => {
    const told = redact(text);
    const seen = clean(text);
    if (seen === text) return told;
    const toldOfSeen = redact(seen);
    return toldOfSeen === seen ? told : toldOfSeen;
  };
};
