import { messageOf } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { dependedOn, fitting, type Holds, holdsOf, isSchema, typesIn } from './keywords.js';
import { upToDate } from './older.js';
import { Document, MAX_DEPTH, Opener, TooMany } from './open.js';
import { type Plain, plainCopy, Unusable } from './plain.js';
import { below, type Report } from './report.js';
import type { SchemaRules } from './rules.js';

/** The schema of the arguments of a tool, as every model's API takes it. */
export interface InputSchema {
  type: 'object';
  properties: Record<string, unknown>;
  required?: string[];
  [keyword: string]: unknown;
}

/** How far into a schema one is. */
interface Place {
  readonly path: string;
  readonly refs: readonly string[];
  readonly depth: number;
}

const ROOT_PATH = '/inputSchema';

class Normaliser {
  readonly #document: Document;
  readonly #rules: SchemaRules;
  readonly #report: Report;
  readonly #opener: Opener;

  constructor(document: Document, rules: SchemaRules, report: Report) {
    this.#document = document;
    this.#rules = rules;
    this.#report = report;
    const terms = { keepRefs: rules.refs === 'keep', allOf: rules.mergeAllOf === true, alternatives: false };
    this.#opener = new Opener(document, terms, report);
  }

  root(): InputSchema {
    const terms = { keepRefs: false, allOf: true, alternatives: true };
    const { schema } = new Opener(this.#document, terms, this.#report).open(this.#document.root, ROOT_PATH);
    const fit = this.#keywords(this.#asObject(schema), { path: ROOT_PATH, refs: [], depth: 0 });
    const { required: _required, ...rest } = fit;
    const named: readonly unknown[] = Array.isArray(fit['required']) ? fit['required'] : [];
    const required = this.#allowed(named);
    const properties = this.#allowedOf(isObject(fit['properties']) ? fit['properties'] : {});
    // `properties` is asked for even where there are none. A key that is there keeps its place.
    if (fit['required'] === undefined || required.length < Math.min(named.length, 1)) {
      return { ...rest, type: 'object', properties };
    }
    return { ...fit, type: 'object', properties, required };
  }

  /** The root without what says that it is no object, or which one. Throws `Unusable` if it is none. */
  #asObject(schema: Plain): Plain {
    const { enum: values, const: value, not, ...rest } = schema;
    for (const [keyword, found] of Object.entries({ enum: values, const: value, not })) {
      if (found !== undefined) this.#drop(keyword, ROOT_PATH, 'APIs take none at the root');
    }
    const { type, ...others } = rest;
    if (type === 'object') return rest;
    const types = typesIn(type);
    if (types.length > 0 && !types.includes('object')) throw new Unusable('it describes no object');
    this.#report.note(below(ROOT_PATH, 'type'), 'changed', 'the root is an object');
    return { type: 'object', ...others };
  }

