import { McpError } from '../errors/index.js';

/** What an authorization failed of. */
export type AuthorizationProblem =
  /** the server says nothing of its authorization server, or that one says nothing of itself */
  | 'discovery'
  /** the protected resource is another one than the server */
  | 'resource'
  /** the authorization server is another one than it should be */
  | 'issuer'
  /** it does not do PKCE with S256 */
  | 'pkce'
  /** a URL that must not be used: its scheme, or a private address named by a public server */
  | 'url'
  /** a redirect that is not followed */
  | 'redirect'
  /** there is no client id to use, or it was refused */
  | 'client'
  /** the authorization was not given: refused, or not asked for to its end */
  | 'denied'
  /** an answer that is none, or belongs to another request */
  | 'response'
  /** the token endpoint refused */
  | 'token'
  /** tokens are to be bound to a key, and one of both servers does not do that; or they are not, and have to be */
  | 'dpop'
  /** the application's own code failed: `open`, `redirectUri`, the store, …; `cause` is what it raised */
  | 'application'
  /** an answer larger than what is read */
  | 'too-large'
  /** no answer in time, or no connection */
  | 'network'
  /** the flow was given up */
  | 'cancelled';

/** What is known of a failure besides its kind. */
export interface AuthorizationFacts {
  /** The error code of the authorization server (RFC 6749, sections 4.1.2.1 and 5.2), where it may be believed. */
  readonly code?: string | undefined;
  /** The authorization server's issuer. */
  readonly issuer?: string | undefined;
  /** What the application's own code raised. */
  readonly cause?: unknown;
}

/**
 * An authorization could not be had. The message says what to do about it, and holds no token, no code and no secret;
 * so there is no `cause`, but for what the application's own code raised: the failures of what is beneath carry whole responses.
 */
export class AuthorizationError extends McpError {
  override readonly name = 'AuthorizationError';
  /** The error code of the authorization server, where it gave one that may be believed. */
  readonly code: string | undefined;
  /** The issuer of the authorization server, where it is known. */
  readonly issuer: string | undefined;

  /**
   * @param problem what it failed of
   * @param message the same, for people
   * @param facts what is known besides
   */
  constructor(
    readonly problem: AuthorizationProblem,
    message: string,
    { code, issuer, cause }: AuthorizationFacts = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.issuer = issuer;
  }
}
