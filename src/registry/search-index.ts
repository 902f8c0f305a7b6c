import type MiniSearch from 'minisearch';
import { defer, map, type Observable } from 'rxjs';
import { isObject } from '../jsonrpc/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import { mayBeBegun, wordsIn } from './words.js';

/** A tool as it is searched: what is said of it, by how much it says. */
interface Entry {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: string;
}

/** A text of a server's, which may be anything. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a field of something holds; `undefined` where it has none, and where reading it throws. */
export const fieldOf = (value: unknown, field: string): unknown => {
  try {
    return isObject(value) ? value[field] : undefined;
  } catch {
    return undefined;
  }
};

/** The name of a tool, which may be anything; `''` where it has none. */
export const nameOf = (tool: unknown): string => textOf(fieldOf(tool, 'name'));

const parametersOf = (tool: unknown): string => {
  const properties = fieldOf(fieldOf(tool, 'inputSchema'), 'properties');
  if (!isObject(properties)) return '';
  return Object.keys(properties)
    .map((name) => `${name} ${textOf(fieldOf(fieldOf(properties, name), 'description'))}`)
    .join(' ');
};

const entryOf = (tool: unknown, id: number): Entry => ({
  id,
  name: nameOf(tool),
  title: textOf(fieldOf(tool, 'title')),
  description: textOf(fieldOf(tool, 'description')),
  parameters: parametersOf(tool),
});

const FIELDS = ['name', 'title', 'description', 'parameters'];

/** A name that fits says more than a word in a description. */
const BOOST = { name: 4, title: 3, description: 1.5, parameters: 1 };

/** So much of a query is read. A model writes it: what it costs has to have an end. */
const LONGEST_QUERY = 300;

/** Longer words are not misspelt: what is like them takes memory by the square of their length. */
const LONGEST_MISSPELT = 50;

/** Finds tools by keywords, the best first (BM25). */
export class SearchIndex {
  readonly #tools: readonly Tool[];
  readonly #index: MiniSearch<Entry>;

  /** Use {@link SearchIndex.of}. */
  constructor(tools: readonly Tool[], index: MiniSearch<Entry>) {
    this.#tools = tools;
    this.#index = index;
  }

  /**
   * Makes the index of a list of tools, of each by what can be read of it; without a name it is not found. Emits it once;
   * loads the library on first use.
   */
  static of(tools: readonly Tool[]): Observable<SearchIndex> {
    // Named here alone, so that a bundle without a search is one without the library.
    return defer(() => import('minisearch')).pipe(
      map(({ default: Library }) => {
        // What is searched for is taken apart by the same function.
        const index = new Library<Entry>({ fields: FIELDS, tokenize: wordsIn });
        index.addAll(tools.map(entryOf).filter(({ name }) => name !== ''));
        return new SearchIndex(tools, index);
      }),
    );
  }

  /**
   * The tools that fit, at most so many. Words may be begun or, when they are long, misspelt. What comes after the first
   * 300 characters of a query is not read.
   */
  search(query: string, limit: number): readonly Tool[] {
    const found = this.#index.search(query.slice(0, LONGEST_QUERY), {
      boost: BOOST,
      prefix: mayBeBegun,
      fuzzy: ({ length }) => (length > 5 && length <= LONGEST_MISSPELT ? 0.2 : false),
    });
    // Who fits more of the words goes first: one rare word in a name is not the whole task.
    const ranked = found
      .map(({ id, score, queryTerms }) => ({ id: id as number, score: score * queryTerms.length }))
      .sort((a, b) => b.score - a.score);
    return ranked.slice(0, limit).flatMap(({ id }) => this.#tools[id] ?? []);
  }
}
