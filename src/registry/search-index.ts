import type MiniSearch from 'minisearch';
import { AsyncSubject, defer, from, map, type Observable, share } from 'rxjs';
import { isObject } from '../jsonrpc/index.js';
import type { Tool } from '../protocol/schemas/index.js';

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

/** The words of a name, however they are joined: `getWeather_forUser` has four. */
const spaced = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ');

const parametersOf = ({ inputSchema }: Tool): string => {
  const { properties } = (isObject(inputSchema) ? inputSchema : {}) as { properties?: unknown };
  if (!isObject(properties)) return '';
  return Object.entries(properties)
    .map(([name, schema]) => `${spaced(name)} ${isObject(schema) ? textOf(schema['description']) : ''}`)
    .join(' ');
};

const entryOf = (tool: Tool, id: number): Entry => ({
  id,
  name: `${tool.name} ${spaced(tool.name)}`,
  title: textOf(tool.title),
  description: textOf(tool.description),
  parameters: parametersOf(tool),
});

const FIELDS = ['name', 'title', 'description', 'parameters'];

/** A name that fits says more than a word in a description. */
const BOOST = { name: 4, title: 3, description: 1.5, parameters: 1 };

/** Finds tools by keywords, the best first (BM25). */
export class SearchIndex {
  readonly #tools: readonly Tool[];
  readonly #index: MiniSearch<Entry>;

  /** Use {@link SearchIndex.of}. */
  constructor(tools: readonly Tool[], index: MiniSearch<Entry>) {
    this.#tools = tools;
    this.#index = index;
  }

  /** Makes the index of a list of tools. Emits it once; loads the library on first use. */
  static of(tools: readonly Tool[]): Observable<SearchIndex> {
    return library$.pipe(
      map((Library) => {
        const index = new Library<Entry>({ fields: FIELDS });
        index.addAll(tools.map(entryOf));
        return new SearchIndex(tools, index);
      }),
    );
  }

  /** The tools that fit, at most so many. Words may be begun or, when they are long, misspelt. */
  search(query: string, limit: number): readonly Tool[] {
    const found = this.#index.search(spaced(query), {
      boost: BOOST,
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    });
    // Who fits more of the words goes first: one rare word in a name is not the whole task.
    const ranked = found
      .map(({ id, score, queryTerms }) => ({ id: id as number, score: score * queryTerms.length }))
      .sort((a, b) => b.score - a.score);
    return ranked.slice(0, limit).flatMap(({ id }) => this.#tools[id] ?? []);
  }
}

const library$ = defer(() => from(import('minisearch'))).pipe(
  map((module) => module.default),
  share({ connector: () => new AsyncSubject(), resetOnComplete: false, resetOnRefCountZero: false }),
);
