import { isOffered } from '../config/tool-filter.js';
import { toolPrefix, ToolNames } from '../config/tool-names.js';
import type { Tool } from '../protocol/schemas/index.js';
import type { Chosen } from './choose.js';
import { usageError } from './exit.js';
import { instead } from '../jsonrpc/suggest.js';

/** The tools that the config of a server offers. */
export const offered = (tools: readonly Tool[], chosen: Pick<Chosen, 'server'>): readonly Tool[] =>
  tools.filter(({ name }) => isOffered(name, chosen.server));

/** Whether a tool runs as a task alone, and so cannot be called. MCP 2025-11-25 basic/utilities/tasks. */
export const isTaskOnly = ({ execution }: Tool): boolean => execution?.taskSupport === 'required';

/**
 * The tool that the user named: by its own name, or by the one under which a host shows it, `mcp__KEY__TOOL`. Throws a
 * usage error for one that the server has not, or the config does not offer.
 */
export const findTool = (tools: readonly Tool[], wanted: string, chosen: Chosen): Tool => {
  const names = tools.map(({ name }) => name);
  const published = new ToolNames(toolPrefix(chosen.key), names);
  const own = names.includes(wanted) ? wanted : published.original(wanted);
  const tool = tools.find(({ name }) => name === own);
  const there = offered(tools, chosen);
  if (tool === undefined) {
    const known = there.map(({ name }) => name);
    throw usageError(`${JSON.stringify(chosen.key)} has no tool ${JSON.stringify(wanted)}${instead(wanted, known)}`);
  }
  if (there.includes(tool)) return tool;
  throw usageError(
    `the config does not offer the tool ${JSON.stringify(tool.name)} of ${JSON.stringify(chosen.key)}`,
    'see allowedTools and blockedTools there',
  );
};
