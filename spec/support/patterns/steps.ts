import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** One try at a position: how far it matches is what the continuation is given. */
type Matcher = (at: number, next: (at: number) => boolean) => boolean;

/** Thrown where there is no end to it. */
class TooMany extends Error {}

const MOST = 100_000;
/** What a larger bound on repetitions counts as. */
const SMALL = 8;

/** A single character, by the engine itself. */
const testerOf = (raw: string, flags: AST.Flags): ((one: string) => boolean) => {
  const own = `${flags.unicode ? 'u' : ''}${flags.ignoreCase ? 'i' : ''}${flags.dotAll ? 's' : ''}`;
  const pattern = new RegExp(`^(?:${raw})$`, own);
  const known = new Map<string, boolean>();
  return (one) => {
    const before = known.get(one);
    if (before !== undefined) return before;
    const fits = pattern.test(one);
    known.set(one, fits);
    return fits;
  };
};

/** A regular expression, run as a backtracking engine does, one step for each character that is looked at. */
export class CountedPattern {
  readonly #flags: AST.Flags;
  readonly #root: Matcher;
  readonly #pieces: { readonly fits: (one: string) => boolean }[] = [];
  #input: readonly string[] = [];
  #steps = 0;

  constructor(source: string, flags: string) {
    const parser = new RegExpParser();
    this.#flags = parser.parseFlags(flags);
    const pattern = parser.parsePattern(source, 0, source.length, { unicode: this.#flags.unicode });
    this.#root = this.#any(pattern.alternatives);
  }

  /** Characters that differ in which parts of the pattern they fit, `most` of them at most; the last of them fits the fewest. */
  kinds(most: number): readonly string[] {
    const kinds = new Map<string, string>();
    const codes = [...Array.from({ length: 128 }, (_, code) => code), 0x9b, 0x9c, 0x9d, 0xe9, 0x3042, 0xfffd, 0xd800];
    // Letters and digits first: they show better what is meant.
    codes.sort((a, b) => Number(/\W/.test(String.fromCharCode(a))) - Number(/\W/.test(String.fromCharCode(b))));
    for (const code of codes) {
      const one = String.fromCharCode(code);
      const kind = this.#pieces.map(({ fits }) => (fits(one) ? '1' : '0')).join('');
      if (!kinds.has(kind)) kinds.set(kind, one);
    }
    const fitted = (kind: string): number => kind.replaceAll('0', '').length;
    const all = [...kinds].sort(([a], [b]) => fitted(b) - fitted(a));
    return [...all.slice(0, most - 1), ...all.slice(-1)].map(([, one]) => one);
  }

  /** How many steps a search takes in a text, and in what is behind each match where it is global; `Infinity` for very many. */
  steps(text: string): number {
    this.#input = this.#flags.unicode ? Array.from(text) : text.split('');
    this.#steps = 0;
    try {
      for (let start = 0; start <= this.#input.length;) {
        let end = -1;
        this.#root(start, (at) => {
          end = at;
          return true;
        });
        if (this.#flags.sticky || (end !== -1 && !this.#flags.global)) break;
        start = end > start ? end : start + 1;
      }
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      return Number.POSITIVE_INFINITY;
    }
    return this.#steps;
  }

  #any(alternatives: readonly AST.Alternative[]): Matcher {
    const all = alternatives.map(({ elements }) => this.#sequence(elements.map((element) => this.#element(element))));
    return (at, next) => all.some((one) => one(at, next));
  }

  #sequence(parts: readonly Matcher[]): Matcher {
    const from = (n: number, at: number, next: (at: number) => boolean): boolean =>
      n === parts.length ? next(at) : parts[n]!(at, (end) => from(n + 1, end, next));
    return (at, next) => from(0, at, next);
  }

  #element(element: AST.Element): Matcher {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#any(element.alternatives);
      case 'Quantifier':
        return this.#repeated(this.#element(element.element), element);
      case 'Assertion':
        return this.#assertion(element);
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#one(element.raw);
      default:
        throw new Error(`${element.raw} is not counted`);
    }
  }

  #one(raw: string): Matcher {
    const fits = testerOf(raw, this.#flags);
    this.#pieces.push({ fits });
    return (at, next) => {
      this.#step();
      return at < this.#input.length && fits(this.#input[at]!) && next(at + 1);
    };
  }

  #repeated(part: Matcher, quantifier: AST.Quantifier): Matcher {
    const { greedy } = quantifier;
    // What repeats a number of times at most costs no more than that for each character: here the number is small, as the texts are.
    const [min, max] = [quantifier.min, quantifier.max].map((count) =>
      Number.isFinite(count) ? Math.min(count, SMALL) : count,
    );
    const from = (count: number, at: number, next: (at: number) => boolean): boolean => {
      const more = (): boolean =>
        count < max! && part(at, (end) => (end === at && count >= min! ? false : from(count + 1, end, next)));
      const enough = (): boolean => count >= min! && next(at);
      return greedy ? more() || enough() : enough() || more();
    };
    return (at, next) => from(0, at, next);
  }

  #assertion(assertion: AST.Assertion): Matcher {
    const isWord = (at: number): boolean => /\w/.test(this.#input[at] ?? '');
    switch (assertion.kind) {
      case 'start':
        return (at, next) => this.#step() && (at === 0 || this.#breaks(at - 1)) && next(at);
      case 'end':
        return (at, next) => this.#step() && (at === this.#input.length || this.#breaks(at)) && next(at);
      case 'word':
        return (at, next) => this.#step() && (isWord(at - 1) !== isWord(at)) !== assertion.negate && next(at);
      case 'lookahead': {
        const ahead = this.#any(assertion.alternatives);
        return (at, next) => ahead(at, () => true) !== assertion.negate && next(at);
      }
      case 'lookbehind': {
        // Those that look at one character alone: what is counted has no others.
        const behind = this.#any(assertion.alternatives);
        return (at, next) => {
          const found = [0, 1, 2, 3].some((back) => back <= at && behind(at - back, (end) => end === at));
          return found !== assertion.negate && next(at);
        };
      }
    }
  }

  #breaks(at: number): boolean {
    return this.#flags.multiline && this.#input[at] === '\n';
  }

  #step(): true {
    this.#steps += 1;
    if (this.#steps > MOST) throw new TooMany();
    return true;
  }
}
