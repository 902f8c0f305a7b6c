import { refuse } from '../../jsonrpc/checks.js';
import type { Connector } from '../../transport/index.js';

/** The wire, or what the option `wire` makes of it. Throws an `OptionError` where that is none. */
export const wired = (connector: Connector, wire: unknown): Connector => {
  if (wire === undefined) return connector;
  if (typeof wire !== 'function') return refuse('wire', 'give a function from a Connector to a Connector');
  const around: unknown = (wire as (connector: Connector) => unknown)(connector);
  return typeof around === 'function' ? (around as Connector) : refuse('wire', 'what it returns is no Connector');
};
