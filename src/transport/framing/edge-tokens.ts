/*
 * The tokens of a JSON text, read from either end of a window on it. All structure of JSON is ASCII, and the bytes of
 * longer characters are all above it, so that a window may begin and end inside a character.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
const opens = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number | undefined): boolean => byte === 0x7d || byte === 0x5d;

/** Digits, letters, `+`, `-` and `.`: what numbers and the three words are made of. */
const isScalar = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e);

/** The index of the first byte at or after `at` that is no white space; the length where there is none. */
export const skipSpace = (bytes: Uint8Array, at: number): number => {
  let index = at;
  while (isSpace(bytes[index])) index += 1;
  return index;
};

/** The index of the last byte at or before `at` that is no white space; -1 where there is none. */
export const skipSpaceBack = (bytes: Uint8Array, at: number): number => {
  let index = at;
  while (index >= 0 && isSpace(bytes[index])) index -= 1;
  return index;
};

/** The index after the string that opens at `at`; -1 where the window ends first. */
export const endOfString = (bytes: Uint8Array, at: number): number => {
  for (let index = at + 1; index < bytes.length; index += 1) {
    if (bytes[index] === BACKSLASH) index += 1;
    else if (bytes[index] === QUOTE) return index + 1;
  }
  return -1;
};

/** The index of the quote that opens the string whose closing quote stands at `at`; -1 where it is out of the window. */
export const startOfString = (bytes: Uint8Array, at: number): number => {
  for (let index = at - 1; index > 0; index -= 1) {
    if (bytes[index] !== QUOTE) continue;
    // Inside a string each quote has an odd number of backslashes before it; the one that opens it has none.
    let before = index - 1;
    while (before >= 0 && bytes[before] === BACKSLASH) before -= 1;
    // The run of backslashes may go on beyond the window: nobody knows then.
    if (before < 0) return -1;
    if ((index - 1 - before) % 2 === 0) return index;
  }
  return -1;
};

/** The index after the value that starts at `at`; -1 where its end is out of the window. */
export const endOfValue = (bytes: Uint8Array, at: number): number => {
  if (bytes[at] === QUOTE) return endOfString(bytes, at);
  let index = at;
  if (!opens(bytes[index])) {
    while (isScalar(bytes[index])) index += 1;
    // At the end of the window a number may go on.
    return index === at || index === bytes.length ? -1 : index;
  }
  for (let depth = 0; index < bytes.length;) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      index = endOfString(bytes, index);
      if (index === -1) return -1;
      continue;
    }
    index += 1;
    if (opens(byte)) depth += 1;
    else if (closes(byte)) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
};

/** The index of the first byte of the value whose last byte stands at `at`; -1 where its start is out of the window. */
export const startOfValue = (bytes: Uint8Array, at: number): number => {
  if (bytes[at] === QUOTE) return startOfString(bytes, at);
  let index = at;
  if (!closes(bytes[index])) {
    while (index >= 0 && isScalar(bytes[index])) index -= 1;
    return index === at || index < 0 ? -1 : index + 1;
  }
  for (let depth = 0; index >= 0; index -= 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      index = startOfString(bytes, index);
      if (index === -1) return -1;
    } else if (closes(byte)) depth += 1;
    else if (opens(byte)) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
};
