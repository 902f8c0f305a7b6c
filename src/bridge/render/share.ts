/** What one result asks for, in tokens. */
export interface Demand {
  /** What it takes if it may. */
  readonly tokens: number;
  /** Whether it takes that in any case: it goes off first, and is never cut. */
  readonly fixed: boolean;
}

/**
 * How much each of a batch may take, so that together they take no more than `total`: what is fixed is whole, and the
 * rest fill up like communicating vessels: the small ones whole, and those that are larger than an equal share each
 * get the same. Depends on the demands alone, not on which came first. With `fixed` demands beyond the total, nothing
 * is left for the others.
 */
export const shareOut = (demands: readonly Demand[], total: number): readonly number[] => {
  let left = Math.max(0, total - demands.reduce((sum, { tokens, fixed }) => sum + (fixed ? tokens : 0), 0));
  const rising = demands
    .filter(({ fixed }) => !fixed)
    .map(({ tokens }) => tokens)
    .sort((one, other) => one - other);
  let level = Infinity;
  for (const [index, tokens] of rising.entries()) {
    const equal = Math.floor(left / (rising.length - index));
    if (tokens > equal) {
      level = equal;
      break;
    }
    left -= tokens;
  }
  return demands.map(({ tokens, fixed }) => (fixed ? Infinity : Math.min(tokens, level)));
};
