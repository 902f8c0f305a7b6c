import { offeredBackend } from '../../../src/bridge/own-backend.js';
import { ManagedBackend } from '../../../src/config/managed/managed-backend.js';
import { ManagedCalls } from '../../../src/config/managed/managed-calls.js';
import { Offer } from '../../../src/config/managed/offer.js';
import { SideLists } from '../../../src/config/managed/side-lists.js';
import { stripMeta } from '../../../src/config/managed/strip-meta.js';
import type { Adoptable } from '../../../src/config/managed/terms.js';
import { UnsentError } from '../../../src/errors/index.js';
import type { ClientOptions } from '../../../src/index.js';
import type { CallToolResult } from '../../../src/protocol/schemas/index.js';
import type { ScriptedTransport } from '../../../src/testing/index.js';
import { connect } from '../client/connect.js';

class Calls extends ManagedCalls {}

/** What the calls of a spec are made with. */
export interface CallTerms {
  readonly entry?: Adoptable;
  readonly callTimeoutMs?: number;
  readonly stripMeta?: readonly string[];
  readonly client?: ClientOptions;
  readonly limit?: (result: CallToolResult) => CallToolResult;
}

/** The calls of a managed server whose key is `k`, and whose wire is this one. It is up as long as `down` is `undefined`. */
export const callsOn = (server: ScriptedTransport, terms: CallTerms = {}) => {
  const client = connect(server, terms.client);
  const offer = new Offer('mcp__k__', terms.entry ?? {});
  const inner = offeredBackend(client);
  if (inner === undefined) throw new Error('a client has a backend');
  const how: { down: string | undefined } = { down: undefined };
  const common = {
    tools: () => offer.tools,
    callTimeoutMs: terms.callTimeoutMs,
    requireUp: (): void => {
      if (how.down !== undefined) throw new UnsentError(how.down);
    },
    strip: <T>(result: T): T => stripMeta(result, terms.stripMeta ?? []),
  };
  const backend = new ManagedBackend({
    ...common,
    inner,
    overlap: () => offer.terms.overlap,
    limit: terms.limit ?? ((result) => result),
  });
  const sides = new SideLists(client);
  return { calls: new Calls({ ...common, client, sides, backend }), client, offer, sides, how };
};
