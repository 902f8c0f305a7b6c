import { writeFileSync } from 'node:fs';
import { afterEach, expect } from '@jest/globals';
import { ManagedServers } from '../../../src/config/servers/managed-servers.js';
import type { OpenOptions } from '../../../src/config/servers/options.js';
import { allGone } from '../child-processes.js';
import { program } from '../programs/program.js';

const SERVER = program('servers', 'stall-stdio');

/** An entry of a config: a stall with these tools. */
export const stall = (name: string, tools: readonly string[] = [], more: object = {}): object => ({
  command: process.execPath,
  args: [SERVER, name, ...tools],
  ...more,
});

/** An entry whose server never answers. */
export const mute = (): object => stall('mute', [], { env: { STALL: 'mute' } });

/** An entry whose server never answers, and does not end by itself. */
export const stubborn = (): object => stall('stubborn', [], { env: { STALL: 'stubborn' } });

/** An entry whose server ends at once. */
export const broken = (): object => stall('broken', [], { env: { STALL: 'broken' } });

const opened = new Set<ManagedServers>();
const pids = new Set<number>();

/** Keeps in mind which processes there are now: none of them outlives the spec. */
export const notePids = (servers: ManagedServers): void => {
  for (const { pid } of servers.servers.values()) if (pid !== undefined) pids.add(pid);
};

/** The process of a server. */
export const pidOf = (servers: ManagedServers, key: string): number => {
  const pid = servers.server(key)?.pid;
  expect(pid).toBeGreaterThan(0);
  pids.add(pid as number);
  return pid as number;
};

/** `openConfig`, which is stopped after its spec. */
export const opening = (source: string | URL | object, options?: OpenOptions): ManagedServers => {
  const servers = new ManagedServers(source, options);
  opened.add(servers);
  servers.status$.subscribe(() => notePids(servers));
  return servers;
};

/** Writes a config. */
export const writeConfig = (file: string, servers: object): void => {
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
};

afterEach(async () => {
  const all = [...opened];
  opened.clear();
  await Promise.all(all.map((servers) => servers.stop()));
  await allGone(...pids);
  pids.clear();
});
