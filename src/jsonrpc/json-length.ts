/** What is written in more than one code unit: quotes, backslashes, what has no form of its own, and lone halves of pairs. */
const ESCAPED = /["\\\ud800-\udfff]|[^ -\uffff]/;

const lengthOfText = (text: string): number => (ESCAPED.test(text) ? JSON.stringify(text).length : text.length + 2);

/** How many levels are gone down call by call: what is deeper waits for its turn, and no depth is too deep. */
const LEVELS = 200;

/** @param deep takes what waits for its turn */
const lengthOf = (value: unknown, level: number, deep: object[]): number => {
  switch (typeof value) {
    case 'string':
      return lengthOfText(value);
    case 'number':
      return Number.isFinite(value) ? String(value).length : 4;
    case 'boolean':
      return value ? 4 : 5;
    case 'object': {
      if (value === null) return 4;
      if (level === LEVELS) {
        deep.push(value);
        return 0;
      }
      // Brackets, and a comma between each two.
      if (Array.isArray(value)) {
        let length = 2 + Math.max(0, value.length - 1);
        for (const item of value as unknown[]) length += lengthOf(item, level + 1, deep);
        return length;
      }
      let length = 1;
      for (const key of Object.keys(value)) {
        const member = (value as Record<string, unknown>)[key];
        if (member !== undefined) length += lengthOfText(key) + 2 + lengthOf(member, level + 1, deep);
      }
      return Math.max(2, length);
    }
    default:
      return 4;
  }
};

/**
 * How long the JSON text of a value is, in UTF-16 code units, without making it: what `JSON.stringify(value).length` says,
 * and of a value that is too deep for that as well. For what came as JSON: plain objects, arrays, texts, finite numbers,
 * booleans, null; a member that is `undefined` is none.
 */
export const jsonLength = (value: unknown): number => {
  const deep: object[] = [];
  let length = lengthOf(value, 0, deep);
  for (let next = deep.pop(); next !== undefined; next = deep.pop()) length += lengthOf(next, 0, deep);
  return length;
};
