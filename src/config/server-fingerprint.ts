import { createHash } from 'node:crypto';
import { canonical } from '../client/canonical.js';

/** What a server is to those who use it, whatever way it is reached. */
interface Common {
  /** What stands before the names of its tools. */
  readonly toolPrefix: string;
  /** How long its calls may take; `undefined` where its entry does not say. */
  readonly timeoutMs: number | undefined;
}

/** What makes one server another, for one that is started. */
export interface StdioIdentity extends Common {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Where it stands; `undefined` is where this process does. */
  readonly cwd: string | undefined;
  readonly projectDir: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** What makes one server another, for one behind a URL. */
export interface HttpIdentity extends Common {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const facts = (identity: StdioIdentity | HttpIdentity): unknown => {
  const { transport, toolPrefix, timeoutMs } = identity;
  if (identity.transport === 'stdio') {
    const { command, args, cwd, projectDir, env } = identity;
    return { transport, command, args, cwd, projectDir, env, toolPrefix, timeoutMs };
  }
  const { url, headers } = identity;
  // The names of header fields have no case. RFC 9110, section 5.1.
  const fields = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { transport, url, headers: fields, toolPrefix, timeoutMs };
};

/**
 * Tells one server from another: the SHA-256, in hexadecimal, of all that its start depends on, in whatever order it was
 * given. Two that are equal need no restart. None of it can be read from the fingerprint.
 */
export const serverFingerprint = (identity: StdioIdentity | HttpIdentity): string =>
  createHash('sha256')
    .update(canonical(facts(identity)))
    .digest('hex');
