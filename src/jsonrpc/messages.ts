import type { McpError } from '../errors/index.js';

/** A JSON-RPC id: a string or an integer; `0` is one, `null` is not. JSON-RPC 2.0 section 4; MCP basic, "Requests". */
export type RequestId = string | number;

/** A request: it wants one answer under the same id. */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** A notification: nothing answers it. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** The answer to a request that went well. */
export interface JsonRpcResult {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: unknown;
}

/** The facts of a failed request. */
export interface JsonRpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer to a request that failed. Without an id it belongs to no request. */
export interface JsonRpcFailure {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId | undefined;
  readonly error: JsonRpcErrorBody;
}

/** What this client may write. */
export type Outbound = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcFailure;

/** Something a peer sent that is no JSON-RPC message. It is never an error of the wire: one warning, and on. */
export interface InvalidMessage {
  /** What is wrong with it. */
  readonly invalid: string;
  /** The beginning of what arrived, for a person to look at. */
  readonly excerpt: string;
  /** The id it carries, if it could be read: the call waiting under it fails. */
  readonly id?: RequestId | undefined;
  /** The failure of the call waiting under `id`; without it the call gets an `InvalidMessageError`. */
  readonly error?: McpError | undefined;
}

/** What a peer may send, as a transport hands it on. */
export type Inbound = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcFailure | InvalidMessage;
