import { OptionError } from '../errors/index.js';

/** Keys of `_meta` this client writes. MCP 2026-07-28 basic, "_meta". */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

const LABEL = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

const fault = (key: string): string | undefined => {
  if (key === 'progressToken') return 'give the token as the option progressToken';
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  if (slash >= 0) {
    const labels = key.slice(0, slash).split('.');
    if (!labels.every((label) => LABEL.test(label))) return 'its prefix is not a series of labels separated by dots';
    if (labels[1] === 'modelcontextprotocol' || labels[1] === 'mcp') return 'its prefix is reserved for the protocol';
    if (name === '') return undefined;
  }
  return NAME.test(name) ? undefined : 'its name must begin and end with a letter or digit';
};

/** Refuses a key of a caller's `meta` that the protocol does not allow or keeps for itself. MCP 2026-07-28 basic, "_meta". */
export const checkMeta = (meta: unknown): void => {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) {
    throw new OptionError('meta', 'give an object of keys and values');
  }
  for (const key of Object.keys(meta)) {
    const reason = fault(key);
    if (reason !== undefined) throw new OptionError('meta', `the key ${JSON.stringify(key)} cannot be used: ${reason}`);
  }
};
