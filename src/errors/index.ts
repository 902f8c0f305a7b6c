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
  MessageTooLargeError,
  OptionError,
  ServerGoneError,
  SpawnFailedError,
  TransportClosedError,
  TransportError,
  UnsentError,
} from './wire-errors.js';
export { HttpError, NetworkError, UnauthorizedError } from './http-errors.js';
