/** Words that make a secret of a value wherever they stand in its name. */
const ANYWHERE =
  /token|secret|passw|passphrase|passcode|credential|cookie|bearer|private|authorization|mnemonic|seed_?phrase|connection_?string|code_?verifier|recovery_?(?:code|key|phrase)|(?:api|access|account|encryption|signing|master|shared|storage|ssh|hmac|license|auth)_?key/;
/** Words that do so at the end of its name. */
const AT_END =
  /(?:^|_)(?:auth|pat|pass|pwd|creds?|jwt|jws|t?otp|pin(?:_?(?:code|number))?|dsn|sig|signatures?|(?:[a-z]+_)?sid|cvv|cvc|ssn|csrf|xsrf|session(?:_?(?:id|key|data))?s?|(?:auth|verification)_?code)$/;
/** Words that do so only in the query of a URL, where there are no others. */
const IN_QUERY = /^(?:key|code|k|assertion)$/;
/** Names of numbers of tokens. */
const COUNT =
  /(?:^|_)tokens$|(?:^|_)tokens?_?(?:counts?|limits?|budget|usage|used|length|size)$|(?:^|_)(?:max|min)_(?:[a-z]+_)?token$/;
const NUMBER = /^\d{1,9}$/;

/** A name in small letters, its words parted by `_`, camel case as well as any other. */
const worded = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

/** Whether what is named so is a secret, whatever it looks like. The protocol's own `progressToken` is none. */
export const isSecretName = (name: string): boolean => {
  if (name === 'progressToken') return false;
  const words = worded(name);
  return ANYWHERE.test(words) || AT_END.test(words);
};

/** The same of a name in a URL. */
export const isSecretInQuery = (name: string): boolean => isSecretName(name) || IN_QUERY.test(worded(name));

/** Whether it is a number of tokens, and not a token. */
export const isCount = (name: string, value: unknown): boolean =>
  (typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value))) && COUNT.test(worded(name));
