import type { ClientOptions } from '../client/index.js';
import { bounded } from '../config/managed/calls.js';
import { Problems } from '../config/problem.js';
import { toolTimeoutMs } from '../config/timeouts.js';
import type { Chosen } from './choose.js';
import type { Context } from './context.js';
import { tellProblems } from './locate.js';

/** How long an answer may take, whatever is reported meanwhile. */
interface Bound {
  readonly timeoutMs?: number | undefined;
  readonly maxTotalMs?: number | undefined;
}

/** The clocks of a client: what the user gave is how long he waits, whatever a server reports; else the client's own. */
export const clocksOf = (timeoutMs: number | undefined): ClientOptions =>
  timeoutMs === undefined ? {} : { requestTimeoutMs: timeoutMs, maxTotalMs: timeoutMs };

/**
 * The bound of one call: that of the server's entry, or of `MCP_TOOL_TIMEOUT`. Nothing where the user gave one at the
 * terminal, which goes over what the config says and is the client's own then.
 */
export const callBound = ({ server }: Pick<Chosen, 'server'>, context: Context): Bound | undefined => {
  const { globals, io } = context;
  if (globals.timeoutMs !== undefined) return undefined;
  const problems = new Problems();
  const timeoutMs = toolTimeoutMs(server.timeoutMs, io.env, problems);
  tellProblems(context, problems.all);
  return bounded<Bound>(undefined, timeoutMs);
};
