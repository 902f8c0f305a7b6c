/** What may follow a name in a text. Sticky: it is looked for there and nowhere else. */
const VALUES = {
  '"': /(?:[^"\\\n\r]|\\[^\n\r])+/y,
  "'": /(?:[^'\\\n\r]|\\[^\n\r])+/y,
  // Within a text that is quoted itself.
  '\\"': /[^"\\\n\r]+/y,
  "\\'": /[^'\\\n\r]+/y,
  line: /[^\n\r]+/y,
  word: /[^\s"<>&]+/y,
} as const;

/** How a value goes on: up to a quote, or to the end of a line or word. */
export type How = keyof typeof VALUES;

/** What ends a word and belongs to the sentence around it. */
const PUNCTUATION: ReadonlySet<string> = new Set([',', ';', "'", ')', '}', ']']);

/** The beginning of a block of YAML, with the first line of it. YAML 1.2.2, 8.1. */
const BLOCK = /[|>][-+\d]{0,2}[ \t]*(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))?([ \t]+)[^\n\r]*/y;
const NEXT_LINE = /(?:\r\n|\n|\r)([ \t]*)([^\n\r]*)/y;

/** A block of lines that are all indented as its first is; nothing where none is. */
const blockAt = (text: string, at: number): string => {
  BLOCK.lastIndex = at;
  const [first, indent] = BLOCK.exec(text) ?? [];
  if (first === undefined || indent === undefined) return '';
  let end = at + first.length;
  NEXT_LINE.lastIndex = end;
  for (let next = NEXT_LINE.exec(text); next !== null; next = NEXT_LINE.exec(text)) {
    const { 1: own = '', 2: rest = '' } = next;
    if (rest !== '' && own.length < indent.length) break;
    end = NEXT_LINE.lastIndex;
  }
  return text.slice(at, end);
};

/** The value that begins there; empty where none does. */
export const valueAt = (text: string, at: number, how: How): string => {
  const pattern = VALUES[how];
  pattern.lastIndex = at;
  const value = pattern.exec(text)?.[0] ?? '';
  if (how === 'line' || how === 'word') {
    const block = text[at] === '|' || text[at] === '>' ? blockAt(text, at) : '';
    if (block !== '') return block;
  }
  if (how !== 'word') return value;
  let end = value.length;
  while (end > 0 && PUNCTUATION.has(value[end - 1] ?? '')) end -= 1;
  return value.slice(0, end);
};
