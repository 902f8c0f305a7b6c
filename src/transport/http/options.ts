import type { Observable } from 'rxjs';
import type { Answer } from '../../rx/index.js';
import type { FetchLike } from './fetch-like.js';

/** Header fields in an object, or in what the platform calls `Headers` (WHATWG Fetch). A `Map` is refused. */
export type HeaderFields =
  | Readonly<Record<string, string>>
  | {
      get(name: string): string | null;
      forEach(callback: (value: string, name: string) => void): void;
    };

/** Header fields, or how to get them: asked for each request, so that they may change. */
export type HeadersOption = HeaderFields | (() => Answer<HeaderFields>) | Observable<HeaderFields>;

/** What a request is for. */
export interface AuthContext {
  /** The endpoint, as it was given. */
  readonly url: string;
  /** Where the request goes: the endpoint, or what the server named for it (the messages of HTTP+SSE). */
  readonly target: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
}

/** What a server said when it refused a request for want of authorization. */
export interface AuthChallenge extends AuthContext {
  /** 401, or 403 where the authorization does not reach far enough. */
  readonly status: number;
  /** Its `WWW-Authenticate`, verbatim (RFC 9110, section 11.6.1). */
  readonly challenge: string | undefined;
  /** The token that was refused. */
  readonly token: string | undefined;
}

/** What a server answered, whether it refused or not: the head alone. */
export interface AuthAnswer extends AuthContext {
  readonly status: number;
  /** The token that went with the request. */
  readonly token: string | undefined;
  /** The value of a header field, whatever the case of its name. */
  readonly header: (name: string) => string | undefined;
}

/** Gives requests their authorization. */
export interface AuthProvider {
  /** The value of `Authorization` without its scheme, or with one; nothing sends none. Asked for each request. */
  token(context: AuthContext): Answer<string | undefined>;
  /**
   * The server refused: true if there is a new token and the request is to be sent once more. Asked once for all requests
   * that were refused alike at the same time, and not for one whose token has been replaced since; asked again where the
   * same request is refused with another token or proof, three times at most.
   */
  onUnauthorized(challenge: AuthChallenge): Answer<boolean>;
  /**
   * Asked in place of `onUnauthorized` for what nobody waits for in person: notifications, answers, pings, and the own stream of
   * a legacy server. True if there is a new token; no person is to be asked for it. Without it nothing is sent once more.
   */
  renew?(challenge: AuthChallenge): Answer<boolean>;
  /**
   * Fields that go out beside a token and are of use for the one request alone, such as the proof of RFC 9449. Asked for
   * each request that has a token, each time it is sent.
   */
  proof?(context: AuthContext & { readonly token: string }): Answer<HeaderFields | undefined>;
  /** How long `onUnauthorized` may take, in ms, where that is longer than the default of 660 000. */
  readonly waitMs?: number | undefined;
  /** Told of every answer, before anything else is done with it. What it throws is ignored. */
  onAnswer?(answer: AuthAnswer): unknown;
}

/** How often and how long what failed is tried again. */
export interface RetryOptions {
  /** How many tries more; 0 is none. Default 3. */
  readonly attempts?: number | undefined;
  /** The first delay, in ms; later ones double. Default 500. */
  readonly firstDelayMs?: number | undefined;
  /**
   * The longest delay, in ms; a server that wants to be left alone for longer is given up. Default 30 000. Only the
   * `retry` of an event stream is always waited for.
   */
  readonly maxDelayMs?: number | undefined;
}

/** How to reach a server over HTTP. */
export interface HttpParameters {
  /** The endpoint: `http:` or `https:`. */
  readonly url: string | URL;
  /** Sent with every request. */
  readonly headers?: HeadersOption | undefined;
  /** In place of the engine of the platform. */
  readonly fetch?: FetchLike | undefined;
  /** Gives requests their authorization. MCP 2026-07-28 basic/authorization. */
  readonly authProvider?: AuthProvider | undefined;
  /** The hosts (with their ports) that may be contacted. Default: that of `url` alone. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Redirects within the origin are followed (`'same-origin'`, the default) or are errors. Others are errors always. */
  readonly redirects?: 'same-origin' | 'error' | undefined;
  /** For what may be tried again: requests that are safe to repeat, and streams that are opened anew. */
  readonly retry?: RetryOptions | undefined;
  /**
   * How long a stream of the server may be silent before it is taken for dead, in ms. Default 0: for ever. The server's own
   * stream is opened anew. The answer to a call may be such a stream, too: it is taken up again where a legacy server gave its events ids,
   * else the call ends as `OutcomeUnknownError`, unless repeating it is safe.
   */
  readonly keepAliveMs?: number | undefined;
  /** The largest message that is read, in bytes. Default 64 MiB (67 108 864). */
  readonly maxMessageBytes?: number | undefined;
}
