/**
 * Whole escape sequences: their letters are no text either. CSI; OSC, DCS, SOS, PM and APC up to their end; all others. Such
 * a string that begins with a C1 character counts only where it has an end, and in one line: those characters also stand in
 * texts that were decoded wrongly, and what follows them there is not to be lost. No string is looked for in another one,
 * so that the time this takes grows with the length alone.
 */
const SEQUENCES =
  // eslint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|[\u009d\u0090\u0098\u009e\u009f][^\r\n\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

/** What is left of them, and what turns the direction of the text that follows: it can make one thing look like another. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text of a stranger, fit for a terminal: without escape sequences and control characters, but for tabs and the ends of
 * lines. A carriage return, which would let a line be written over, ends one.
 */
export const clean = (text: string): string =>
  text.replace(SEQUENCES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');

/** The same in one line: each run of white space is one space. */
export const oneLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();

/** What a server sent as a text: something else, which its types do not foresee, is nothing. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Legal inside JSON, and not fit for a terminal. `JSON.stringify` writes the others as escapes by itself. */
const IN_JSON = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A value as JSON, in ASCII wherever a terminal might act on it. `undefined`, which has no JSON, is `null`. */
export const jsonText = (value: unknown, indent?: number): string =>
  ((JSON.stringify(value, undefined, indent) as string | undefined) ?? 'null').replace(
    IN_JSON,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
