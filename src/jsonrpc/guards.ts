import type {
  Inbound,
  InvalidMessage,
  JsonRpcFailure,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
} from './messages.js';

export const isInvalid = (message: Inbound): message is InvalidMessage => 'invalid' in message;

export const isRequest = (message: Inbound): message is JsonRpcRequest =>
  'method' in message && (message as JsonRpcRequest).id !== undefined;

export const isNotification = (message: Inbound): message is JsonRpcNotification =>
  'method' in message && (message as Partial<JsonRpcRequest>).id === undefined;

/** True for what JSON calls an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A result or a failure, the latter perhaps without an id. */
export const isAnswer = (message: Inbound): message is JsonRpcResult | JsonRpcFailure =>
  !('method' in message) && !('invalid' in message);
