import { Observable } from 'rxjs';
import { OptionError, TransportError } from '../../errors/index.js';
import type { Connector, Transport } from '../transport.js';
import { MemoryTransport, type InMemoryServer } from './memory-transport.js';

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/**
 * A connector to a server that runs in this process. Cold: subscribing calls `server.connect` with the
 * server's end of a new wire and emits the client's end once `connect` has returned, or its Promise has
 * resolved; it does not complete. Unsubscribing closes the wire, of which the server hears by `onclose`; subscribing again
 * connects the server anew, so two lives at a time need a server that takes two connections. Errors with
 * `TransportError` when `connect` throws or rejects; `cause` is what it raised. Throws `OptionError` at once
 * when `server` has no `connect`.
 *
 * ```ts
 * const server = new McpServer({ name: 'sums', version: '1.0.0' });
 * const connector = memoryConnector(server);                                     // one era, as the server has it
 * const both = memoryConnector({ connect: (transport) => serveStdio(makeServer, { transport }) }); // either era
 * ```
 */
export const memoryConnector = (server: InMemoryServer): Connector => {
  if (typeof (server as Partial<InMemoryServer> | null | undefined)?.connect !== 'function') {
    // A wire is no server, though it may be of one.
    if (typeof server === 'function' || typeof (server as Partial<Transport> | null | undefined)?.send === 'function')
      throw new OptionError('server', 'this is a wire (a Transport or a Connector), and no server: use connect(wire)');
    throw new OptionError(
      'server',
      'give an object with a connect(transport) method, such as a server of the official SDK',
    );
  }
  return () =>
    new Observable<Transport>((subscriber) => {
      const transport = new MemoryTransport();
      subscriber.add(transport.life);
      const fail = (reason: unknown): void => {
        subscriber.error(new TransportError(reason));
      };
      const emit = (): void => {
        subscriber.next(transport);
      };
      try {
        const connecting = server.connect(transport.serverSide);
        if (isThenable(connecting)) connecting.then(emit, fail);
        else emit();
      } catch (reason) {
        fail(reason);
      }
    });
};
