import { ALL, type Chars, NONE, type Part, partsOf } from './pattern-parts.js';

/** What may come first in a part, or behind it where it may be empty. */
const firstOf = (part: Part, behind: Chars): Chars => {
  switch (part.kind) {
    case 'char':
      return part.chars;
    case 'edge':
      return part.at === 'end' ? NONE : behind;
    case 'again':
      return ALL;
    case 'look':
      return behind;
    case 'row':
      return part.parts.reduceRight((chars, one) => firstOf(one, chars), behind);
    case 'choice':
      return part.parts.reduce((chars, one) => chars | firstOf(one, behind), NONE);
    case 'many':
      return firstOf(part.inside, behind) | (part.min === 0 ? behind : NONE);
  }
};

/** In how many ways a part can be gone through, and how many steps all of them take. */
interface Cost {
  readonly ways: number;
  readonly steps: number;
}

const manyCost = (part: Part & { readonly kind: 'many' }, behind: Chars, length: number): Cost => {
  const { inside, min, max } = part;
  const first = firstOf(inside, NONE);
  const once = costOf(inside, first | behind, length);
  const often = Math.min(max, Math.max(length, min) + 1);
  if (once.ways > 1 && max > 1) return { ways: Infinity, steps: Infinity };
  // Where what is behind cannot begin as another turn does, there is one place to go on from.
  const isOneWay = (first & behind) === NONE;
  if (max <= 1) return { ways: once.ways + (min === 0 && !isOneWay ? 1 : 0), steps: once.steps + 1 };
  return { ways: isOneWay ? 1 : often - Math.min(min, often) + 1, steps: once.steps * often + 1 };
};

const rowCost = (parts: readonly Part[], behind: Chars, length: number): Cost => {
  const behinds: Chars[] = [];
  parts.reduceRight((chars, one, at) => {
    behinds[at] = chars;
    return firstOf(one, chars);
  }, behind);
  let ways = 1;
  let steps = 0;
  for (const [at, one] of parts.entries()) {
    const cost = costOf(one, behinds[at] ?? NONE, length);
    steps += ways * cost.steps;
    ways *= cost.ways;
  }
  return { ways, steps };
};

/** @param behind what may come next, nothing where the end of the pattern does: then any way is the last one */
const costOf = (part: Part, behind: Chars, length: number): Cost => {
  switch (part.kind) {
    case 'char':
    case 'edge':
      return { ways: 1, steps: 1 };
    case 'again':
      return { ways: 1, steps: length + 1 };
    case 'look':
      return { ways: 1, steps: costOf(part.inside, NONE, length).steps };
    case 'row':
      return rowCost(part.parts, behind, length);
    case 'choice': {
      let taken = NONE;
      let overlap = false;
      const costs = part.parts.map((one) => {
        const first = firstOf(one, behind);
        overlap ||= (taken & first) !== NONE || first === NONE;
        taken |= first;
        return costOf(one, behind, length);
      });
      const ways = costs.map((cost) => cost.ways);
      return {
        ways: overlap ? ways.reduce((sum, one) => sum + one, 0) : Math.max(...ways),
        steps: costs.reduce((sum, one) => sum + one.steps, 1),
      };
    }
    case 'many':
      return manyCost(part, behind, length);
  }
};

const startsAtStart = (part: Part): boolean => {
  if (part.kind === 'choice') return part.parts.every(startsAtStart);
  if (part.kind === 'row') return part.parts[0] !== undefined && startsAtStart(part.parts[0]);
  return part.kind === 'edge' && part.at === 'start';
};

/**
 * How many steps a pattern may take on a text of a length, at most: a bound, and no estimate. A regular expression that
 * fails has tried all ways to go through its text. Throws where the pattern cannot be read.
 */
export const patternCost = (pattern: string): ((length: number) => number) => {
  const part = partsOf(pattern);
  const starts = startsAtStart(part) ? () => 1 : (length: number) => length + 1;
  return (length) => starts(length) * costOf(part, NONE, length).steps;
};
