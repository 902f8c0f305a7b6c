import type { CommonServerConfig } from './server-config.js';

/** Which tools of a server are offered, by its own names. */
export type ToolFilter = Pick<CommonServerConfig, 'allowedTools' | 'blockedTools'>;

/** Whether a tool is offered: one that is blocked is not, whatever else is said. */
export const isOffered = (name: string, { allowedTools, blockedTools }: ToolFilter): boolean =>
  allowedTools?.includes(name) !== false && blockedTools?.includes(name) !== true;
