/** The longest word of a server that goes into a name. */
const LONGEST = 500;

/** A server's word on one line and of bounded length; `undefined` where there is none. */
export const lineOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  // Cut first: the rest need not be looked at. What is cut in two is left out whole.
  const start = value
    .slice(0, LONGEST * 2)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (start === '') return undefined;
  return start.length > LONGEST ? `${start.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}...` : start;
};

/** `1 byte`, `7 bytes`; `undefined` for what is no size. */
export const sizeOf = (bytes: unknown): string | undefined =>
  typeof bytes === 'number' && Number.isFinite(bytes) && bytes >= 0
    ? `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
    : undefined;

/** Names a thing that is not shown: `[image: image/png, 68 bytes]`. What is not known is left out. */
export const nameOf = (kind: string, ...facts: readonly (string | undefined)[]): string => {
  const known = facts.filter((fact) => fact !== undefined);
  return known.length === 0 ? `[${kind}]` : `[${kind}: ${known.join(', ')}]`;
};
