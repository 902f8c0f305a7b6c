import { messageOf } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import type { CallFormat, RawCall } from './format.js';
import { formatOf, LLM_FORMATS } from './formats.js';

/** A call that can be made. */
export interface ReadCall {
  readonly format: CallFormat;
  /** `''` for a call without one. */
  readonly id: string;
  /** As the model wrote it. */
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** A call that cannot be made. */
export interface MalformedCall {
  /** The shape in which to say so. */
  readonly format: CallFormat;
  /** `''` where none could be read. */
  readonly id: string;
  /** `''` where none could be read. */
  readonly name: string;
  /** What is wrong and what to do about it, for the model. */
  readonly malformed: string;
}

const idOf = (id: unknown): string => {
  if (typeof id === 'string') return id;
  return typeof id === 'number' || typeof id === 'bigint' ? String(id) : '';
};

const ONE_OBJECT = 'give the arguments as one JSON object';

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `a ${typeof value}`;
};

/** The arguments, or what is wrong with them. */
const argumentsOf = (given: unknown): Record<string, unknown> | string => {
  if (given === undefined || given === null) return {};
  if (isObject(given)) return given;
  if (typeof given !== 'string') return `The arguments are ${kindOf(given)}: ${ONE_OBJECT}.`;
  if (given.trim() === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch (reason) {
    return `The arguments are no valid JSON (${messageOf(reason)}): ${ONE_OBJECT}.`;
  }
  return isObject(parsed) ? parsed : `The arguments are JSON of ${kindOf(parsed)}: ${ONE_OBJECT}.`;
};

const inFormat = (call: Readonly<Record<string, unknown>>): { format: CallFormat; raw: RawCall } | undefined => {
  for (const format of LLM_FORMATS) {
    const raw = formatOf(format).read(call);
    if (raw !== undefined) return { format, raw };
  }
  const { type, id, name, arguments: args } = call;
  return type === undefined ? { format: 'neutral', raw: { id, name, arguments: args } } : undefined;
};

const NOTHING: MalformedCall = {
  format: 'neutral',
  id: '',
  name: '',
  malformed: 'This is no tool call: give an object with an id, the name of a tool and arguments.',
};

const readUnguarded = (value: unknown): ReadCall | MalformedCall => {
  if (!isObject(value)) return NOTHING;
  const found = inFormat(value);
  if (found === undefined) {
    const malformed = `A call of the type ${JSON.stringify(value['type']) ?? 'given'} cannot be made here: call a function.`;
    return { format: 'neutral', id: idOf(value['call_id'] ?? value['id']), name: '', malformed };
  }
  const { format, raw } = found;
  const id = idOf(raw.id);
  const { name } = raw;
  if (typeof name !== 'string' || name === '') {
    return { format, id, name: '', malformed: 'The call names no tool: give the name of one of the tools.' };
  }
  const args = argumentsOf(raw.arguments);
  return typeof args === 'string' ? { format, id, name, malformed: args } : { format, id, name, arguments: args };
};

/**
 * Reads a call in the shape of any format, or in none's. Arguments may be an object, the JSON text of one, or nothing:
 * `undefined`, `null` or blank text. Throws nothing, whatever the value is.
 */
export const readCall = (value: unknown): ReadCall | MalformedCall => {
  try {
    return readUnguarded(value);
  } catch (reason) {
    return { ...NOTHING, malformed: `This call cannot be read (${messageOf(reason)}): give a plain object.` };
  }
};
