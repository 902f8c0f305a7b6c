const MAX_DEPTH = 200;

/** What a text wire would make of it: a Date becomes its string, a cycle or a bigint is refused. */
const throughText = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
};

const copyArray = (items: readonly unknown[], depth: number): unknown[] => {
  const copy = new Array<unknown>(items.length);
  for (let index = 0; index < items.length; index += 1) copy[index] = jsonCopy(items[index], depth) ?? null;
  return copy;
};

const copyObject = (source: Record<string, unknown>, depth: number): Record<string, unknown> => {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(source)) {
    const value = jsonCopy(source[key], depth);
    if (value === undefined) continue;
    // Assigning to this key would change the copy's prototype.
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
    else copy[key] = value;
  }
  return copy;
};

const copyData = (value: object, depth: number): unknown => {
  if (depth > MAX_DEPTH || typeof (value as { toJSON?: unknown }).toJSON === 'function') return throughText(value);
  if (Array.isArray(value)) return copyArray(value, depth + 1);
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? copyObject(value as Record<string, unknown>, depth + 1)
    : throughText(value);
};

/**
 * A value as it would arrive over a wire of JSON text: equal to `JSON.parse(JSON.stringify(value))`,
 * sharing nothing with the original, and several times cheaper for plain data, since no text is made.
 * Throws what `JSON.stringify` throws (a cycle, a bigint). A value JSON has no form for is `undefined`.
 */
export const jsonCopy = (value: unknown, depth = 0): unknown => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // Adding zero turns -0 into 0, as the text would.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object':
      return value === null ? null : copyData(value, depth);
    case 'bigint':
      return throughText(value);
    default:
      return undefined;
  }
};
