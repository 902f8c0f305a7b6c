import { afterEach } from '@jest/globals';
import { connect as connectTo, type ClientOptions, type McpClient } from '../../../src/index.js';

const open = new Set<McpClient>();

/** A client that is closed after its spec. */
export const closing = <T extends McpClient>(client: T): T => {
  open.add(client);
  return client;
};

/** `connect`, whose client is closed after its spec. */
export const connect = (wire: Parameters<typeof connectTo>[0], options?: ClientOptions): McpClient =>
  closing(connectTo(wire, options));

afterEach(async () => {
  const clients = [...open];
  open.clear();
  await Promise.all(clients.map((client) => client.close()));
});
