import { afterEach } from '@jest/globals';
import { ManagedServer } from '../../../src/config/managed/managed-server.js';
import type { ManagedOptions } from '../../../src/config/managed/options.js';
import { EraCache } from '../../../src/index.js';

const running = new Set<{ stop(): Promise<void> }>();

/** What is stopped after its spec. */
export const stopping = <T extends { stop(): Promise<void> }>(server: T): T => {
  running.add(server);
  return server;
};

/** A managed server of an entry as it stands in a file; stopped after its spec. */
export const managed = (key: string, entry: object, options: ManagedOptions = {}): ManagedServer =>
  stopping(ManagedServer.of(key, entry, { client: { eraCache: new EraCache() }, ...options }));

afterEach(async () => {
  const servers = [...running];
  running.clear();
  await Promise.all(servers.map((server) => server.stop()));
});
