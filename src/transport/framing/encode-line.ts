import { messageOf, OptionError } from '../../errors/index.js';
import type { Outbound } from '../../jsonrpc/index.js';

/** What sending something ends with that JSON cannot say, over whichever wire. */
export const notJson = (reason: unknown): OptionError =>
  new OptionError('params', `it cannot be written as JSON: ${messageOf(reason)}`);

/** One message as JSON. Throws an `OptionError` for what JSON cannot say (a cycle, a BigInt). */
export const encodeMessage = (message: Outbound): string => {
  try {
    return JSON.stringify(message);
  } catch (reason) {
    throw notJson(reason);
  }
};

/**
 * One message as one line, its `\n` included. JSON escapes line breaks inside strings, so there is no other.
 * Throws like {@link encodeMessage}. MCP 2026-07-28 basic/transports, "stdio".
 */
export const encodeLine = (message: Outbound): string => `${encodeMessage(message)}\n`;
