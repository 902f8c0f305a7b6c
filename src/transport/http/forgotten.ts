import { catchError, map, type MonoTypeOperatorFunction, throwError } from 'rxjs';
import { ProtocolError, refusalOf, UnsentError } from '../../errors/index.js';
import { isInvalid } from '../../jsonrpc/index.js';
import type { Part } from './answer.js';

/** What servers in the field say in place of 404, with 400, where a session is none of theirs. */
const NO_SESSION = /session|not initialized/i;

/** Whether the refusal of a request that named a session says that there is no such session. */
export const isForgetting = (reason: unknown): boolean => {
  const { status, body = '' } = refusalOf(reason) ?? {};
  return status === 404 || (status === 400 && NO_SESSION.test(body));
};

const check = (reason: unknown): void => {
  if (!isForgetting(reason)) return;
  const why = reason instanceof ProtocolError ? `: ${reason.message}` : '';
  throw new UnsentError(`the server has forgotten the session${why}`);
};

/**
 * The answer to a request that named a session. One that was refused because the session is forgotten was not read:
 * that is an `UnsentError`. MCP 2025-11-25 basic/transports, "Session Management".
 */
export const unlessForgotten: MonoTypeOperatorFunction<Part> = (parts$) =>
  parts$.pipe(
    map((part) => {
      if (part.message !== undefined && isInvalid(part.message)) check(part.message.error);
      return part;
    }),
    catchError((reason: unknown) => {
      check(reason);
      return throwError(() => reason);
    }),
  );
