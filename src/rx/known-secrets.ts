/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/**
 * Texts that are known by their looks, and what introduces one. Each begins where a word does, so that a long one is not
 * tried anew at each letter; with what of it stays before the secret.
 */
const SHAPES: readonly (readonly [pattern: RegExp, before: string])[] = [
  // Also one that was cut off.
  [/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----[^]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g, ''],
  [/\b(bearer)(\s+)(?!(?:auth|token|realm|scheme|format|header|error|\[redacted))[\w.~+/=-]{6,}/gi, '$1$2'],
  [/\b(basic|token|digest|apikey)(\s+)(?=\S*\d|\S{20})[\w.~+/=-]{8,}/gi, '$1$2'],
  [/\b(?:sk|pk|rk)[-_][\w-]{16,}/g, ''],
  [
    /\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|gl(?:pat|ptt|dt|rt)-[\w-]{16,}|xox[a-z]-[\w-]{10,}|A[KS]IA[0-9A-Z]{16})/g,
    '',
  ],
  [/(?<![\w-])(?:AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?)/g, ''],
  [
    /(?<![\w-])(?:(?:npm|hf|gsk|shp(?:at|ss|ca|pa))_[A-Za-z0-9]{16,}|(?:whsec_|do[opr]_v1_|dckr_pat_|lin_api_|pypi-|nvapi-|xapp-)[\w+/=-]{12,})/g,
    '',
  ],
  [/(?<![\w-])(?:SG\.[\w-]{10,}\.[\w-]+|ya29\.[\w-]{10,}|ATATT[\w=-]{12,})/g, ''],
  [
    /(?<![\w-])(?:hv[sbr]\.|ntn_|dp\.[a-z]{2,5}\.|AGE-SECRET-KEY-1|figd_|sbp_|gls?[ac]_|sntry[su]_|rubygems_|PMAK-)[\w.+/=-]{12,}/g,
    '',
  ],
  // A URL that is a key itself: who has it may write there.
  [/\b(hooks\.slack(?:-gov)?\.com\/[a-z]+\/)(?!\[redacted)[\w/%+-]{8,}/g, '$1'],
  [/\b(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,25}\/)[\w-]{8,}/g, '$1'],
  [/\b(office\.com\/webhook(?:b2)?\/|hooks\.zapier\.com\/hooks\/catch\/)[\w@/%-]{8,}/g, '$1'],
  // Of a bot of Telegram's.
  [/(?<![\w.:-])((?:bot)?\d{6,12}:)[\w-]{30,}/g, '$1'],
  // The user information of a URL.
  [/:\/\/[^\s/?#@"']+(?=@)/g, '://'],
];

/** A text without the secrets that are known by their looks alone, whatever is said around them. */
export const withoutKnownSecrets = (text: string): string =>
  SHAPES.reduce((clean, [pattern, before]) => clean.replace(pattern, before + REDACTED), text);
