import { isObject } from './guards.js';
import type { Inbound, InvalidMessage, RequestId } from './messages.js';

const EXCERPT = 200;
const MAX_BATCH = 10_000;

const excerptOf = (value: unknown): string => {
  if (typeof value === 'string') return value.slice(0, EXCERPT);
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, EXCERPT);
  } catch {
    return Object.prototype.toString.call(value);
  }
};

const isId = (id: unknown): id is RequestId =>
  typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));

const invalid = (reason: string, value: unknown, id?: unknown): InvalidMessage =>
  isId(id) ? { invalid: reason, excerpt: excerptOf(value), id } : { invalid: reason, excerpt: excerptOf(value) };

/**
 * One value as one inbound message, checked by hand at the envelope and no deeper. What is no
 * JSON-RPC message comes back as an {@link InvalidMessage}; this never throws.
 */
export const classify = (value: unknown): Inbound => {
  if (!isObject(value)) return invalid('not a JSON-RPC message', value);
  if ('invalid' in value) {
    // The mark of what is no message: a peer must not be able to set it.
    const { invalid: _, ...rest } = value;
    return classify(rest);
  }
  const message = value as { id?: unknown; method?: unknown; params?: unknown; result?: unknown; error?: unknown };
  const { id, method } = message;
  if (method !== undefined) {
    if (typeof method !== 'string') return invalid('the method is not a string', value, id);
    if (message.params !== undefined && !isObject(message.params)) {
      return Array.isArray(message.params) || message.params !== null
        ? invalid('the params are not an object', value)
        : classify({ ...value, params: undefined });
    }
    if (id === undefined || isId(id)) return value as unknown as Inbound;
    return invalid('the id of a request is neither a string nor an integer', value);
  }
  if ('method' in value) {
    // Only an object of this process can have a member without a value: it has none.
    const { method: _, ...rest } = value;
    return classify(rest);
  }
  const hasResult = message.result !== undefined && !(message.result === null && isObject(message.error));
  const hasError = message.error !== undefined && !(message.error === null && hasResult);
  if (hasResult !== hasError && 'result' in message && 'error' in message) {
    // Some libraries write both members, one of them null: that one says nothing.
    const { result, error, ...rest } = message;
    return classify(hasResult ? { ...rest, result } : { ...rest, error });
  }
  if (hasResult === hasError) {
    return invalid(
      hasResult ? 'it carries both a result and an error' : 'it carries neither a result nor an error',
      value,
      id,
    );
  }
  if (hasError) {
    const error = message.error;
    if (!isObject(error) || typeof error['code'] !== 'number') return invalid('the error has no code', value, id);
    if (typeof error['message'] !== 'string') {
      return classify({ ...value, error: { ...error, message: excerptOf(error['message'] ?? 'no message') } });
    }
    if (id === undefined || isId(id)) return value as unknown as Inbound;
    return { jsonrpc: '2.0', error: error as unknown as { code: number; message: string } };
  }
  if (isId(id)) return value as unknown as Inbound;
  return invalid('the id of a result is neither a string nor an integer', value);
};

/**
 * One JSON text as the messages in it: one, or several where a 2025-03-26 server sent a batch
 * (an array). Text that is no JSON comes back as one {@link InvalidMessage}; this never throws.
 */
export const parseInbound = (text: string): readonly Inbound[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [invalid('not JSON', text)];
  }
  return flatten(value);
};

/** A value that is already parsed, as the messages in it. See {@link parseInbound}. */
export const flatten = (value: unknown): readonly Inbound[] => {
  if (!Array.isArray(value)) return [classify(value)];
  if (value.length === 0) return [invalid('an empty batch', value)];
  if (value.length > MAX_BATCH) return [invalid(`a batch of ${value.length} messages`, '[…]')];
  return value.map(classify);
};
