import * as errors from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { jsonCopy } from '../../jsonrpc/json-copy.js';
import { redactText } from './redact-text.js';
import { redactValue, type Told } from './redact.js';

/** An error in a recording: its class, what it says, its own members as JSON, and what is behind it. */
export interface RecordedFailure {
  readonly name: string;
  readonly message: string;
  /** Its class is one of ours that is not among those of this list. */
  readonly isOurs?: boolean | undefined;
  readonly members?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: RecordedFailure | undefined;
}

/** How many errors behind each other are kept. */
const MOST_CAUSES = 5;

const CLASSES: Readonly<Record<string, abstract new (...args: never) => Error>> = {
  CancelledError: errors.CancelledError,
  EndedUnanswered: errors.EndedUnanswered,
  HttpError: errors.HttpError,
  InvalidMessageError: errors.InvalidMessageError,
  MessageTooLargeError: errors.MessageTooLargeError,
  NetworkError: errors.NetworkError,
  OptionError: errors.OptionError,
  OutcomeUnknownError: errors.OutcomeUnknownError,
  ProtocolError: errors.ProtocolError,
  ServerGoneError: errors.ServerGoneError,
  SpawnFailedError: errors.SpawnFailedError,
  TimeoutError: errors.TimeoutError,
  TransportClosedError: errors.TransportClosedError,
  TransportError: errors.TransportError,
  UnauthorizedError: errors.UnauthorizedError,
  UnsentError: errors.UnsentError,
  UnsupportedFeatureError: errors.UnsupportedFeatureError,
  UnsupportedVersionError: errors.UnsupportedVersionError,
};

/** The class by its own name: two share the one that they tell. */
const classOf = (reason: Error): string | undefined =>
  Object.keys(CLASSES).find((name) => CLASSES[name]?.prototype === Object.getPrototypeOf(reason));

/** Members that are known to be facts; those of a stranger's error may hold anything, but for its code. */
const membersOf = (reason: Error): Record<string, unknown> => {
  const members: Record<string, unknown> = {};
  for (const name of reason instanceof errors.McpError ? Object.keys(reason) : ['code']) {
    if (name === 'name' || name === 'cause') continue;
    try {
      const copy = jsonCopy((reason as unknown as Readonly<Record<string, unknown>>)[name]);
      if (copy !== undefined) members[name] = copy;
    } catch {
      // It has no form as JSON.
    }
  }
  return members;
};

/** A failure as it is written down, without secrets: those that `told` knows, and those it finds. Whatever it is, this does not throw. */
export const writtenFailure = (reason: unknown, told: Told = (text) => text, left = MOST_CAUSES): RecordedFailure => {
  if (!(reason instanceof Error)) return { name: 'Error', message: redactText(told(errors.reasonText(reason))) };
  const known = classOf(reason);
  const members = redactValue(membersOf(reason), told) as Record<string, unknown>;
  return {
    name: known ?? reason.name,
    message: redactText(told(reason.message)),
    ...(known === undefined && reason instanceof errors.McpError ? { isOurs: true } : undefined),
    ...(Object.keys(members).length === 0 ? undefined : { members }),
    ...(reason.cause === undefined || left === 0 ? undefined : { cause: writtenFailure(reason.cause, told, left - 1) }),
  };
};

/** What those are told as that share the name of another. */
const TOLD: Readonly<Record<string, string>> = { UnsentError: 'TransportClosedError', EndedUnanswered: 'Error' };

/** The failure that was written down: of its class, where that is one of ours, with its members. */
export const readFailure = ({ name, message, isOurs, members, cause }: RecordedFailure): Error => {
  const error = new Error(message, cause === undefined ? undefined : { cause: readFailure(cause) });
  const own = Object.hasOwn(CLASSES, name) ? CLASSES[name] : isOurs === true ? errors.McpError : undefined;
  if (own !== undefined) Object.setPrototypeOf(error, own.prototype as object);
  return Object.assign(error, members, { name: Object.hasOwn(TOLD, name) ? TOLD[name] : name, message });
};

/** Whether it is one that can be read. */
export const isFailure = (value: unknown, left = MOST_CAUSES + 1): value is RecordedFailure =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  typeof value['message'] === 'string' &&
  (value['members'] === undefined || isObject(value['members'])) &&
  (value['cause'] === undefined || (left > 0 && isFailure(value['cause'], left - 1)));
