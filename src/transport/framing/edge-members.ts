import { endOfString, endOfValue, skipSpace, skipSpaceBack, startOfString, startOfValue } from './edge-tokens.js';

/** What is known of an object's top-level members from one of its ends. */
export interface EdgeMembers {
  /** The names that were read, in the order of the scan. */
  readonly names: readonly string[];
  /** The value of the member `id`, if it was read whole. */
  readonly id: unknown;
}

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;

const decoder = /* @__PURE__ */ new TextDecoder('utf-8');

const valueOf = (bytes: Uint8Array, start: number, end: number): unknown => {
  try {
    return JSON.parse(decoder.decode(bytes.subarray(start, end)));
  } catch {
    return undefined;
  }
};

const skipBom = (bytes: Uint8Array): number => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);

/** The top-level members that stand at the start of an object, as far as they can be read; `undefined` if it is none. */
export const membersFromStart = (bytes: Uint8Array): EdgeMembers | undefined => {
  const names: string[] = [];
  let id: unknown;
  let at = skipSpace(bytes, skipBom(bytes));
  if (bytes[at] !== BRACE_OPEN) return undefined;
  do {
    const nameStart = skipSpace(bytes, at + 1);
    const nameEnd = bytes[nameStart] === QUOTE ? endOfString(bytes, nameStart) : -1;
    if (nameEnd === -1) break;
    const colon = skipSpace(bytes, nameEnd);
    if (bytes[colon] !== COLON) break;
    const name = valueOf(bytes, nameStart, nameEnd);
    if (typeof name !== 'string') break;
    names.push(name);
    const valueStart = skipSpace(bytes, colon + 1);
    const valueEnd = endOfValue(bytes, valueStart);
    if (valueEnd === -1) break;
    if (name === 'id') id = valueOf(bytes, valueStart, valueEnd);
    at = skipSpace(bytes, valueEnd);
  } while (bytes[at] === COMMA);
  return { names, id };
};

/** The top-level members that stand at the end of an object, as far as they can be read; `undefined` if it is none. */
export const membersFromEnd = (bytes: Uint8Array): EdgeMembers | undefined => {
  const names: string[] = [];
  let id: unknown;
  let at = skipSpaceBack(bytes, bytes.length - 1);
  if (bytes[at] !== BRACE_CLOSE) return undefined;
  do {
    const valueLast = skipSpaceBack(bytes, at - 1);
    const valueStart = startOfValue(bytes, valueLast);
    if (valueStart === -1) break;
    const colon = skipSpaceBack(bytes, valueStart - 1);
    if (bytes[colon] !== COLON) break;
    const nameLast = skipSpaceBack(bytes, colon - 1);
    const nameStart = bytes[nameLast] === QUOTE ? startOfString(bytes, nameLast) : -1;
    if (nameStart === -1) break;
    const name = valueOf(bytes, nameStart, nameLast + 1);
    if (typeof name !== 'string') break;
    // From the end, the first one that is met is the last one of the object.
    if (name === 'id' && !names.includes('id')) id = valueOf(bytes, valueStart, valueLast + 1);
    names.push(name);
    at = skipSpaceBack(bytes, nameStart - 1);
  } while (bytes[at] === COMMA);
  return { names, id };
};
