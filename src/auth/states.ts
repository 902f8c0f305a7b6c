import type { McpError } from '../errors/index.js';

/** One step of an authorization. `server` is the MCP server's URL without its query. */
export type AuthorizationState =
  /** the server's authorization server is being found */
  | { readonly status: 'discovering'; readonly server: string }
  /** a client id is being had from it */
  | { readonly status: 'registering'; readonly server: string; readonly issuer: string }
  /** somebody is to give the authorization, at `url`, which belongs to `host` */
  | {
      readonly status: 'authorizing';
      readonly server: string;
      readonly issuer: string;
      readonly url: string;
      readonly host: string;
      /** Why no browser could be opened, where none could: the state comes again with it, and somebody is to open `url`. */
      readonly unopened?: string | undefined;
    }
  /** the authorization, or what stands for it, is exchanged for tokens */
  | { readonly status: 'exchanging'; readonly server: string; readonly issuer: string }
  /** a refresh token is exchanged for new tokens: `authorized` follows, or `failed`, or more of the flow it belongs to */
  | { readonly status: 'refreshing'; readonly server: string; readonly issuer: string }
  /** there is a token; `expiresAt` in ms since the epoch, where the authorization server said it */
  | {
      readonly status: 'authorized';
      readonly server: string;
      readonly issuer: string;
      readonly scopes: readonly string[];
      readonly expiresAt?: number | undefined;
    }
  /** it ended without one: as an `AuthorizationError`, or as what the application's own code raised */
  | { readonly status: 'failed'; readonly server: string; readonly error: McpError };
