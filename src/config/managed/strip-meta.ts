import { isObject } from '../../jsonrpc/index.js';

/** Where a result holds parts with a `_meta` of their own. */
const PARTS = ['content', 'contents', 'messages', 'resource'] as const;

/** A message of a prompt holds a block, and that a resource; nothing the protocol has is deeper. */
const DEEPEST = 5;

const without = (value: unknown, isReserved: (key: string) => boolean, depth: number): unknown => {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => without(item, isReserved, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  const changed: Record<string, unknown> = {};
  const meta = value['_meta'];
  if (isObject(meta) && Object.keys(meta).some(isReserved)) {
    changed['_meta'] = Object.fromEntries(Object.entries(meta).filter(([key]) => !isReserved(key)));
  }
  for (const part of PARTS) {
    const before = value[part];
    const after = without(before, isReserved, depth + 1);
    if (after !== before) changed[part] = after;
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
};

/**
 * A result without the keys of `_meta` that begin with one of the prefixes, in itself and in its blocks: what a host
 * writes there, no server can. The same object where there are none. MCP 2026-07-28 basic, "_meta".
 */
export const stripMeta = <T>(result: T, prefixes: readonly string[]): T =>
  prefixes.length === 0
    ? result
    : (without(result, (key) => prefixes.some((prefix) => key.startsWith(prefix)), 0) as T);
