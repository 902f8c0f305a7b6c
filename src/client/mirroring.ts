import { catchError, concatMap, defer, type MonoTypeOperatorFunction, type Observable, of, throwError } from 'rxjs';
import { ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import type { Life } from '../protocol/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import { mirrorPlan } from './mirror.js';
import type { Operation } from './operation.js';
import type { ClientParts } from './parts.js';

const mirrors = (life: Life | undefined): boolean => life?.session.transport.mirrorsHeaders === true;

/** The tools that can be called on the wire in use: where arguments are mirrored, one with bad annotations cannot. */
export const callable = (tools: readonly Tool[], { connection, channels }: ClientParts): Tool[] => {
  if (!mirrors(connection.life)) return [...tools];
  return tools.filter((tool) => {
    const plan = mirrorPlan(tool);
    if (!('invalid' in plan)) return true;
    channels.warn(
      'malformed-entry',
      `left out the tool ${JSON.stringify(tool.name)}, whose headers cannot be mirrored: ${plan.invalid}`,
      tool,
    );
    return false;
  });
};

/** The server found that headers and body differ: what it wants mirrored has changed. */
const isMismatch = (reason: unknown): boolean =>
  reason instanceof ProtocolError && reason.code === CODES.headerMismatch;

/**
 * Sees to it that a tool's schema is known before it is called on a wire that mirrors arguments, and asks for it again,
 * and calls once more, where the server refused the headers. Elsewhere it mirrors its source.
 * MCP 2026-07-28 basic/transports/streamable-http, "Client Behavior".
 */
export const withKnownTool = <T>(
  parts: ClientParts,
  { method, name = '', options, prepare }: Operation,
  list: (refresh: boolean) => Observable<unknown>,
): MonoTypeOperatorFunction<T> => {
  const { connection, requests, catalogue } = parts;
  return (call$) =>
    defer(() => {
      const { life } = connection;
      // Before there is a connection only a wire of several forms is known to be HTTP.
      if (life === undefined ? !connection.forms : !mirrors(life)) return call$;
      prepare?.();
      const ready$ = life === undefined ? requests.ready(method, options) : of(life);
      return ready$.pipe(
        concatMap((ready) => {
          if (!mirrors(ready)) return call$;
          // Without its schema nothing is mirrored, and the server says what is missing.
          const known$ =
            catalogue.get(name) === undefined ? list(false).pipe(catchError(() => of(undefined))) : of(undefined);
          return known$.pipe(
            concatMap(() => call$),
            catchError((reason: unknown) =>
              isMismatch(reason) ? list(true).pipe(concatMap(() => call$)) : throwError(() => reason),
            ),
          );
        }),
      );
    });
};
