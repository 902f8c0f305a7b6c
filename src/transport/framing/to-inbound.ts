import type { OperatorFunction } from 'rxjs';
import { MessageTooLargeError } from '../../errors/index.js';
import { parseInbound } from '../../jsonrpc/index.js';
import type { Inbound, InvalidMessage } from '../../jsonrpc/index.js';
import { each } from '../../rx/index.js';
import { findResponseId } from './response-id.js';
import type { Line, OversizedLine } from './line-splitter.js';

const EXCERPT = 200;

/** What arrives in place of a message that is too large: `MessageTooLargeError`, and the id of what it answers, where its ends tell. */
export const tooLarge = ({ bytes, limit, head, tail }: OversizedLine): InvalidMessage => {
  const error = new MessageTooLargeError(bytes, limit);
  const excerpt = new TextDecoder().decode(head).slice(0, EXCERPT);
  const id = findResponseId(head, tail);
  return id === undefined ? { invalid: error.message, excerpt, error } : { invalid: error.message, excerpt, error, id };
};

/**
 * Lines as the messages on them, in order and synchronously: one a line, or several where a 2025-03-26 server sent a
 * batch. A line that is no JSON-RPC message is an `InvalidMessage`, never an error. So is a line over the limit: its
 * `error` is a `MessageTooLargeError`, and its `id` that of the response it carries, where its ends tell.
 * Completes and errors with the source; unsubscribing unsubscribes from it.
 *
 * MCP 2026-07-28 basic/transports, "stdio"; JSON-RPC 2.0 sections 4 to 6.
 */
export const toInbound = (): OperatorFunction<Line, Inbound> =>
  each((line) => (typeof line === 'string' ? parseInbound(line) : [tooLarge(line)]));
