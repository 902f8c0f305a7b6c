/** So many characters of a text cost a step. */
export const TEXT = 16;

/** What a member of an object counts for: its name is looked up, and told in the place of what is wrong. */
const MEMBER = 4;

/**
 * How much there is to look at in a value, by its values, members and texts; no more is looked at than tells that it is more
 * than `most`. It may be as deep as it likes.
 */
export const sizeOf = (root: unknown, most = Infinity): number => {
  let size = 0;
  const left: object[] = [];
  const add = (value: unknown): void => {
    if (typeof value === 'string') size += 1 + value.length / TEXT;
    else size += 1;
    if (typeof value === 'object' && value !== null) left.push(value);
  };
  add(root);
  for (let value = left.pop(); value !== undefined && size <= most; value = left.pop()) {
    if (Array.isArray(value)) {
      for (const item of value as readonly unknown[]) {
        if (size > most) break;
        add(item);
      }
      continue;
    }
    for (const key in value) {
      if (size > most) break;
      size += MEMBER - 1 + key.length / TEXT;
      add((value as Readonly<Record<string, unknown>>)[key]);
    }
  }
  return size;
};
