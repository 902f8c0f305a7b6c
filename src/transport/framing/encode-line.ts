import { messageOf, OptionError } from '../../errors/index.js';
import type { Outbound } from '../../jsonrpc/index.js';

/**
 * One message as one line, its `\n` included. JSON escapes line breaks inside strings, so there is no other.
 * Throws an `OptionError` for what JSON cannot say (a cycle, a BigInt). MCP 2026-07-28 basic/transports, "stdio".
 */
export const encodeLine = (message: Outbound): string => {
  try {
    return `${JSON.stringify(message)}\n`;
  } catch (error) {
    const why = messageOf(error);
    throw new OptionError('params', `it cannot be written as JSON: ${why}`);
  }
};
