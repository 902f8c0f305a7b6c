import { refuse } from '../../jsonrpc/checks.js';
import type { Connector } from '../../transport/index.js';

/** What may stand between a client and the wire to its server. */
export interface WireOptions {
  /**
   * Called once, as the client is made, with the wire to the server, which is not open yet; what it returns is used in its place. For
   * tests and for looking into a fault: `recordTo` writes down what is said, `faultyTransport` damages it. Default: the wire as it is.
   */
  readonly wire?: ((connector: Connector) => Connector) | undefined;
}

/** The wire, or what the option `wire` makes of it. Throws an `OptionError` where that is none. */
export const wired = (connector: Connector, wire: unknown): Connector => {
  if (wire === undefined) return connector;
  if (typeof wire !== 'function') return refuse('wire', 'give a function from a Connector to a Connector');
  const around: unknown = (wire as (connector: Connector) => unknown)(connector);
  return typeof around === 'function' ? (around as Connector) : refuse('wire', 'what it returns is no Connector');
};
