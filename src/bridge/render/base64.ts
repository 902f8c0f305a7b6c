/** Base64 as a strict reader takes it, and how many bytes it stands for. */
export interface Base64 {
  readonly data: string;
  readonly bytes: number;
}

/**
 * Reads Base64 (RFC 4648, section 4). Line breaks are left out and missing padding is added, since senders differ in
 * both and the APIs of models take neither. `undefined` for what is no Base64. Throws nothing, and takes time linear in
 * the length.
 */
export const readBase64 = (value: unknown): Base64 | undefined => {
  if (typeof value !== 'string') return undefined;
  const dense = /\s/.test(value) ? value.replace(/\s+/g, '') : value;
  const padding = dense.endsWith('==') ? 2 : dense.endsWith('=') ? 1 : 0;
  const length = dense.length - padding;
  const rest = length % 4;
  if (rest === 1 || (padding > 0 && (length + padding) % 4 !== 0)) return undefined;
  const bare = dense.slice(0, length);
  if (/[^A-Za-z0-9+/]/.test(bare)) return undefined;
  const data = rest === 0 ? bare : bare + '='.repeat(4 - rest);
  return { data, bytes: Math.floor((length * 3) / 4) };
};
