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
