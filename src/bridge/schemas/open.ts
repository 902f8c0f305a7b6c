import { isObject } from '../../jsonrpc/index.js';
import { type Plain, Unusable } from './plain.js';
import { below, type Report } from './report.js';

/** Subschemas and properties, after references were replaced: enough for any tool, too few for a bomb. */
const MAX_SCHEMAS = 5_000;
/** References inside references, and the length of a chain of them. */
const MAX_REFS = 64;
/** Schemas inside schemas, after references were replaced. */
export const MAX_DEPTH = 64;

const objects = (value: unknown): readonly Plain[] => (Array.isArray(value) ? value.filter(isObject) : []);

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** More subschemas than are followed; with fewer references inside references there may be less. */
export class TooMany extends Unusable {}

/** Where a schema is taken apart: the document that its references point into, and what may still be spent on it. */
export class Document {
  readonly root: Plain;
  /** How many references inside references are followed. */
  readonly maxRefs: number;
  #left = MAX_SCHEMAS;

  constructor(root: Plain, maxRefs: number) {
    this.root = root;
    this.maxRefs = maxRefs;
  }

  /** Counts a subschema and its members, since each is copied. Throws `TooMany` when there are. */
  spend({ properties, required }: Plain): void {
    this.#left -= 1 + (isObject(properties) ? Object.keys(properties).length : 0) + texts(required).length;
    if (this.#left < 0) throw new TooMany(`it has more than ${MAX_SCHEMAS} subschemas`);
  }

  /** What a reference points at, if that is a schema of this document. RFC 6901, section 6. */
  target(ref: string): Plain | undefined {
    if (ref !== '#' && !ref.startsWith('#/')) return undefined;
    let at: unknown = this.root;
    try {
      for (const step of decodeURIComponent(ref).split('/').slice(1)) {
        const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
        at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Plain)[key] : undefined;
      }
    } catch {
      return undefined; // not the encoding of anything
    }
    if (typeof at === 'boolean') return {};
    return isObject(at) ? at : undefined;
  }

  /** Whether a reference may stay: it names a definition of the root, and comes to an end. */
  mayStay(ref: string): boolean {
    if (!/^#\/(?:\$defs|definitions)\/[^/]+$/u.test(ref)) return false;
    let at: unknown = ref;
    for (let links = 0; typeof at === 'string'; links += 1) {
      const target = this.target(at);
      if (target === undefined || links > MAX_REFS) return false;
      at = target['$ref'];
    }
    return true;
  }
}

/** A schema without the references and compositions that were asked away. */
export interface Opened {
  readonly schema: Plain;
  /** The references that were followed on the way here: following one again would never end. */
  readonly refs: readonly string[];
}

const joinProperties = (one: unknown, other: unknown): unknown => {
  if (!isObject(one) || !isObject(other)) return one;
  const all = new Map<string, unknown>(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    const known = all.get(name);
    all.set(name, isObject(known) && isObject(schema) ? join([known, schema]) : (known ?? schema));
  }
  return Object.fromEntries(all);
};

/** One schema for what several ask together. Where two say something about the same keyword, the first counts. */
const join = (parts: readonly Plain[]): Plain => {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const all = new Map<string, unknown>();
  for (const [keyword, value] of parts.flatMap((part) => Object.entries(part))) {
    const known = all.get(keyword);
    if (known === undefined) all.set(keyword, value);
    else if (keyword === 'properties') all.set(keyword, joinProperties(known, value));
    else if (keyword === 'required') all.set(keyword, [...new Set([...texts(known), ...texts(value)])]);
  }
  return Object.fromEntries(all);
};

const mayBeObject = ({ type }: Plain): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));

/** One object for several of which one is asked: it takes whatever any of them takes. */
const unite = (schema: Plain, alternatives: readonly Plain[]): Plain => {
  const [first, ...others] = alternatives.map(({ required }) => new Set(texts(required)));
  if (first === undefined) return schema;
  const always = [...first].filter((name) => others.every((names) => names.has(name)));

  const own = isObject(schema['properties']) ? schema['properties'] : {};
  const found = new Map<string, Set<unknown>>();
  for (const { properties } of alternatives) {
    for (const [name, inner] of Object.entries(isObject(properties) ? properties : {})) {
      if (!Object.hasOwn(own, name)) found.set(name, (found.get(name) ?? new Set()).add(inner));
    }
  }
  const entries = [...found].map(([name, kinds]): [string, unknown] => {
    const [only, ...more] = new Map([...kinds].map((kind) => [JSON.stringify(kind), kind])).values();
    return [name, more.length === 0 ? only : { anyOf: [only, ...more] }];
  });
  const required = [...new Set([...texts(schema['required']), ...always])];
  return {
    ...schema,
    properties: Object.fromEntries([...Object.entries(own), ...entries]),
    ...(required.length > 0 && { required }),
  };
};

