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
    const why = tidy(cause instanceof Error ? describe(cause) : reasonText(cause));
    const reached = isVague(cause)
      ? `${url} could not be reached, or the connection to it`
      : `the connection to ${url}`;
    super(left ? `${reached} broke: ${why}` : `${url} could not be reached: ${why}`, { cause });
  }
}

/** A browser does not say what went wrong, so that a page learns nothing of what it may not reach. WHATWG Fetch, 5.6. */
const isVague = (cause: unknown): boolean =>
  cause instanceof TypeError && cause.cause === undefined && (cause as { code?: unknown }).code === undefined;

/** An error of OpenSSL's: of all it says only the fifth part is for people. */
const OPENSSL = /(?<![0-9A-F])[0-9A-F]{8,}:error:[0-9A-F]+:[^:\n]*:[^:\n]*:([^:\n]+):[^:\n]*:\d+:[^\n)]*\n*/gi;

const tidy = (text: string): string => text.replace(OPENSSL, '$1').trim();

/** The reason of a failed fetch is often one level down. */
const describe = (error: Error): string => {
  const { cause } = error;
  const code = (error as { code?: unknown }).code;
  const own = error.message !== '' ? error.message : typeof code === 'string' ? code : error.name;
  return cause instanceof Error && cause.message !== '' ? `${own} (${tidy(cause.message)})` : own;
};

/** Why a request is lost whose answer ended, in good order, without having said anything to it. */
export class EndedUnanswered extends Error {
  constructor() {
    super('the stream ended without the answer');
  }
}

/**
 * The server answered with an HTTP status that is no success, and no JSON-RPC error in its body; or with a success that
 * is not what was asked for.
 */
export class HttpError extends McpError {
  override readonly name = 'HttpError';

  /**
   * @param status the HTTP status; 0 where a browser hides it
   * @param statusText the words that came with it
   * @param body the beginning of the body, as text: the server's own words, or nothing
   * @param retryAfterMs how long the server wants to be left alone, in ms, if it said so (RFC 9110, section 10.2.3)
   * @param url what answered, without its query
   * @param reason what is wrong with the answer, for the message, where the status does not say it
   */
  constructor(
    readonly status: number,
    readonly statusText: string,
    readonly body: string,
    readonly retryAfterMs?: number | undefined,
    readonly url?: string | undefined,
    reason?: string,
  ) {
    const words = statusText === '' ? '' : ` ${statusText}`;
    super(`${url ?? 'the server'} answered ${status}${words}${reason === undefined ? '' : `: ${reason}`}`);
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

  /**
   * @param challenge the `WWW-Authenticate` of the answer, if there was one (RFC 9110, section 11.6.1)
   * @param url what wants it, without its query
   */
  constructor(
    readonly challenge: string | undefined,
    readonly url?: string | undefined,
  ) {
    super(`${url ?? 'the server'} wants authorization${challenge === undefined ? '' : `: ${challenge}`}`);
  }
}
