/** What every server of a config may say, however it is reached. */
export interface CommonServerConfig {
  /** How long a call of a tool may take, in ms. Default: `MCP_TOOL_TIMEOUT`, else the client's. */
  readonly timeoutMs?: number | undefined;
  /** The tools that are offered, by their own names. Default: all. */
  readonly allowedTools?: readonly string[] | undefined;
  /** The tools that are not offered, whatever `allowedTools` says. Default: none. */
  readonly blockedTools?: readonly string[] | undefined;
  /** Which calls of a batch may overlap. Default `'annotated'`. */
  readonly overlap?: 'annotated' | 'read-only' | 'never' | undefined;
  /** How long a result may be, in tokens. Default: `MAX_MCP_OUTPUT_TOKENS`, else 25 000. */
  readonly maxOutputTokens?: number | undefined;
}

/** A server that is started as a child process. */
export interface StdioServerConfig extends CommonServerConfig {
  readonly transport: 'stdio';
  /** The program: a path, or a name that is looked up in the `PATH`. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Variables laid over the environment; `undefined` removes one. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Its working directory. Default: that of this process. */
  readonly cwd?: string | undefined;
}

/** Who this client is to the authorization server of a server behind a URL. It holds a secret, perhaps. */
export interface OAuthServerConfig {
  /** The id of a client that was registered beforehand. Default: one is registered when it is needed. */
  readonly clientId?: string | undefined;
  /** Its secret, if it has one. */
  readonly clientSecret?: string | undefined;
  /** The port of the redirect, `http://localhost:PORT/callback`, where it was registered with one. Default: any, on 127.0.0.1. */
  readonly callbackPort?: number | undefined;
}

/** A server behind a URL. */
export interface HttpServerConfig extends CommonServerConfig {
  /** `'sse'` is the HTTP+SSE of the first revision, which is deprecated. What is spoken is found out in either case. */
  readonly transport: 'http' | 'sse';
  readonly url: string;
  /** Fields that go with every request. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Who this client is where the server wants OAuth. Used by the command; an `authProvider` is given by an application. */
  readonly oauth?: OAuthServerConfig | undefined;
}

/** One server of a config, with references replaced and values checked. It holds secrets: show `describeServer` of it. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;
