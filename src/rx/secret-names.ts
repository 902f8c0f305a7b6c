/** Words that make a secret of a value wherever they stand in its name. */
const ANYWHERE =
  /token|secret|passw|passphrase|passcode|credential|cookie|bearer|private|authorization|mnemonic|seed_?phrase|connection_?string|code_?verifier|recovery_?(?:code|key|phrase)|(?:api|access|account|encryption|signing|master|shared|storage|ssh|hmac|license|auth)_?key/;
/** Words that do so at the end of its name. */
const AT_END =
  /(?:^|_)(?:auth|pat|pass|pwd|creds?|jwt|jws|t?otp|pin(?:_?(?:code|number))?|dsn|sig|signatures?|(?:[a-z]+_)?sid|cvv|cvc|ssn|csrf|xsrf|session(?:_?(?:id|key|data))?s?|(?:auth|verification)_?code)$/;
/** Words that do so only in the query of a URL, where there are no others. */
const IN_QUERY = /^(?:key|code|k|assertion)$/;
/** Words that do so in the name of a setting, wherever they stand in it. */
const IN_SETTING = /key(?!board)|(?:^|_)(?:auth|pat|pass|pwd|jwt|dsn|session|signature|sig)(?:$|_)/;

/** Names of numbers of tokens. */
const COUNT =
  /(?:^|_)tokens$|(?:^|_)tokens?_?(?:counts?|limits?|budget|usage|used|length|size)$|(?:^|_)(?:max|min)_(?:[a-z]+_)?token$/;
const NUMBER = /^\d{1,9}$/;

/** Settings that are named like a secret, and say something about one. */
const ABOUT = /(?:^|_)(?:tokens?_?(?:limits?|counts?)|keys?_?(?:prefix|length)|session_?name)$|^_*max_tokens?$/;
/** The folders of a shell. */
const FOLDERS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** A name in small letters, its words parted by `_`, camel case as well as any other. */
const worded = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

const isSecretWords = (words: string): boolean => ANYWHERE.test(words) || AT_END.test(words);

/** Whether what is named so is a secret, whatever it looks like. The protocol's own `progressToken` is none. */
export const isSecretName = (name: string): boolean => name !== 'progressToken' && isSecretWords(worded(name));

/** The same of a name in a URL. */
export const isSecretInQuery = (name: string): boolean => isSecretName(name) || IN_QUERY.test(worded(name));

/** Whether it is the name of how many tokens there are: many of them, within a bound. */
const isBound = (words: string): boolean => words.endsWith('_tokens') && /(?:^|_)max_/.test(words);

/** The same of the name of a setting: a variable, a flag, a header, a parameter. More words are secret there. */
export const isSecretSetting = (name: string): boolean => {
  if (FOLDERS.has(name)) return false;
  const words = worded(name);
  return !ABOUT.test(words) && !isBound(words) && (isSecretWords(words) || IN_SETTING.test(words));
};

/** Whether it is a number of tokens, and not a token. */
export const isCount = (name: string, value: unknown): boolean =>
  (typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value))) && COUNT.test(worded(name));
