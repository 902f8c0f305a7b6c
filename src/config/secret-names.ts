/** Words that make a secret of a value wherever they stand in its name. */
const ANYWHERE = /token|secret|passw|passphrase|credential|cookie|bearer|private|authorization|key(?!board)/i;
/** Words that do so only by themselves. */
const ALONE = /(?:^|[^a-z])(?:auth|pat|pass|pwd|jwt|dsn|session|signature|sig)(?:$|[^a-z])/i;
/** Names that look like those of secrets, and are not. `max` and a later `token` are looked for once: a name may be long, and a stranger's. */
const HARMLESS =
  /^(?:OLD)?PWD$|^(?:(?!max)[^])*max(?:(?!token).)*token|tokens?[_-]?(?:limit|count)|keys?[_-]?(?:prefix|length)|author$|session[_-]?name/i;

/** Whether a value is to be kept from view, by the name of its variable, flag, header or parameter. */
export const isSecretName = (name: string): boolean =>
  // Camel case ends a word, too.
  !HARMLESS.test(name) && (ANYWHERE.test(name) || ALONE.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')));

const PUBLIC_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-type', 'origin', 'user-agent'],
]);

/** Whether a header is to be kept from view: each one is, but for a few whose values are known to be harmless. */
export const isSecretHeader = (name: string): boolean => !PUBLIC_HEADERS.has(name.toLowerCase());
