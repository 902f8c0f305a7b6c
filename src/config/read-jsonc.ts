import { below } from '../bridge/schemas/report.js';

/** What a text holds, or why and where it cannot be read; lines and columns count from 1. */
export type JsoncResult =
  | {
      readonly value: unknown;
      /** The keys that an object has more than once, as JSON Pointers. The last value is the one that counts. */
      readonly repeated: readonly string[];
    }
  | { readonly fault: string; readonly line: number; readonly column: number };

/** Ends the reading, and never leaves this file. */
class Fault extends Error {
  constructor(
    readonly reason: string,
    readonly at: number,
  ) {
    super(reason);
  }
}

/** As deep as no config is, and far from where recursion would end. */
const DEEPEST = 200;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\w$-]+/y;
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

class Reader {
  readonly repeated: string[] = [];
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    // A byte order mark, as some editors on Windows write it.
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  whole(): unknown {
    this.#skip();
    if (this.#at >= this.#text.length) this.#fail('the file is empty');
    const value = this.#value('', 0);
    this.#skip();
    if (this.#at < this.#text.length) this.#fail('there is more text after the end of the value');
    return value;
  }

  #fail(reason: string, at = this.#at): never {
    throw new Fault(reason, at);
  }

  #next(): string {
    return this.#text.charAt(this.#at);
  }

  /** Moves past white space and comments. */
  #skip(): void {
    for (;;) {
      while (this.#at < this.#text.length && ' \t\r\n'.includes(this.#next())) this.#at += 1;
      if (this.#text.startsWith('//', this.#at)) {
        while (this.#at < this.#text.length && !'\r\n'.includes(this.#next())) this.#at += 1;
      } else if (this.#text.startsWith('/*', this.#at)) {
        const end = this.#text.indexOf('*/', this.#at + 2);
        if (end < 0) this.#fail('this comment is not closed: write */ at its end');
        this.#at = end + 2;
      } else return;
    }
  }

  #value(path: string, depth: number): unknown {
    if (depth > DEEPEST) this.#fail(`values are nested more than ${DEEPEST} deep`);
    if (this.#next() === '{') return this.#object(path, depth);
    if (this.#next() === '[') return this.#array(path, depth);
    if (this.#next() === '"') return this.#string();
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number);
    return this.#word();
  }

  #word(): unknown {
    const at = this.#at;
    if (this.#next() === "'") this.#fail('texts stand in double quotes');
    const word = this.#match(WORD);
    // The word is not told: it may be a secret that lost its quotes.
    if (word === undefined || !WORDS.has(word)) this.#fail('a value is missing here; texts stand in double quotes', at);
    return WORDS.get(word);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #string(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const one = this.#text.charAt(at);
      if (one === '\n' || one === '\r') break;
      if (one === '\\') at += 1;
      else if (one === '"') {
        this.#at = at + 1;
        try {
          return JSON.parse(this.#text.slice(start, at + 1)) as string;
        } catch {
          // What JSON.parse says quotes the text, which may be a secret.
          this.#fail('this text has an escape or a character that JSON has not; a backslash is written \\\\', start);
        }
      }
    }
    return this.#fail('this text is not closed: write " at its end', start);
  }

  /** Reads members up to `close`, with a comma after the last one or without. */
  #members(open: string, close: string, member: () => void): void {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#next() === close) break;
      if (this.#at >= this.#text.length) this.#fail(`this ${open} is not closed: write ${close} at its end`, start);
      member();
      this.#skip();
      if (this.#next() === ',') this.#at += 1;
      else if (this.#next() !== close && this.#at < this.#text.length)
        this.#fail(`a comma or ${close} is missing here`);
    }
    this.#at += 1;
  }

  #object(path: string, depth: number): Record<string, unknown> {
    const members = new Map<string, unknown>();
    this.#members('{', '}', () => {
      if (this.#next() !== '"') this.#fail('a key in double quotes is missing here');
      const key = this.#string();
      const inner = below(path, key);
      this.#skip();
      if (this.#next() !== ':') this.#fail('a colon is missing here, between the key and its value');
      this.#at += 1;
      this.#skip();
      if (members.has(key)) this.repeated.push(inner);
      members.set(key, this.#value(inner, depth + 1));
    });
    // A key may be called `__proto__`: this makes it one as any other.
    return Object.fromEntries(members);
  }

  #array(path: string, depth: number): unknown[] {
    const items: unknown[] = [];
    this.#members('[', ']', () => {
      items.push(this.#value(below(path, items.length), depth + 1));
    });
    return items;
  }
}

/**
 * Reads JSON as editors write it: with comments, commas after the last member, and a byte order mark. Throws nothing.
 * `JSON.parse` alone would not do, even where there are no comments: on Node 20 it does not always say where it stopped,
 * and it quotes the text, which may be a secret.
 */
export const readJsonc = (text: string): JsoncResult => {
  const reader = new Reader(text);
  try {
    return { value: reader.whole(), repeated: reader.repeated };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const lines = text
      .slice(0, error.at)
      .replace(/^\uFEFF/, '')
      .split(/\r\n|\r|\n/);
    return { fault: error.reason, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  }
};
