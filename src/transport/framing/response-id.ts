import type { RequestId } from '../../jsonrpc/index.js';
import { membersFromEnd, membersFromStart } from './edge-members.js';
import type { EdgeMembers } from './edge-members.js';

const isId = (id: unknown): id is RequestId =>
  typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));

const idOf = (members: EdgeMembers): RequestId | undefined => (isId(members.id) ? members.id : undefined);

/**
 * The id of a JSON-RPC response of which only the two ends are at hand: a bounded scan of its top-level members.
 * `undefined` unless the line is an object with a `result` or an `error`, no `method`, and an `id` of its own that
 * can be read whole; an id nested deeper, or inside a string, is never taken for it. JSON-RPC 2.0 section 5.
 *
 * @param head the first bytes of the line
 * @param tail its last bytes; they may overlap the head
 */
export const findResponseId = (head: Uint8Array, tail: Uint8Array): RequestId | undefined => {
  const start = membersFromStart(head);
  if (start === undefined) return undefined;
  const end = membersFromEnd(tail);
  const names = [...start.names, ...(end?.names ?? [])];
  // Many servers have ids of their own: that of a request must not fail a call that happens to bear the same one.
  if (names.includes('method') || !(names.includes('result') || names.includes('error'))) return undefined;
  // Of two members of one name the later one counts, as in JSON.parse.
  return (end === undefined ? undefined : idOf(end)) ?? idOf(start);
};
