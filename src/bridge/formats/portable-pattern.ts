const UNREAD = /\\[pPkc]|\\u\{|\(\?<|\(\?[a-z-]+:|\[\^?\]/u;

/** An escape, with the number of a back-reference; a class of characters, which may lack its end; the start or the end of a group. */
const TOKENS = /\\(?:([1-9]\d*)|.)|\[(?:\\.|[^\]\\])*(?:\]|\\?$)|(\((?!\?))|\(|\)/gsu;

/** Whether a back-reference stands before the end of its group: in JavaScript it is empty there, in Python an error. */
const refersAhead = (pattern: string): boolean => {
  const open: (number | undefined)[] = [];
  const closed = new Set<number | undefined>();
  let groups = 0;
  for (const [token, reference, group] of pattern.matchAll(TOKENS)) {
    if (reference !== undefined && !closed.has(Number(reference))) return true;
    if (token === ')') closed.add(open.pop());
    else if (token === '(') open.push(group === undefined ? undefined : (groups += 1));
  }
  return false;
};

/**
 * False for a regular expression that Python reads in another way or not at all: OpenAI's validator is written in it,
 * and refuses the request.
 */
export const isPortablePattern = (pattern: string): boolean =>
  !UNREAD.test(pattern.replaceAll('\\\\', '')) && !refersAhead(pattern);
