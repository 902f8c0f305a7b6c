/**
 * The text of a file that may have been written on Windows: UTF-8 with or without a byte order mark, or UTF-16 with one,
 * as the shells there write what is redirected. Without that mark.
 */
export const decodeText = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
};
