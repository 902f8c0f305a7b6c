import type { Observable } from 'rxjs';
import type { Answer } from '../rx/index.js';
import type { AuthProvider } from '../transport/http/options.js';
import type { FetchLike } from '../transport/http/fetch-like.js';
import type { ClientAuthMethod } from './records.js';
import type { AuthorizationState } from './states.js';
import type { TokenStore } from './token-store.js';

/** A private key that a client says who it is with: one of the platform's (Web Crypto), or its text. RFC 7523. */
export type ClientKey =
  | CryptoKey
  | {
      /** PKCS #8, in PEM. */
      readonly pem: string;
      /** What it signs with: `'ES256'`, `'ES384'`, `'RS256'`, `'PS256'`, `'EdDSA'`. */
      readonly algorithm: string;
      /** The `kid` that the authorization server knows it by. */
      readonly keyId?: string | undefined;
    };

/** A client that was registered beforehand. */
export interface PreRegistered {
  /**
   * The issuer it was registered with: it is told to no other. Required for a program of its own that has a secret: nobody would see
   * whom it is told. Default: the first one that is met; a person who is asked sees the host beforehand.
   */
  readonly issuer?: string | undefined;
  /** What the authorization server calls it. */
  readonly clientId: string;
  /** Its secret, if it has one. */
  readonly clientSecret?: string | undefined;
  /** Its private key, if it has one; the authorization server knows the public one. */
  readonly privateKey?: ClientKey | undefined;
  /**
   * How it says who it is. Default: with the key where there is one, with the secret where there is one (in the header,
   * or in the body where the authorization server takes it only there), else not at all.
   */
  readonly method?: ClientAuthMethod | undefined;
}

/** What all ways to an authorization have in common. */
export interface CommonOptions {
  /** Where tokens and client ids are kept. Default: in memory, for this provider alone. */
  readonly store?: TokenStore | undefined;
  /** Scopes to ask for besides those that the server wants. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Binds tokens to a key, so that a stolen one is of no use. RFC 9449. Default false. A server that says of itself that it
   * does not do that is refused before anybody is asked, and so is one that does nothing else where this is false.
   */
  readonly dpop?: boolean | undefined;
  /**
   * A public server may name authorization servers on private addresses. Default false: neither by number nor by name; what a
   * name leads to is known in Node, where requests go through no proxy and no `fetch` of your own.
   */
  readonly allowPrivate?: boolean | undefined;
  /** In place of the engine of the platform, for the requests to authorization servers. */
  readonly fetch?: FetchLike | undefined;
  /** How long one request to an authorization server may take, in ms. Default 30 000. */
  readonly requestTimeoutMs?: number | undefined;
}

/** What somebody is asked to give. */
export interface AuthorizationRequest {
  /** Where it is given: to be opened in a browser. https, or http on loopback. */
  readonly url: string;
  /** The host of that, to be shown beforehand. */
  readonly host: string;
  /** The MCP server it is for, without its query. */
  readonly server: string;
  /** Where the browser is sent in the end. */
  readonly redirectUri: string;
  /** What the answer must have for its `state`. */
  readonly state: string;
  /** Aborted when the flow is over, whichever way. */
  readonly signal: AbortSignal;
  /** To be told where no browser can be opened: the state `authorizing` comes again, and says why. The flow goes on waiting. */
  readonly unopened?: ((why: string) => void) | undefined;
  /** Emits once how the flow ended, and completes: for a page that says it. */
  readonly outcome$: Observable<'authorized' | 'failed'>;
}

/** How to be authorized by a person with a browser. */
export interface OAuthOptions extends CommonOptions {
  /**
   * Where the browser is sent with the answer: https, http on loopback, or a scheme of the application's own. Or a function
   * that prepares for one flow, and answers with it; its signal is aborted when the flow is over. It is given the redirect URI
   * that this client is registered with, where it is: some authorization servers take no other, not even another port.
   */
  readonly redirectUri: string | URL | ((signal: AbortSignal, registered?: string) => Answer<string | URL>);
  /**
   * Has somebody open the URL, and answers with the URL that the browser is sent to in the end. Without it nobody is asked:
   * tokens that are kept are used and refreshed, and where they are of no use the call ends as `UnauthorizedError`.
   */
  readonly open?: ((request: AuthorizationRequest) => Answer<string | URL>) | undefined;
  /** How long `open` may take, in ms. Default 600 000. */
  readonly openTimeoutMs?: number | undefined;
  /**
   * True where `open` leaves the page: what is needed afterwards is kept in the store, which is to outlive the page, and
   * `resume` goes on. Default false.
   */
  readonly leaves?: boolean | undefined;
  /** A client that was registered beforehand. */
  readonly client?: PreRegistered | undefined;
  /** The https URL of this client's metadata document, which is its id where the authorization server takes such. */
  readonly clientMetadataUrl?: string | undefined;
  /** What a dynamic registration says besides: `client_name`, `client_uri`, `logo_uri`, … (RFC 7591, section 2). */
  readonly clientMetadata?: Readonly<Record<string, unknown>> | undefined;
}

/** How to be authorized as a program of its own. */
export interface ClientCredentialsOptions extends CommonOptions {
  /** Who it is. */
  readonly client: PreRegistered;
}

/** How to be authorized by the identity provider of an enterprise, where somebody has signed in already. */
export interface EnterpriseOptions extends CommonOptions {
  /** Who this client is to the authorization server of the MCP server. */
  readonly client: PreRegistered;
  /** The identity provider. */
  readonly identityProvider: {
    /** Its issuer; the token endpoint is found by it, unless it is given. */
    readonly issuer: string;
    readonly tokenEndpoint?: string | undefined;
    /** Who this client is to it. */
    readonly client: PreRegistered;
  };
  /** An identity token of the person, of the identity provider's; asked for each time it is needed. */
  readonly idToken: () => Answer<string>;
}

/** How to be authorized as a workload, by a JWT that its platform gave it. RFC 7523. */
export interface WorkloadOptions extends CommonOptions {
  /** Who this client is, if it must say so. */
  readonly client?: PreRegistered | undefined;
  /** The JWT; asked for each time it is needed. `audience` is the issuer of the authorization server. */
  readonly assertion: (audience: string) => Answer<string>;
}

/** Gives requests their authorization, by OAuth: for `connectHttp({ authProvider })`. One may serve several servers. */
export interface OAuthProvider extends AuthProvider {
  /** The states of all flows, and of refreshes without one. Hot, without replay; never completes, never errors. */
  readonly states$: Observable<AuthorizationState>;
  /**
   * Authorizes for a server at once, whether there are tokens or not. Cold: emits the states of the flow, `authorized` last,
   * and completes; errors with an `AuthorizationError`, or with what the application's own code raised, after `failed`. Joins a flow for the same server that is under way.
   * Unsubscribing gives the flow up, unless somebody else waits for it.
   */
  authorize(url: string | URL): Observable<AuthorizationState>;
  /**
   * Goes on where `open` left the page: with the URL that the browser came back to. Cold: emits the states that are left and
   * completes; errors as `authorize` does, also where nothing in the store belongs to that URL. An answer is used once.
   */
  resume(answer: string | URL): Observable<AuthorizationState>;
  /** Forgets the tokens for a server, and has them revoked where that can be done (RFC 7009). Cold; emits once, and completes. */
  forget(url: string | URL): Observable<undefined>;
}
