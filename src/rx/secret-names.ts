/** Words that make a secret of a value wherever they stand in its name. */
const ANYWHERE =
  /token|secret|passw|pass_?(?:phrase|code|word)|kennwort|mot_de_passe|contrasena|credential|cookie|bearer|private|authorization|mnemonic|seed_?phrase|connection_?string|code_?verifier|recovery_?(?:code|key|phrase)|(?:api|access|account|encryption|signing|master|shared|storage|ssh|hmac|license|auth)_?key/;
/** Words that do so at the end of its name. */
const AT_END =
  /(?:^|_)(?:auth|pat|pass|pwd|creds?|jwt|jws|pw|t?otp|pin(?:_?(?:code|number))?|dsn|sig|signatures?|(?:[a-z]+_)?sid|cvv|cvc|ssn|csrf|xsrf|session(?:_?(?:id|key|data))?s?|(?:auth|verification)_?code)$/;
/** Words that do so only in the query of a URL, where there are no others. */
const IN_QUERY = /^(?:key|code|k|assertion)$/;
/** Words that do so in the name of a setting, wherever they stand in it. */
const IN_SETTING = /key(?!board)|(?:^|_)(?:auth|pat|pass|pwd?|jwt|dsn|session|signature|sig)(?:$|_)/;

/** Names of numbers of tokens. */
const COUNT =
  /(?:^|_)tokens$|(?:^|_)tokens?_?(?:counts?|limits?|budget|usage|used|length|size)$|(?:^|_)(?:max|min)_(?:[a-z]+_)?token$/;
const NUMBER = /^\d{1,9}$/;

/** Settings that are named like a secret, and say something about one. */
const ABOUT = /(?:^|_)(?:tokens?_?(?:limits?|counts?)|keys?_?(?:prefix|length)|session_?name)$|^_*max_tokens?$/;
/** The folders of a shell. */
const FOLDERS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** Wide letters, and those with marks. */
const UNUSUAL = /[^\0-\x7f]/;
const MARKS = /\p{M}/gu;

const usual = (name: string): string => (UNUSUAL.test(name) ? name.normalize('NFKD').replace(MARKS, '') : name);

/** A name in small letters, its words parted by `_`, camel case as well as any other. */
const worded = (name: string): string =>
  usual(name)
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

/** What a field is labelled where it holds a secret, at the end of what it says. */
const LABEL =
  /(?:^|_)(?:passw(?:or[dt]|d)|pass(?:_?(?:phrase|code|word))?|pwd?|kennwort|(?:[a-z]+_)?(?:token|secret)|credentials?|cookie|pin(?:_?code)?|t?otp|(?:api|access|account|auth|encryption|licen[cs]e|private|secret|signing)_?key|(?:access|recovery|security|verification)_?code|cv[vc]|ssn)_*$/;
/** Members that name what another one holds: `{ name: 'API_KEY', value: … }` and its like. */
const NAMES: ReadonlySet<string> = new Set(['name', 'key', 'header', 'variable', 'field']);
/** Members that may do so, and say other things as well. */
const LABELS: ReadonlySet<string> = new Set([
  ...['id', 'type', 'kind', 'label', 'param', 'parameter', 'property', 'attribute', 'setting', 'autocomplete'],
]);
/** The same, in a form or a schema. */
const LABELS_OF_VALUES: ReadonlySet<string> = new Set(['title', 'format']);
const VALUES: ReadonlySet<string> = new Set(['value', 'values', 'val', 'default', 'defaultvalue']);
const TEXTS: ReadonlySet<string> = new Set(['text', 'content', 'data', 'answer']);

/** How a member may hold what another one names: as its value, or as a text, which more may stand beside. */
export const holderOf = (member: string): 'value' | 'text' | undefined =>
  VALUES.has(member.toLowerCase()) ? 'value' : TEXTS.has(member) ? 'text' : undefined;

/** Whether what a member holds is a secret where `member`, beside it, says `name`. */
export const isSecretBeside = (member: string, name: string, held: 'value' | 'text'): boolean => {
  const isName = NAMES.has(member);
  if (isName && held === 'value' && isSecretName(name)) return true;
  if (!isName && !LABELS.has(member) && !(held === 'value' && LABELS_OF_VALUES.has(member))) return false;
  return LABEL.test(worded(name));
};
