import { canonical } from '../client/canonical.js';

type Members = Readonly<Record<string, unknown>>;
type Pair = readonly [actual: unknown, expected: unknown];

const tagOf = (value: object): string => Object.prototype.toString.call(value);

/** Its members that have a value. */
const namesOf = (value: object): readonly string[] =>
  Object.keys(value).filter((name) => (value as Members)[name] !== undefined);

const memberPairs = (actual: object, expected: object): readonly Pair[] | undefined => {
  const names = namesOf(expected);
  if (namesOf(actual).length !== names.length || !names.every((name) => Object.hasOwn(actual, name))) return undefined;
  return names.map((name) => [(actual as Members)[name], (expected as Members)[name]]);
};

/** Those of an error, but for its name, which may be its class's. */
const ownMembers = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'name'));

/** Each of one has its like in the other, in whatever order. */
const haveSame = (actual: Iterable<unknown>, expected: Iterable<unknown>, within: readonly Pair[]): boolean => {
  const [left, should] = [[...actual], [...expected]];
  const around: readonly Pair[] = [...within, [actual, expected]];
  return (
    left.length === should.length &&
    should.every((item) => {
      const place = left.findIndex((other) => isSame(other, item, around));
      if (place === -1) return false;
      left.splice(place, 1);
      return true;
    })
  );
};

/** What has to be the same as well, so that two objects are; `undefined` where they are not. */
const partsOf = (actual: object, expected: object, within: readonly Pair[]): readonly Pair[] | undefined => {
  if (typeof actual === 'function' || typeof expected === 'function' || tagOf(actual) !== tagOf(expected))
    return undefined;
  if (expected instanceof Error) {
    const { name, message, cause } = actual as Error;
    const pairs: Pair[] = [
      [name, expected.name],
      [message, expected.message],
    ];
    // What is behind it is compared where it is expected: an error says of its cause what there is to say.
    if (expected.cause !== undefined) pairs.push([cause, expected.cause]);
    const members = memberPairs(ownMembers(actual), ownMembers(expected));
    return members && [...pairs, ...members];
  }
  if (expected instanceof Date) return [[(actual as Date).getTime(), expected.getTime()]];
  if (expected instanceof RegExp || expected instanceof URL) return [[(actual as URL).toString(), expected.toString()]];
  if (expected instanceof Map || expected instanceof Set) {
    // In circles: it is being compared already.
    if (within.some(([is, should]) => is === actual && should === expected)) return [];
    return haveSame(actual as typeof expected, expected, within) ? [] : undefined;
  }
  if (expected instanceof ArrayBuffer)
    return [[new Uint8Array(actual as ArrayBuffer), new Uint8Array(expected)] as const];
  if (expected instanceof Number || expected instanceof String || expected instanceof Boolean)
    return [[actual.valueOf(), expected.valueOf()]];
  if (expected instanceof Promise || expected instanceof WeakMap || expected instanceof WeakSet) return undefined;
  if (Array.isArray(expected) || ArrayBuffer.isView(expected)) {
    const [are, should] = [Array.from(actual as unknown[]), Array.from(expected as unknown as unknown[])];
    return are.length === should.length ? should.map((item, index) => [are[index], item]) : undefined;
  }
  return memberPairs(actual, expected);
};

/**
 * Whether two values are the same, however deep they are or in circles: objects by their members, of which one without a value is none; errors
 * by name, message and members, and by their cause where one is expected; maps and sets in any order; dates, addresses and bytes by what they
 * say. Classes of one's own do not count; what else is no data is the same as itself alone.
 */
export const isSame = (actual: unknown, expected: unknown, within: readonly Pair[] = []): boolean => {
  const left: Pair[] = [[actual, expected]];
  const seen = new Map<object, Set<object>>();
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [is, should] = pair;
    if (is === should || (Number.isNaN(is) && Number.isNaN(should))) continue;
    if (typeof is !== 'object' || typeof should !== 'object' || is === null || should === null) return false;
    const others = seen.get(is) ?? new Set();
    if (others.has(should)) continue;
    seen.set(is, others.add(should));
    const parts = partsOf(is, should, within);
    if (parts === undefined) return false;
    left.push(...parts);
  }
  return true;
};

/** As much of a value as is shown. */
const DEEP = 12;

/** What JSON has no form for, as something for which it has one. */
const plain = (value: unknown, around: readonly unknown[] = []): unknown => {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (around.includes(value)) return '[circular]';
  if (around.length > DEEP) return '…';
  const within = [...around, value];
  const all = (items: Iterable<unknown>): unknown[] => Array.from(items, (item) => plain(item, within));
  if (Array.isArray(value)) return all(value);
  if (value instanceof Map || value instanceof Set) return { [tagOf(value)]: all(value) };
  if (value instanceof Date || value instanceof RegExp || value instanceof URL)
    return { [tagOf(value)]: String(value) };
  const members = Object.entries(value).map(([key, member]) => [key, plain(member, within)] as const);
  if (value instanceof Error) return { ...Object.fromEntries(members), error: value.name, message: value.message };
  return Object.fromEntries(members);
};

/** A value as it is shown to a person. */
export const shown = (value: unknown): string => canonical(plain(value));
