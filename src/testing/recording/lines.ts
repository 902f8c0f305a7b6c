import { asMcpError, OptionError } from '../../errors/index.js';
import { classify, isObject, type Inbound, type Outbound, type RequestId } from '../../jsonrpc/index.js';
import type { RetryTerms } from '../../transport/index.js';
import { isFailure, readFailure, type RecordedFailure } from './failures.js';
import { disorderIn } from './order.js';

/** When and in which life of the wire something was recorded. */
interface Moment {
  /** The first life is 1. */
  readonly life: number;
  /** In ms since the recording began. */
  readonly at: number;
}

/** What the connector of a recorded wire said of it. */
export interface WireTerms {
  readonly forms?: boolean | undefined;
  readonly retry?: RetryTerms | undefined;
}

/** One line of a recording, read. */
export type RecordedLine = Moment &
  (
    | ({ readonly kind: 'open'; readonly cancelBy: 'notice' | 'hang-up'; readonly mirrorsHeaders: boolean } & WireTerms)
    /** The wire could not be opened. */
    | ({ readonly kind: 'unopened'; readonly error: RecordedFailure } & WireTerms)
    /** `on`: the id of the request on whose channel it came. */
    | { readonly kind: 'in'; readonly message: Inbound; readonly on?: RequestId | undefined }
    | { readonly kind: 'out'; readonly message: Outbound }
    /** Sending a message failed, or its exchange: a request has both an id and a method, a notification and an answer one. */
    | {
        readonly kind: 'fail';
        readonly id?: RequestId | undefined;
        readonly method?: string | undefined;
        readonly error: RecordedFailure;
      }
    /** The wire ended: by itself where there is a reason, else by the client. */
    | {
        readonly kind: 'end';
        readonly reason?: string | undefined;
        readonly error?: RecordedFailure | undefined;
        /** The ids of requests that had no answer, and were not taken back, when the client ended it. */
        readonly unanswered?: readonly RequestId[] | undefined;
      }
  );

/** A recording, read. */
export interface ReadRecording {
  readonly lines: readonly RecordedLine[];
  /** Its text ends in the middle of a line, which is left out. */
  readonly isCutOff: boolean;
}

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);
const isOptional = (value: unknown, type: 'string' | 'boolean'): boolean =>
  value === undefined || typeof value === type;
const isTerms = (value: unknown): value is RetryTerms =>
  isObject(value) && ['attempts', 'firstMs', 'maxMs'].every((name) => typeof value[name] === 'number');

/** A message as a transport hands it on; `undefined` where it is none. */
export const messageOf = (value: unknown): Inbound | undefined => {
  if (!isObject(value)) return undefined;
  if (!('invalid' in value)) {
    const message = classify(value);
    return 'invalid' in message ? undefined : message;
  }
  const { invalid, excerpt, id, error } = value;
  if (typeof invalid !== 'string' || typeof excerpt !== 'string' || !(id === undefined || isId(id))) return undefined;
  const rest = id === undefined ? { invalid, excerpt } : { invalid, excerpt, id };
  if (error === undefined) return rest;
  return isFailure(error) ? { ...rest, error: asMcpError(readFailure(error)) } : undefined;
};

const lineOf = (value: unknown): RecordedLine | undefined => {
  if (!isObject(value)) return undefined;
  const { life, at, kind, message, reason, cancelBy, error, forms, retry, id, method, on, unanswered } = value;
  if (!Number.isSafeInteger(life) || (life as number) < 1) return undefined;
  if (typeof at !== 'number' || !(at >= 0 && at <= Number.MAX_SAFE_INTEGER)) return undefined;
  const line = value as unknown as RecordedLine;
  switch (kind) {
    case 'open':
    case 'unopened': {
      if (!isOptional(forms, 'boolean') || !(retry === undefined || isTerms(retry))) return undefined;
      return (kind === 'open' ? cancelBy === 'notice' || cancelBy === 'hang-up' : isFailure(error)) ? line : undefined;
    }
    case 'end':
      return isOptional(reason, 'string') &&
        (error === undefined || isFailure(error)) &&
        (unanswered === undefined || (Array.isArray(unanswered) && Array.from(unanswered).every(isId)))
        ? line
        : undefined;
    case 'fail':
      return (id === undefined || isId(id)) && isOptional(method, 'string') && isFailure(error) ? line : undefined;
    case 'in':
    case 'out': {
      const read = messageOf(message);
      if (read === undefined || (kind === 'out' && 'invalid' in read) || !(on === undefined || isId(on)))
        return undefined;
      return { ...line, message: read } as RecordedLine;
    }
    default:
      return undefined;
  }
};

const parsed = (text: unknown): { readonly value?: unknown } => {
  try {
    return { value: JSON.parse(String(text)) };
  } catch {
    return {};
  }
};

/**
 * Reads the lines of a recording, or its text; empty ones are skipped. Of a text that ends in the middle of a line, as a program that dies leaves
 * it, that line is left out. Throws an `OptionError` that names the first line that is none, or stands where it cannot.
 */
export const readRecording = (lines: readonly string[] | string): ReadRecording => {
  const isText = typeof lines === 'string';
  const texts: readonly unknown[] = isText ? lines.replace(/^\uFEFF/, '').split(/\r\n?|\n/) : lines;
  if (!Array.isArray(texts)) throw new OptionError('lines', 'give the lines of a recording, or their text');
  const read: { readonly line: RecordedLine; readonly nth: number }[] = [];
  let isCutOff = false;
  Array.from(texts as readonly unknown[]).forEach((text, index) => {
    if (typeof text === 'string' && text.trim() === '') return;
    const json = parsed(text);
    const line = lineOf(json.value);
    if (line !== undefined) {
      read.push({ line, nth: index + 1 });
      return;
    }
    isCutOff = isText && index === texts.length - 1 && !('value' in json) && String(text).startsWith('{');
    if (!isCutOff) throw new OptionError('lines', `line ${index + 1} is no line of a recording`);
  });
  const disorder = disorderIn(read);
  if (disorder !== undefined) throw new OptionError('lines', disorder);
  return { lines: read.map(({ line }) => line), isCutOff };
};
