/** One challenge of a `WWW-Authenticate`: its scheme in lower case, and its parameters. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const PARAMETER = new RegExp(`^(${TOKEN})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}))[ \\t]*(?:,[ \\t]*|$)`);
const SCHEME = new RegExp(`^(${TOKEN})(?:[ \\t]+|,[ \\t]*|$)`);
/** What a scheme may have in place of parameters. */
const TOKEN68 = /^[A-Za-z0-9\-._~+/]+=*[ \t]*(?:,[ \t]*|$)/;

/** The challenges in the value of a `WWW-Authenticate`; what cannot be read ends it. RFC 9110, section 11.6.1. */
export const challengesOf = (value: string | undefined): readonly Challenge[] => {
  let rest = (value ?? '').trim();
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  while (rest !== '') {
    const parameter = PARAMETER.exec(rest);
    const current = challenges.at(-1);
    if (parameter !== null && current !== undefined) {
      const name = (parameter[1] ?? '').toLowerCase();
      // The first one counts.
      if (!Object.hasOwn(current.parameters, name))
        current.parameters[name] = parameter[3] ?? (parameter[2] ?? '').replace(/\\(.)/g, '$1');
      rest = rest.slice(parameter[0].length);
      continue;
    }
    const scheme = parameter === null ? SCHEME.exec(rest) : null;
    if (scheme === null) break;
    challenges.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters: {} });
    rest = rest.slice(scheme[0].length);
    if (PARAMETER.test(rest) || SCHEME.test(rest)) continue;
    rest = rest.replace(TOKEN68, '');
  }
  return challenges;
};

/** What a server wants of an authorization. */
export interface Wanted {
  /** Where it says what it is: RFC 9728, section 5.1. */
  readonly resourceMetadata: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly error: string | undefined;
}

/** The scopes in a text. RFC 6749, section 3.3. */
export const scopesOf = (text: string | undefined): readonly string[] | undefined => {
  const scopes = text?.split(/[ \t]+/).filter((scope) => scope !== '');
  return scopes === undefined || scopes.length === 0 ? undefined : [...new Set(scopes)];
};

/** What is wanted, of the challenges that this client knows: `Bearer` (RFC 6750) and `DPoP` (RFC 9449). */
export const wantedOf = (value: string | undefined): Wanted => {
  const known = challengesOf(value).filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop');
  const first = (name: string): string | undefined =>
    known.map(({ parameters }) => parameters[name]).find((found) => found !== undefined);
  return { resourceMetadata: first('resource_metadata'), scopes: scopesOf(first('scope')), error: first('error') };
};
