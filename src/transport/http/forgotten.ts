import { ProtocolError, refusalOf, UnsentError } from '../../errors/index.js';
import { CODES, isInvalid, parseInbound, type RequestId } from '../../jsonrpc/index.js';

/** The request that was refused. */
export interface Refused {
  /** Its id, where it has one. */
  readonly id?: RequestId | undefined;
  /** What it was written for. */
  readonly era: 'modern' | 'legacy';
  /** Whether it named a session. */
  readonly session: boolean;
  /** False where a stream was asked for. Default true. */
  readonly isMessage?: boolean | undefined;
}

/** What servers in the field say, with 400, of what was agreed with another server, or before a restart. */
const NOT_AGREED = /session|not initialized|protocol version/i;

const SESSION = '(?:mcp[- ])?session(?:[- ]?id)?(?: header)?';
const WANTING = '(?:no(?: valid)?|no such|invalid|unknown|missing|expired)';
const WANTED = '(?:not found|invalid|unknown|missing|required|expired)';
const BEFORE = `${WANTING}(?: or ${WANTING})*`;
const AFTER = `${WANTED}(?: or ${WANTED})*`;
/**
 * The same and nothing else: what some of them say under the id of a request they did not read. Other words under that id
 * are those of whoever ran it.
 */
const NO_SESSION = new RegExp(
  `^(?:bad request: ?)?(?:${BEFORE} ${SESSION}(?: provided)?|${SESSION} (?:is |has )?${AFTER}|(?:the )?server (?:is )?not initialized)(?:: ?[\\w-]{1,64})?\\.?$`,
  'i',
);

/** What only a server of the modern era says, which has no sessions at all. */
const MODERN_CODES: ReadonlySet<number> = new Set([
  CODES.headerMismatch,
  CODES.missingClientCapability,
  CODES.unsupportedVersion,
]);

/** The error in the body of a refusal, if it is JSON-RPC's. */
const errorIn = (
  body: string,
): { readonly code: number; readonly message: string; readonly id: unknown } | undefined => {
  if (!body.trimStart().startsWith('{')) return undefined;
  const [only] = parseInbound(body);
  if (only === undefined || isInvalid(only) || !('error' in only)) return undefined;
  return { ...only.error, id: only.id };
};

/**
 * Whether a refusal says that the server knows nothing of what was agreed: its session, or the era it was of. Then it did
 * not read the request. An error under the request's own id is its answer, but for a few words: it may have run.
 */
export const isForgetting = (reason: unknown, { id, era, session, isMessage = true }: Refused): boolean => {
  const { status, body = '' } = refusalOf(reason) ?? {};
  if (status !== 404 && status !== 400) return false;
  // A message that wants no answer costs the wire only where the server says by its status that there is no session.
  if (id === undefined && isMessage) return status === 404 && session;
  const error = errorIn(body);
  if (error !== undefined && MODERN_CODES.has(error.code)) return era === 'legacy';
  if (error !== undefined && id !== undefined && error.id === id) return NO_SESSION.test(error.message.trim());
  return status === 404 ? session : NOT_AGREED.test(body);
};

/** Throws an `UnsentError` where a refusal says that the server knows nothing of what was agreed: then it did not read the request. */
export const checkForgotten = (reason: unknown, refused: Refused): void => {
  if (!isForgetting(reason, refused)) return;
  const why = reason instanceof ProtocolError ? `: ${reason.message}` : '';
  throw new UnsentError(
    `the server has forgotten ${refused.session ? 'the session' : 'what was agreed'}${why}`,
    reason,
  );
};
