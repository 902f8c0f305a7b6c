import { ProtocolError } from './call-errors.js';
import { McpError } from './mcp-error.js';
import { reasonText } from './reason-text.js';

/** The network failed: no connection, or one that broke. `cause` is the engine's own error. */
export class NetworkError extends McpError {
  override readonly name = 'NetworkError';

  /**
   * @param url where to, without its query
   * @param cause what the engine raised
   * @param left whether the request may have reached the server
   */
  constructor(
    readonly url: string,
    cause: unknown,
    readonly left: boolean,
  ) {
    super(`${url} could not be reached: ${cause instanceof Error ? describe(cause) : reasonText(cause)}`, { cause });
  }
}

/** The reason of a failed fetch is often one level down. */
const describe = (error: Error): string => {
  const { cause } = error;
  const code = (error as { code?: unknown }).code;
  const own = error.message !== '' ? error.message : typeof code === 'string' ? code : error.name;
  return cause instanceof Error && cause.message !== '' ? `${own} (${cause.message})` : own;
};

/** The server answered with an HTTP status that is no success, and no JSON-RPC error in its body. */
export class HttpError extends McpError {
  override readonly name = 'HttpError';

  /**
   * @param status the HTTP status; 0 where a browser hides it
   * @param statusText the words that came with it
   * @param body the beginning of the body, as text
   * @param retryAfterMs how long the server wants to be left alone, in ms, if it said so (RFC 9110, section 10.2.3)
   */
  constructor(
    readonly status: number,
    readonly statusText: string,
    readonly body: string,
    readonly retryAfterMs?: number | undefined,
  ) {
    super(`the server answered ${status}${statusText === '' ? '' : ` ${statusText}`}`);
  }
}

/** The refusal by HTTP behind a failure: itself, or what a JSON-RPC error came with; `undefined` if there is none. */
export const refusalOf = (reason: unknown): HttpError | undefined => {
  const refusal = reason instanceof ProtocolError ? reason.cause : reason;
  return refusal instanceof HttpError ? refusal : undefined;
};

/** The server wants authorization that could not be given. */
export class UnauthorizedError extends McpError {
  override readonly name = 'UnauthorizedError';

  /** @param challenge the `WWW-Authenticate` of the answer, if there was one (RFC 9110, section 11.6.1) */
  constructor(readonly challenge: string | undefined) {
    super(`the server wants authorization${challenge === undefined ? '' : `: ${challenge}`}`);
  }
}
