import { Observable } from 'rxjs';
import { noWire } from '../../transport/no-wire.js';
import { OptionError, TransportClosedError } from '../../errors/index.js';
import { negotiate } from '../../protocol/negotiate.js';
import type { Connector, Transport } from '../../transport/index.js';
import { McpClient } from '../mcp-client.js';
import type { ClientOptions } from '../../client/index.js';

/** A transport that is open already is one life, and there is no other. */
const onlyLife = (transport: Transport): Connector => {
  let used = false;
  const connector = (): Observable<Transport> =>
    new Observable((subscriber) => {
      if (used) {
        subscriber.error(new TransportClosedError('this transport was used before: give a Connector to open it again'));
        return;
      }
      used = true;
      subscriber.next(transport);
    });
  return Object.assign(connector, { reopens: false });
};

/**
 * A client over a wire of your own: a {@link Transport} that is open, or a {@link Connector} that opens one and may
 * be asked to do so again after a death. Nothing is opened until the client is used. The client owns what it opens and
 * releases it in `close()`. Throws an `OptionError` where an option is unknown or cannot be used.
 * MCP 2026-07-28 basic/transports, "Custom Transports".
 */
export const connect = (wire: Connector | Transport, options: ClientOptions = {}): McpClient => {
  if (typeof wire === 'function') return new McpClient(wire, options, 'overlap', [], negotiate);
  const { inbound$, send } = (wire ?? {}) as Partial<Transport>;
  if (inbound$ === undefined || typeof send !== 'function') throw new OptionError('wire', noWire(wire, true));
  return new McpClient(onlyLife(wire), options, 'overlap', [], negotiate);
};