  #allowed(names: readonly unknown[]): string[] {
    const takes = this.#rules.argumentNames;
    return names.filter((name): name is string => typeof name === 'string' && (takes?.test(name) ?? true));
  }

  #allowedOf(properties: Plain): Record<string, unknown> {
    const kept = new Set(this.#allowed(Object.keys(properties)));
    const at = below(ROOT_PATH, 'properties');
    for (const name of Object.keys(properties)) {
      if (!kept.has(name)) this.#drop(name, at, `the name of an argument fits ${String(this.#rules.argumentNames)}`);
    }
    return Object.fromEntries(Object.entries(properties).filter(([name]) => kept.has(name)));
  }

  /** A subschema made legal. */
  #schema(schema: Plain, place: Place): Plain {
    if (place.depth > MAX_DEPTH) {
      this.#report.note(place.path, 'replaced', `it is nested more than ${MAX_DEPTH} schemas deep`);
      return {};
    }
    const opened = this.#opener.open(schema, place.path, place.refs);
    return this.#keywords(opened.schema, { ...place, refs: opened.refs });
  }

  #keywords(schema: Plain, place: Place): Plain {
    const { path } = place;
    const current = upToDate(schema, path, this.#report);
    const { before, after } = this.#rules;
    const prepared = before?.(current, path, this.#report) ?? current;
    const entries: (readonly [string, unknown])[] = [];
    for (const [keyword, value] of Object.entries(prepared)) {
      const fit = this.#value(keyword, value, place);
      if (fit !== undefined) entries.push([keyword, fit]);
    }
    const fit = this.#withItems(Object.fromEntries(entries), path);
    return after?.(fit, path, this.#report) ?? fit;
  }

  #value(keyword: string, value: unknown, place: Place): unknown {
    const holds = holdsOf(keyword);
    const path = below(place.path, keyword);
    const inner: Place = { path, refs: place.refs, depth: place.depth + 1 };
    if (holds === 'schema' || holds === 'open-schema') {
      const fit = this.#one(value, holds, inner);
      // What an API does not know was dropped from it, so that it might forbid everything now.
      const excludesAll = keyword === 'not' && isObject(fit) && Object.keys(fit).length === 0;
      return excludesAll ? this.#misfit(path, 'nothing would be left') : fit;
    }
    if (holds === 'schemas') {
      if (!Array.isArray(value)) return this.#misfit(path);
      const list = value.flatMap((item: unknown, index) => {
        const fit = this.#one(item, holds, { ...inner, path: below(path, index) });
        return fit === undefined ? [] : [fit];
      });
      return list.length > 0 ? list : this.#misfit(path);
    }
    if (holds === 'named-schemas') return this.#namedSchemas(keyword, value, inner);
    if (holds === 'dependencies') return this.#dependencies(value, inner);
    const fit = fitting(keyword, holds, value, this.#rules);
    return this.#told(value, fit, path, holds === 'nothing' ? 'it says nothing about the arguments' : undefined);
  }

  /** What stands in place of a value, after it was told where that is something else. */
  #told(value: unknown, fit: unknown, path: string, reason?: string): unknown {
    if (fit === undefined) return this.#misfit(path, reason);
    if (fit !== value && JSON.stringify(fit) !== JSON.stringify(value)) {
      this.#report.note(path, 'changed', 'JSON Schema has something else there');
    }
    return fit;
  }

  #one(value: unknown, holds: Holds, place: Place): unknown {
    if (isObject(value)) return this.#schema(value, place);
    if (typeof value !== 'boolean') return this.#misfit(place.path);
    if (holds === 'open-schema') return value;
    if (!value) return this.#misfit(place.path, 'a schema that takes nothing is no schema to an API');
    this.#report.note(place.path, 'changed', 'a schema is an object');
    return {};
  }

  #namedSchemas(keyword: string, value: unknown, place: Place): unknown {
    if (!isObject(value)) return this.#misfit(place.path);
    const defines = keyword === '$defs' || keyword === 'definitions';
    // Only definitions at the root are referred to, and only where references stay.
    if (defines && (this.#rules.refs === 'inline' || place.depth > 1)) {
      return this.#misfit(place.path, 'what it defines stands where it is used');
    }
    const entries = Object.entries(value).flatMap(([name, schema]) => {
      const at = { ...place, path: below(place.path, name) };
      if (keyword === 'patternProperties' && fitting('pattern', 'pattern', name, this.#rules) === undefined) {
        this.#misfit(at.path, 'it is no pattern that the API takes');
        return [];
      }
      if (defines && isSchema(schema)) return [[name, this.#one(schema === false ? {} : schema, 'schema', at)]];
      const fit = this.#one(schema, 'schema', at);
      return fit === undefined ? [] : [[name, fit]];
    });
    return Object.fromEntries(entries);
  }

  #dependencies(value: unknown, place: Place): unknown {
    if (!isObject(value)) return this.#misfit(place.path);
    const entries = Object.entries(value).map(([name, needs]): [string, unknown] => {
      const at = { ...place, path: below(place.path, name) };
      return [name, isSchema(needs) ? this.#one(needs, 'schema', at) : this.#told(needs, dependedOn(needs), at.path)];
    });
    return Object.fromEntries(entries.filter(([, fit]) => fit !== undefined));
  }

  /** The schema of an array with `items`: where a tuple says what its places hold, any of that. */
  #withItems(schema: Plain, path: string): Plain {
    if (!typesIn(schema['type']).includes('array') || schema['items'] !== undefined) return schema;
    this.#report.note(below(path, 'items'), 'changed', 'the schema of an array says what is in it');
    const places = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as readonly unknown[]) : [];
    const [only, ...more] = new Map(places.map((place) => [JSON.stringify(place), place])).values();
    return { ...schema, items: more.length === 0 ? (only ?? {}) : { anyOf: [only, ...more] } };
  }

  #drop(keyword: string, path: string, reason: string): void {
    this.#report.note(below(path, keyword), 'dropped', reason);
  }

  #misfit(path: string, reason = 'JSON Schema has something else there'): unknown {
    this.#report.note(path, 'dropped', reason);
    return undefined;
  }
}

/** How many references inside references are followed, from the first attempt to the last. */
const REFS: readonly number[] = [64, 4, 1];

const legal = (plain: Plain, rules: SchemaRules, report: Report): InputSchema => {
  const before = report.changes.length;
  let last: unknown;
  for (const maxRefs of REFS) {
    report.backTo(before);
    try {
      return new Normaliser(new Document(plain, maxRefs), rules, report).root();
    } catch (reason) {
      // Types that refer to each other are many more, the deeper they are followed.
      if (!(reason instanceof TooMany)) throw reason;
      last = reason;
    }
  }
  throw last;
};

/**
 * The input schema of a tool as an API takes it: an object at the root, without alternatives there, in terms of JSON
 * Schema 2020-12, and within bounds of depth and size. A schema that is not there or cannot be made legal is replaced by
 * one that takes any object. Keys keep their order. The schema given is not touched; nothing is thrown.
 */
export const normalise = (schema: unknown, rules: SchemaRules, report: Report): InputSchema => {
  const before = report.changes.length;
  try {
    if (schema === undefined) throw new Unusable('there is none');
    return legal(plainCopy(schema, ROOT_PATH, report), rules, report);
  } catch (reason) {
    report.backTo(before);
    report.note(ROOT_PATH, 'replaced', messageOf(reason));
    return { type: 'object', properties: {} };
  }
};
