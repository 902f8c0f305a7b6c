import { isObject } from '../../jsonrpc/index.js';
import { REDACTED } from '../../rx/known-secrets.js';
import { redactText } from './redact-text.js';
import { isCount, holderOf, isSecretBeside, isSecretName } from '../../rx/secret-names.js';

/** What stands in place of a number that is a secret. */
export const REDACTED_NUMBER = '[redacted number]';

/** What a value is part of: something secret by its name, a schema, or the schema of something secret. */
type Place = 'plain' | 'secret' | 'schema' | 'secret schema';

/** So deep, and no deeper, one call follows the other: what is below waits for its turn. */
const DEEP = 100;
/** JSON in a text in JSON in a text, and so on. */
const MOST_TEXTS = 3;
/** What is longer is a text, and names nothing. */
const LONGEST_NAME = 60;

/** Members of a schema that have schemas under names: those names name no values. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
]);
/** Members of a schema that are schemas. */
const SCHEMAS: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['anyOf', 'oneOf', 'allOf'],
]);
/** Members of a schema that say what a value is like, and do not give one. */
const WORDS: ReadonlySet<string> = new Set([
  ...['type', 'title', 'description', 'format', 'pattern', 'enum', 'enumNames', 'required', 'x-mcp-header'],
  ...['$ref', '$id', '$schema', '$anchor', '$comment', 'contentEncoding', 'contentMediaType'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);

/** What is secret of a key by RFC 7517, of whatever kind it is: RFC 7518, section 6. */
const OF_KEYS: ReadonlySet<string> = new Set(['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth']);

/** Whether a member holds a secret by what stands beside it. */
const isBesideName = (holder: string, parent: Readonly<Record<string, unknown>>): boolean => {
  if (OF_KEYS.has(holder)) return typeof parent['kty'] === 'string';
  const held = holderOf(holder);
  return (
    held !== undefined &&
    Object.entries(parent).some(
      ([member, name]) =>
        typeof name === 'string' &&
        name.length <= LONGEST_NAME &&
        isSecretBeside(member, name, held) &&
        !isCount(name, parent[holder]),
    )
  );
};

/** A list that goes `--token`, its value; or `Authorization`, its value; or is a pair of a name and a value. */
const FLAG_OR_HEADER = /^--?[A-Za-z]|^(?:proxy-)?authorization$|^(?:set-)?cookie$|^x-/i;

const followsName = (items: readonly unknown[], index: number): boolean => {
  const before = items[index - 1];
  if (typeof before !== 'string' || !isSecretName(before) || /[\s=:]/.test(before)) return false;
  return (items.length === 2 && index === 1) || FLAG_OR_HEADER.test(before);
};

/** An option of `curl` and its like, and the user and the password behind it. */
const USER_FLAG = /^(?:-[uU]|--(?:proxy-)?user)$/;
const USER = /^([^\s:]{0,64}:)(?!\/\/|\d+$)./;

/** An argument without the password of a user that is one. */
const withoutPassword = (items: readonly unknown[], index: number): unknown => {
  const { [index]: item, [index - 1]: before } = items;
  if (typeof item !== 'string' || typeof before !== 'string' || !USER_FLAG.test(before)) return item;
  const [, user] = USER.exec(item) ?? [];
  return user === undefined ? item : user + REDACTED;
};

const isSchema = (value: unknown): boolean =>
  isObject(value) && value['type'] === 'object' && isObject(value['properties']);

const placeOf = (name: string, member: unknown, within: Place, parent: Readonly<Record<string, unknown>>): Place => {
  if (within === 'secret') return 'secret';
  const isWord = WORDS.has(name) && !isObject(member);
  if (within === 'secret schema') return SCHEMAS.has(name) ? within : isWord ? 'schema' : 'secret';
  if (isSecretName(name)) return isCount(name, member) ? 'plain' : 'secret';
  if (isBesideName(name, parent)) return 'secret';
  if (within === 'schema') return isWord || SCHEMAS.has(name) ? within : 'plain';
  return isObject(member) && (/schema$/i.test(name) || isSchema(member)) ? 'schema' : 'plain';
};

/** A text, as it may be told. */
export type Told = (text: string) => string;

/** Copies a value without secrets; keeps no more on the stack than it may. */
class Redaction {
  readonly #later: (() => void)[] = [];
  readonly #texts: number;
  readonly #told: Told;

  constructor(texts: number, told: Told) {
    this.#texts = texts;
    this.#told = told;
  }

  of(value: unknown, place: Place): unknown {
    let clean: unknown;
    this.#into(value, place, 0, (copy) => (clean = copy));
    for (let next = this.#later.pop(); next !== undefined; next = this.#later.pop()) next();
    return clean;
  }

  #into(value: unknown, place: Place, depth: number, put: (copy: unknown) => void): void {
    if (typeof value === 'string') put(place === 'secret' ? REDACTED : this.#text(value));
    else if (typeof value === 'number') put(place === 'secret' ? REDACTED_NUMBER : value);
    else if (typeof value !== 'object' || value === null) put(value);
    else if (depth > DEEP) this.#later.push(() => this.#into(value, place, 0, put));
    else if (Array.isArray(value)) this.#array(value, place, depth + 1, put);
    else this.#object(value as Readonly<Record<string, unknown>>, place, depth + 1, put);
  }

  #array(items: readonly unknown[], place: Place, depth: number, put: (copy: unknown) => void): void {
    const copy = new Array<unknown>(items.length);
    put(copy);
    items.forEach((_item, index) => {
      const own = place === 'plain' && followsName(items, index) ? 'secret' : place;
      this.#into(withoutPassword(items, index), own, depth, (clean) => (copy[index] = clean));
    });
  }

  #object(value: Readonly<Record<string, unknown>>, place: Place, depth: number, put: (copy: unknown) => void): void {
    const copy: Record<string, unknown> = {};
    put(copy);
    let nameless = 0;
    for (const [name, member] of Object.entries(value)) {
      const told = redactText(this.#told(name));
      let key = told;
      // Names of which the same is left are told apart.
      while (Object.hasOwn(copy, key)) key = `${told} ${(nameless += 1)}`;
      const set = (clean: unknown): void => {
        // Assigned, a member called `__proto__` would be none.
        Object.defineProperty(copy, key, { value: clean, enumerable: true, writable: true, configurable: true });
      };
      // Its place is kept while it waits for its turn.
      set(undefined);
      if (place.endsWith('schema') && NAMED_SCHEMAS.has(name) && isObject(member))
        this.#named(member, place, depth + 1, set);
      else this.#into(member, placeOf(name, member, place, value), depth, set);
    }
  }

  /** Schemas under the names of what they describe. What is there and is no schema is taken for a value. */
  #named(schemas: Readonly<Record<string, unknown>>, place: Place, depth: number, put: (copy: unknown) => void): void {
    const copy: Record<string, unknown> = {};
    put(copy);
    for (const [name, schema] of Object.entries(schemas)) {
      const isSecret = place === 'secret schema' || isSecretName(name);
      const own = isObject(schema) ? (isSecret ? 'secret schema' : 'schema') : isSecret ? 'secret' : 'plain';
      this.#into(schema, own, depth, (clean) => {
        Object.defineProperty(copy, name, { value: clean, enumerable: true, writable: true, configurable: true });
      });
    }
  }

  /** What structured content has is often said once more in a text, as JSON. */
  #text(said: string): string {
    const text = this.#told(said);
    if (this.#texts === 0 || !/^\s*[{[]/.test(text)) return redactText(text);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return redactText(text);
    }
    try {
      const clean = JSON.stringify(new Redaction(this.#texts - 1, this.#told).of(value, 'plain'));
      if (clean === JSON.stringify(value)) return redactText(text);
      const [, indent] = /^\s*[{[]\r?\n([ \t]{1,10})/.exec(text) ?? [];
      return indent === undefined ? clean : JSON.stringify(JSON.parse(clean), undefined, indent);
    } catch {
      // Too deep to be written: its text is looked at as any other.
      return redactText(text);
    }
  }
}

/**
 * A copy of a JSON value without secrets, however deep it is: texts that look like one, also as keys and in JSON within a text; and the texts and
 * numbers of members that are named like one. What a schema says of a secret stays, what it gives as one does not.
 * `told`: a text without secrets that are known.
 */
export const redactValue = (value: unknown, told: Told = (text) => text): unknown =>
  new Redaction(MOST_TEXTS, told).of(value, 'plain');
