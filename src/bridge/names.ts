import { sha256Of } from '../client/sha256.js';

/** What a model's API takes as the name of a tool. */
export interface NameRule {
  /** Fits every name that is taken, and no other. Without the flags `g` and `y`: they would make it remember. */
  readonly legal: RegExp;
  /** The most characters that `legal` lets through; at least 16. */
  readonly maxLength: number;
}

/** The names of tools as a model sees them, with an exact way back. */
export interface NameTable {
  /** What the tool is called in front of the model; `undefined` for one that is not in the table. */
  published(raw: string): string | undefined;
  /**
   * The tool that a name means: the one published under it, else the one whose own name it is, since models write names
   * that they read elsewhere. `undefined` if there is neither.
   */
  raw(name: string): string | undefined;
}

const HASH_LENGTH = 8;

// As JSON, since an encoder would make one character of all halves of characters.
const hashOf = (raw: string, attempt: number): string => sha256Of(JSON.stringify([raw, attempt])).slice(0, HASH_LENGTH);

/** The name with what no API takes replaced; of any length. */
const cleaned = (raw: string, { legal, maxLength }: NameRule): string => {
  const name = raw.replace(/[^a-zA-Z0-9_-]/gu, '_');
  // Some APIs want a letter or an underscore at the start; an empty name has neither.
  return legal.test(name.slice(0, maxLength)) ? name : `_${name}`;
};

const hashed = (name: string, raw: string, attempt: number, { maxLength }: NameRule): string =>
  `${name.slice(0, maxLength - HASH_LENGTH - 1)}_${hashOf(raw, attempt)}`;

/**
 * Gives each name a published one that is legal and nobody else's. A legal name stays as it is. In any other, what is
 * illegal becomes `_`; a name that is then too long, or not the only one of its kind, is told apart by a short hash of
 * the raw name. The outcome depends on the set of names alone, not on their order. Throws nothing.
 */
export const nameTable = (raws: Iterable<string>, rule: NameRule): NameTable => {
  const known = new Set(raws);
  const toRaw = new Map<string, string>();
  const toPublished = new Map<string, string>();
  const publish = (raw: string, name: string): void => {
    toRaw.set(name, raw);
    toPublished.set(raw, name);
  };

  const alike = new Map<string, string[]>();
  for (const raw of known) {
    if (rule.legal.test(raw)) publish(raw, raw);
    else {
      const name = cleaned(raw, rule);
      const others = alike.get(name);
      if (others === undefined) alike.set(name, [raw]);
      else others.push(raw);
    }
  }

  const contested: { readonly raw: string; readonly name: string }[] = [];
  for (const [name, [raw, ...others]] of alike) {
    if (raw === undefined) continue;
    if (others.length === 0 && name.length <= rule.maxLength && !toRaw.has(name)) publish(raw, name);
    else for (const one of [raw, ...others]) contested.push({ raw: one, name });
  }

  // In an order of their own, so that a hash taken twice is resolved in the same way whatever the order of the list.
  contested.sort((a, b) => (a.raw < b.raw ? -1 : 1));
  for (const { raw, name } of contested) {
    let unique = hashed(name, raw, 0, rule);
    for (let attempt = 1; toRaw.has(unique); attempt += 1) unique = hashed(name, raw, attempt, rule);
    publish(raw, unique);
  }

  return {
    published: (raw) => toPublished.get(raw),
    raw: (name) => toRaw.get(name) ?? (known.has(name) ? name : undefined),
  };
};
