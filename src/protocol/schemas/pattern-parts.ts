/** A set of characters: a bit for each of ASCII, and one for all others together. */
export type Chars = bigint;

const OTHERS = 1n << 128n;
/** Any character. */
export const ALL: Chars = (1n << 129n) - 1n;
/** No character. */
export const NONE: Chars = 0n;

const charOf = (code: number): Chars => (code < 128 ? 1n << BigInt(code) : OTHERS);

const rangeOf = (from: number, to: number): Chars => {
  let chars = to > 127 ? OTHERS : NONE;
  for (let code = from; code <= Math.min(to, 127); code += 1) chars |= charOf(code);
  return chars;
};

/** All others but these; what is not ASCII may be on either side. */
const without = (chars: Chars): Chars => (ALL & ~chars) | OTHERS;

const DIGIT = rangeOf(48, 57);
const WORD = DIGIT | rangeOf(65, 90) | rangeOf(97, 122) | charOf(95);
const SPACE = rangeOf(9, 13) | charOf(32) | OTHERS;
const CLASSES: Readonly<Record<string, Chars>> = {
  d: DIGIT,
  D: without(DIGIT),
  w: WORD,
  W: without(WORD),
  s: SPACE,
  S: without(SPACE),
  p: ALL,
  P: ALL,
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/** A part of a pattern. */
export type Part =
  /** One character. */
  | { readonly kind: 'char'; readonly chars: Chars }
  /** What takes no character; `end` is the end of the text. */
  | { readonly kind: 'edge'; readonly at: 'start' | 'end' | 'any' }
  /** What a group before it has taken. */
  | { readonly kind: 'again' }
  | { readonly kind: 'look'; readonly inside: Part }
  | { readonly kind: 'row'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'many'; readonly inside: Part; readonly min: number; readonly max: number };

/** Reads one pattern. */
class Reader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): Part {
    const part = this.#choice();
    if (this.#at < this.#pattern.length) throw new Error('its pattern cannot be read');
    return part;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  #choice(): Part {
    const parts = [this.#row()];
    while (this.#take(/\|/y) !== undefined) parts.push(this.#row());
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'choice', parts };
  }

  #row(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at))) parts.push(this.#many());
    return { kind: 'row', parts };
  }

  #many(): Part {
    const inside = this.#one();
    const often = this.#take(/(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y);
    if (often === undefined) return inside;
    const [, sign, least, range, most] = often;
    if (sign !== undefined) {
      return { kind: 'many', inside, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    }
    const min = Number(least);
    return { kind: 'many', inside, min, max: range === undefined ? min : most === '' ? Infinity : Number(most) };
  }

  #one(): Part {
    if (this.#take(/\^/y) !== undefined) return { kind: 'edge', at: 'start' };
    if (this.#take(/\$/y) !== undefined) return { kind: 'edge', at: 'end' };
    if (this.#take(/\\[bB]/y) !== undefined) return { kind: 'edge', at: 'any' };
    if (this.#take(/\\(?:[1-9]\d*|k<[^>]*>)/y) !== undefined) return { kind: 'again' };
    const group = this.#take(/\((\?(?:<?[=!]|:|<[^>]*>))?/y);
    if (group !== undefined) {
      // Such as the flags of a group: what is read wrongly is bounded wrongly.
      if (group[1] === undefined && this.#take(/\?/y) !== undefined) throw new Error('its pattern cannot be read');
      const inside = this.#choice();
      if (this.#take(/\)/y) === undefined) throw new Error('its pattern cannot be read');
      return /^\?<?[=!]/.test(group[1] ?? '') ? { kind: 'look', inside } : inside;
    }
    if (this.#take(/\[/y) !== undefined) return { kind: 'char', chars: this.#class() };
    if (this.#take(/\./y) !== undefined) return { kind: 'char', chars: ALL };
    return { kind: 'char', chars: this.#char().chars };
  }

  #class(): Chars {
    const isNegated = this.#take(/\^/y) !== undefined;
    let chars = NONE;
    while (this.#take(/\]/y) === undefined) {
      const from = this.#char();
      if (from.code !== undefined && this.#take(/-(?!\])/y) !== undefined) {
        const to = this.#char();
        chars |= to.code === undefined ? from.chars | charOf(45) | to.chars : rangeOf(from.code, to.code);
      } else chars |= from.chars;
    }
    return isNegated ? without(chars) : chars;
  }

  /** A character, or what stands for some; these have no code. */
  #char(): { readonly chars: Chars; readonly code?: number } {
    const escape = this.#take(/\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|c([a-z])|[pP]\{[^}]*\}|([^]))/iy);
    if (escape !== undefined) {
      const [whole, long, short, byte, control, letter = ''] = escape;
      const hex = long ?? short ?? byte;
      if (hex !== undefined) return this.#codeOf(parseInt(hex, 16));
      if (control !== undefined) return this.#codeOf(control.charCodeAt(0) % 32);
      const chars = CLASSES[letter === '' ? whole.charAt(1) : letter];
      return chars === undefined ? this.#codeOf(CONTROLS[letter] ?? letter.charCodeAt(0)) : { chars };
    }
    const code = this.#pattern.codePointAt(this.#at);
    // A backslash that is the last.
    if (code === undefined || code === 92) throw new Error('its pattern cannot be read');
    this.#at += code > 0xffff ? 2 : 1;
    return this.#codeOf(code);
  }

  #codeOf(code: number): { readonly chars: Chars; readonly code: number } {
    return { chars: charOf(code), code };
  }
}

/** The parts of a pattern, as they are with the flag `u`. Throws where it cannot be read. */
export const partsOf = (pattern: string): Part => new Reader(pattern).read();
