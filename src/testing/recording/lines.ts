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

const KINDS: ReadonlySet<unknown> = new Set(['open', 'unopened', 'in', 'out', 'fail', 'end']);

/** What is wrong with the head of a line, in words; nothing of what it holds is told but its kind. */
const faultIn = ({ life, at, kind }: Readonly<Record<string, unknown>>): string | undefined => {
  if (!KINDS.has(kind)) {
    const said = typeof kind === 'string' ? `its kind is ${JSON.stringify(kind.slice(0, 20))}` : 'it has no kind';
    return `${said}: there are ${[...KINDS].join(', ')}`;
  }
  if (!Number.isSafeInteger(life) || (life as number) < 1) return 'its life is no whole number from 1 on';
  if (typeof at !== 'number' || !(at >= 0 && at <= Number.MAX_SAFE_INTEGER)) return 'its at is no time in ms';
  return undefined;
};

/** A line, or in words what is wrong with it. */
const lineOf = (value: unknown): RecordedLine | string => {
  if (!isObject(value)) return 'it is no JSON object';
  const fault = faultIn(value);
  if (fault !== undefined) return fault;
  const { kind, message, reason, cancelBy, error, forms, retry, id, method, on, unanswered } = value;
  const line = value as unknown as RecordedLine;
  switch (kind) {
    case 'open':
    case 'unopened':
      if (!isOptional(forms, 'boolean')) return 'its forms are no boolean';
      if (!(retry === undefined || isTerms(retry))) return 'its retry has not attempts, firstMs and maxMs';
      if (kind === 'unopened') return isFailure(error) ? line : 'its error is none';
      return cancelBy === 'notice' || cancelBy === 'hang-up' ? line : "its cancelBy is not 'notice' or 'hang-up'";
    case 'end':
      if (!isOptional(reason, 'string')) return 'its reason is no text';
      if (!(error === undefined || isFailure(error))) return 'its error is none';
      return unanswered === undefined || (Array.isArray(unanswered) && Array.from(unanswered).every(isId))
        ? line
        : 'its unanswered are no list of ids';
    case 'fail':
      if (!(id === undefined || isId(id))) return 'its id is none';
      if (!isOptional(method, 'string')) return 'its method is no text';
      return isFailure(error) ? line : 'its error is none';
    default: {
      const read = messageOf(message);
      if (read === undefined || (kind === 'out' && 'invalid' in read)) return 'its message is no message of JSON-RPC';
      return on === undefined || isId(on) ? ({ ...line, message: read } as RecordedLine) : 'its on is no id';
    }
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
    if (typeof line !== 'string') {
      read.push({ line, nth: index + 1 });
      return;
    }
    isCutOff = isText && index === texts.length - 1 && !('value' in json) && String(text).startsWith('{');
    if (isCutOff) return;
    if (isText && texts.length === 1 && !String(text).startsWith('{'))
      throw new OptionError('lines', 'that is no text of a recording: of a file, give what loadRecording reads');
    const why = 'value' in json ? line : 'it is no JSON';
    throw new OptionError('lines', `line ${index + 1} is no line of a recording: ${why}`);
  });
  const disorder = disorderIn(read);
  if (disorder !== undefined) throw new OptionError('lines', disorder);
  return { lines: read.map(({ line }) => line), isCutOff };
};
