export { CODES } from './codes.js';
export { isAnswer, isInvalid, isNotification, isObject, isRequest } from './guards.js';
export type {
  Inbound,
  InvalidMessage,
  JsonRpcErrorBody,
  JsonRpcFailure,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  Outbound,
  RequestId,
} from './messages.js';
export { classify, flatten, parseInbound } from './parse.js';
