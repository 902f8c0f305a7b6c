export { McpError } from './mcp-error.js';
export {
  CancelledError,
  InputLoopExceededError,
  InputRefusedError,
  InvalidMessageError,
  OutcomeUnknownError,
  OutputInvalidError,
  ProtocolError,
  TimeoutError,
  UnsupportedFeatureError,
  UnsupportedVersionError,
} from './call-errors.js';
export {
  asMcpError,
  MessageTooLargeError,
  OptionError,
  ServerGoneError,
  SpawnFailedError,
  TransportClosedError,
  TransportError,
  UnsentError,
} from './wire-errors.js';
export { EndedUnanswered, HttpError, NetworkError, refusalOf, UnauthorizedError } from './http-errors.js';
export { excerptOf, messageOf, reasonText } from './reason-text.js';
