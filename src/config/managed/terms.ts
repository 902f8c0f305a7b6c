import { sha256Of } from '../../client/sha256.js';
import { childEnvOf } from '../child-env.js';
import { currentProject } from '../folders.js';
import { maxOutputTokensOf } from '../limit-content.js';
import { Problems } from '../problem.js';
import type { ConfigEntry } from '../read-entry.js';
import type { CommonServerConfig } from '../server-config.js';
import { serverFingerprint } from '../server-fingerprint.js';
import { startupTimeoutMs, toolTimeoutMs } from '../timeouts.js';
import { toolPrefix } from '../tool-names.js';
import type { ManagedOptions } from './options.js';
import type { SupervisorTerms } from './supervisor.js';

/** All that an entry, the options and the variables say together. */
export interface ManagedTerms {
  readonly toolPrefix: string;
  readonly childEnv: Readonly<Record<string, string>>;
  readonly fingerprint: string;
  /** How long a call may take, in ms; `undefined` leaves it to the client. */
  readonly callTimeoutMs: number | undefined;
  readonly supervision: SupervisorTerms;
  /** What is wrong with the variables. */
  readonly warnings: readonly string[];
}

/** The part of an entry that a server may be given anew while it runs. */
export type Adoptable = Pick<CommonServerConfig, 'allowedTools' | 'blockedTools' | 'overlap' | 'maxOutputTokens'>;

/** How often a server is started again: one behind a URL costs nothing meanwhile, and may be replaced by its owner. */
const RESTARTS = { process: 5, url: 20 } as const;

const NOTHING: CommonServerConfig = {};

/** What an entry says that counts for every server; nothing for one that cannot be used. */
export const commonOf = (entry: ConfigEntry): CommonServerConfig => (entry.state === 'usable' ? entry.server : NOTHING);

const fingerprintOf = (
  entry: ConfigEntry,
  common: { readonly toolPrefix: string; readonly timeoutMs: number | undefined },
  childEnv: Readonly<Record<string, string>>,
  projectDir: string,
): string => {
  if (entry.state !== 'usable') {
    return sha256Of(JSON.stringify([entry.key, entry.state, entry.state === 'failed' ? entry.reason : '']));
  }
  const { server } = entry;
  if (server.transport === 'stdio') {
    const { transport, command, args = [], cwd } = server;
    return serverFingerprint({ ...common, transport, command, args, cwd, projectDir, env: childEnv });
  }
  const { transport, url, headers = {} } = server;
  return serverFingerprint({ ...common, transport, url, headers });
};

/** How many tokens a result may have, as the entry says or the variables do. */
export const outputTokensOf = (common: Adoptable, { baseEnv = process.env }: ManagedOptions): number =>
  maxOutputTokensOf(common.maxOutputTokens, baseEnv, new Problems());

/** What counts for a server. Options that were checked are taken as they are. */
export const termsOf = (entry: ConfigEntry, options: ManagedOptions): ManagedTerms => {
  const { baseEnv = process.env, projectDir = currentProject(), plugin } = options;
  const problems = new Problems({ server: entry.key });
  const common = commonOf(entry);
  const callTimeoutMs = toolTimeoutMs(common.timeoutMs, baseEnv, problems);
  maxOutputTokensOf(common.maxOutputTokens, baseEnv, problems);
  const prefix = toolPrefix(entry.key);
  const stdio = entry.state === 'usable' && entry.server.transport === 'stdio' ? entry.server : undefined;
  const childEnv = stdio === undefined ? {} : childEnvOf({ baseEnv, env: stdio.env, projectDir, plugin });
  return {
    toolPrefix: prefix,
    childEnv,
    fingerprint: fingerprintOf(entry, { toolPrefix: prefix, timeoutMs: common.timeoutMs }, childEnv, projectDir),
    callTimeoutMs,
    supervision: {
      startupTimeoutMs: startupTimeoutMs(options.startupTimeoutMs, baseEnv, problems),
      maxRestarts: options.maxRestarts ?? (stdio === undefined ? RESTARTS.url : RESTARTS.process),
      restartWindowMs: options.restartWindowMs ?? 60_000,
      restartDelayMs: options.restartDelayMs ?? 500,
    },
    warnings: problems.all.map(({ message }) => message),
  };
};
