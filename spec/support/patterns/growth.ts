import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { CountedPattern } from './steps.js';

const SHORT = 30;
/** What doubles with the text is linear; what grows with its square is fourfold. */
const LINEAR = 2.8;
const KINDS = 6;

/** A text that the elements match, or at least most of it. */
const sampleOf = (elements: readonly AST.Element[]): string =>
  elements
    .map((element): string => {
      switch (element.type) {
        case 'Character':
          return String.fromCodePoint(element.value);
        case 'CharacterSet':
        case 'CharacterClass':
          return anyOf(element.raw);
        case 'Group':
        case 'CapturingGroup':
          return sampleOf(element.alternatives[0]!.elements);
        case 'Quantifier':
          return sampleOf([element.element]).repeat(Math.min(element.min, SHORT));
        default:
          return '';
      }
    })
    .join('');

const anyOf = (raw: string): string => {
  const pattern = new RegExp(`^(?:${raw})$`, raw.includes('{') ? 'u' : '');
  for (let code = 0x61; code < 0x61 + 0xffff; code += 1) {
    const one = String.fromCharCode(code % 0xffff);
    if (pattern.test(one)) return one;
  }
  return '';
};

/** What stands before each part of the pattern that is repeated, and what repeats there. */
const placesIn = (alternatives: readonly AST.Alternative[], before = ''): (readonly [string, string])[] =>
  alternatives.flatMap(({ elements }) =>
    elements.flatMap((element, n): (readonly [string, string])[] => {
      const prefix = before + sampleOf(elements.slice(0, n));
      if (element.type === 'Group' || element.type === 'CapturingGroup') return placesIn(element.alternatives, prefix);
      if (element.type !== 'Quantifier') return [];
      const inner =
        element.element.type === 'Group' || element.element.type === 'CapturingGroup'
          ? placesIn(element.element.alternatives, prefix)
          : [];
      return [[prefix, sampleOf([element.element])], ...inner];
    }),
  );

/**
 * A text on which the steps of a pattern grow faster than the text; `undefined` where none of those that are tried is one. They are made of
 * the pattern: what leads to each of its repetitions, then one or two kinds of characters or what repeats there, many times, then what fits least.
 */
export const culpritOf = (source: string, flags: string): string | undefined => {
  const counted = new CountedPattern(source, flags);
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes('u') });
  const kinds = counted.kinds(KINDS);
  const places = placesIn(alternatives);
  const prefixes = new Set(['', ...places.map(([prefix]) => prefix)]);
  const pumps = new Set([
    ...places.flatMap(([prefix, repeated]) => [repeated, prefix + repeated]),
    ...kinds.flatMap((one) => kinds.map((other) => (one === other ? one : one + other))),
    sampleOf(alternatives[0]!.elements),
  ]);
  pumps.delete('');
  const ends = new Set(['', kinds.at(-1)!]);
  for (const prefix of prefixes) {
    for (const pump of pumps) {
      for (const end of ends) {
        const times = (count: number): number => counted.steps(prefix + pump.repeat(count) + end);
        const long = times(2 * SHORT);
        if (long === Number.POSITIVE_INFINITY || long > LINEAR * times(SHORT)) return prefix + pump.repeat(8) + end;
      }
    }
  }
  return undefined;
};