/** What is opened. */
export interface OpenTerms {
  /** References that {@link Document.mayStay} stay. */
  readonly keepRefs: boolean;
  /** `allOf` is merged. */
  readonly allOf: boolean;
  /** The object that each alternative of `anyOf` and `oneOf` describes is merged too. */
  readonly alternatives: boolean;
}

/** Takes references and compositions of schemas away, by its terms. Subschemas of other keywords stay as they are. */
export class Opener {
  readonly #document: Document;
  readonly #terms: OpenTerms;
  readonly #report: Report;

  constructor(document: Document, terms: OpenTerms, report: Report) {
    this.#document = document;
    this.#terms = terms;
    this.#report = report;
  }

  /** @param refs the references that were followed to come here */
  open(schema: Plain, path: string, refs: readonly string[] = [], depth = 0): Opened {
    this.#document.spend(schema);
    if (depth > MAX_DEPTH) throw new Unusable(`its schemas are nested more than ${MAX_DEPTH} deep`);
    const { allOf: mergesAllOf, alternatives } = this.#terms;
    // Most schemas have nothing to open.
    if (!alternatives && schema['$ref'] === undefined && !(mergesAllOf && schema['allOf'] !== undefined)) {
      return { schema, refs };
    }
    const followed = new Set(refs);
    // What one part follows is no way back for another: each has the references that lead to it.
    const opened = (part: Plain, at: string, known: readonly string[]): Plain => {
      const { schema: inner, refs: deeper } = this.open(part, at, known, depth + 1);
      for (const one of deeper) followed.add(one);
      return inner;
    };
    const parts: Plain[] = [schema];

    const { $ref: ref, ...unreferred } = schema;
    // What is no reference at all refers to nothing either.
    if (ref !== undefined && !this.#stays(ref)) {
      const target = this.#follow(ref, below(path, '$ref'), refs);
      parts[0] = unreferred;
      if (target !== undefined)
        parts.push(target.ends ? target.schema : opened(target.schema, path, [...refs, ref as string]));
    }
    const { allOf, ...unmerged } = parts[0] ?? {};
    if (mergesAllOf && allOf !== undefined) {
      parts[0] = unmerged;
      this.#report.note(below(path, 'allOf'), 'changed', 'its schemas are merged into one');
      for (const part of objects(allOf)) parts.push(opened(part, below(path, 'allOf'), refs));
    }
    const joined = join(parts);
    if (!alternatives) return { schema: joined, refs: [...followed] };

    const { anyOf, oneOf, ...own } = joined;
    let united: Plain = own;
    for (const [keyword, list] of Object.entries({ anyOf, oneOf })) {
      if (list === undefined) continue;
      const at = below(path, keyword);
      this.#report.note(at, 'changed', 'its alternatives are one object, which takes what any of them takes');
      united = unite(
        united,
        objects(list)
          .map((part) => opened(part, at, refs))
          .filter(mayBeObject),
      );
    }
    return { schema: united, refs: [...followed] };
  }

  #stays(ref: unknown): boolean {
    return this.#terms.keepRefs && typeof ref === 'string' && this.#document.mayStay(ref);
  }

  /** What stands in place of a reference, and whether it is the end of the way; `undefined` if nothing does. */
  #follow(ref: unknown, at: string, refs: readonly string[]): { schema: Plain; ends: boolean } | undefined {
    const target = typeof ref === 'string' ? this.#document.target(ref) : undefined;
    if (target === undefined) {
      this.#report.note(at, 'dropped', 'it refers to nothing in the schema');
      return undefined;
    }
    const again = refs.includes(ref as string);
    if (again || refs.length >= this.#document.maxRefs) {
      const reason = again ? 'it leads back to itself' : 'there are too many references inside references';
      this.#report.note(at, 'replaced', reason);
      const { type } = target;
      return { schema: type === undefined ? {} : { type }, ends: true };
    }
    this.#report.note(at, 'replaced', 'what it refers to stands in its place');
    return { schema: target, ends: false };
  }
}
