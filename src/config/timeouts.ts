import { milliseconds } from '../jsonrpc/checks.js';
import type { Variables } from './expand.js';
import { numberVariable } from './number-variable.js';
import type { Problems } from './problem.js';

const DEFAULT_STARTUP_MS = 30_000;

const positive = milliseconds(1);

/**
 * How long a call of a tool may take, in ms: what its server's entry says, else the variable `MCP_TOOL_TIMEOUT`;
 * `undefined` leaves it to the client. An odd variable is a problem where it would have counted.
 */
export const toolTimeoutMs = (entry: number | undefined, env: Variables, problems: Problems): number | undefined =>
  entry ?? numberVariable('MCP_TOOL_TIMEOUT', env, positive, problems);

/**
 * How long the start of a server may take, in ms: what is given, else the variable `MCP_TIMEOUT`, else 30 000. An odd
 * variable is a problem where it would have counted.
 */
export const startupTimeoutMs = (given: number | undefined, env: Variables, problems: Problems): number =>
  given ?? numberVariable('MCP_TIMEOUT', env, positive, problems) ?? DEFAULT_STARTUP_MS;

/** What is said of a call of a tool that took too long. */
export const toolTimeoutText = (timeoutMs: number): string => `MCP tool call timed out after ${timeoutMs / 1_000} s`;
