/** How many values are compared. Each takes some hundredths of a microsecond: all of them take well under a second. */
const MAX_VALUES = 10_000_000;

/** An object with more keys than this is a table to the engine, in which each costs as much as `TABLE_KEY` values elsewhere. */
const TABLE = 1_000;
const TABLE_KEY = 20;

/** How many levels are gone down call by call: what is deeper waits for its turn, and no depth is too deep. */
const LEVELS = 200;

/** What a comparison has left, and what waits for its turn: pairs, one after the other. */
interface Work {
  left: number;
  readonly deep: object[];
}

/** How much may be compared: one for several comparisons that belong together. */
export type Budget = Pick<Work, 'left'>;

/** A budget for comparisons that belong together: of ten million values, if nothing else is said. */
export const budgetOf = (values: number = MAX_VALUES): Budget => ({ left: values });

type Members = Readonly<Record<string, unknown>>;

/** What has no form in JSON is null there. */
const written = (value: unknown): unknown =>
  value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? null : value;

const sameItems = (a: readonly unknown[], b: readonly unknown[], level: number, work: Work): boolean => {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (!same(a[at], b[at], level, work)) return false;
  return true;
};

const sameMembers = (a: Members, b: Members, level: number, work: Work): boolean => {
  let more = 0;
  // Not by a list of the keys: there would be one for each object.
  for (const key in a) {
    const member = a[key];
    if (member === undefined) continue;
    more += 1;
    if (more > TABLE) work.left -= TABLE_KEY;
    const other = b[key];
    if (other === undefined || !Object.hasOwn(b, key) || !same(member, other, level, work)) return false;
  }
  for (const key in b) if (b[key] !== undefined) more -= 1;
  return more === 0;
};

const same = (a: unknown, b: unknown, level: number, work: Work): boolean => {
  work.left -= 1;
  if (work.left < 0) return false;
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return written(a) === written(b);
  if (level === LEVELS) {
    work.deep.push(a, b);
    return true;
  }
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b, level + 1, work);
  return !Array.isArray(b) && sameMembers(a as Members, b as Members, level + 1, work);
};

/**
 * Whether two values are the same as JSON, in whatever order their members are; a member that is `undefined` is none. For what
 * came as JSON. It stops at the first difference, makes no text and no copy, and takes any depth. Where there is more to
 * compare than the budget has left they count as different: to say so of what is the same costs less than to find out.
 */
export const sameJson = (a: unknown, b: unknown, budget: Budget = budgetOf()): boolean => {
  const work: Work = { left: budget.left, deep: [] };
  let isSame = same(a, b, 0, work);
  while (isSame && work.deep.length > 0) {
    const other = work.deep.pop();
    isSame = same(work.deep.pop(), other, 0, work);
  }
  budget.left = work.left;
  return isSame;
};
