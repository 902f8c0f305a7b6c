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
  UnsentError,
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

/** Failures of what stands between the client and the server: the server may have had the request all the same. */
const isBehind = ({ status }: HttpError): boolean => status >= 500 && status !== 501 && status !== 503;

/** Whether the tool may have run, though there will be no answer. */
const mayHaveRun = (reason: unknown): boolean =>
  reason instanceof OutcomeUnknownError ||
  (reason instanceof TransportClosedError && !(reason instanceof UnsentError)) ||
  (reason instanceof HttpError && isBehind(reason));

const sayingOf = (reason: unknown): string => {
  if (reason instanceof TimeoutError) {
    return reason.id === undefined
      ? 'the server of this tool could not be reached in time, and the tool did not run'
      : `the tool did not answer within ${reason.timeoutMs / 1_000} s, and may have run all the same: check before you call it again`;
  }
  if (mayHaveRun(reason)) {
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
