import {
  HttpError,
  McpError,
  messageOf,
  NetworkError,
  OutcomeUnknownError,
  ServerGoneError,
  SpawnFailedError,
  TimeoutError,
  TransportClosedError,
  TransportError,
  UnauthorizedError,
  UnsupportedVersionError,
} from '../errors/index.js';

const UNAVAILABLE = [
  HttpError,
  NetworkError,
  ServerGoneError,
  SpawnFailedError,
  TransportClosedError,
  TransportError,
  UnsupportedVersionError,
];

const sayingOf = (reason: unknown): string => {
  if (reason instanceof TimeoutError) {
    return reason.id === undefined
      ? 'the server of this tool could not be reached in time, and the tool did not run'
      : `the tool did not answer within ${reason.timeoutMs / 1_000} s, and may have run all the same: check before you call it again`;
  }
  if (reason instanceof OutcomeUnknownError) {
    return 'the connection was lost, and the tool may have run all the same: check before you call it again';
  }
  if (reason instanceof UnauthorizedError) {
    return 'the server of this tool wants authorization, which only the user can give';
  }
  if (UNAVAILABLE.some((kind) => reason instanceof kind)) {
    return 'the server of this tool is not available at the moment: go on without it, or try again later';
  }
  return messageOf(reason);
};

/**
 * What a model is told of a call that failed before there was an answer: which kind of failure it was, and what it can do.
 * Where the server is, how it was started and what it wrote to stderr is none of a model's business, and may be secret.
 */
export const failureText = (reason: unknown): string =>
  `${reason instanceof McpError ? reason.name : 'Error'}: ${sayingOf(reason)}`;
