import { filter } from 'rxjs';
import type { Backend } from '../../bridge/backend.js';
import { McpClient } from '../../bridge/index.js';
import { offeredBackend } from '../../bridge/own-backend.js';
import { UnsentError } from '../../errors/index.js';
import { object } from '../../jsonrpc/checks.js';
import { negotiate } from '../../protocol/negotiate.js';
import type { ConfigEntry } from '../read-entry.js';
import { redactText } from '../redact-text.js';
import { wireOf } from './connector-of.js';
import { Gate } from './gate.js';
import { httpExtrasOf } from './http-extras.js';
import { LastLines } from './last-lines.js';
import { Offer } from './offer.js';
import type { ManagedOptions } from './options.js';
import { reasonOf } from './reason.js';
import { SideLists } from './side-lists.js';
import { stripMeta } from './strip-meta.js';
import { Supervisor } from './supervisor.js';
import { commonOf, type ManagedTerms, termsOf } from './terms.js';

/** What a managed server is made of. */
export interface ManagedParts {
  readonly terms: ManagedTerms;
  readonly client: McpClient;
  /** The calls of batches, by the server's own names. */
  readonly backend: Backend;
  readonly gate: Gate;
  readonly supervisor: Supervisor;
  readonly offer: Offer;
  readonly sides: SideLists;
  /** The last lines of stderr, without secrets. */
  readonly stderr: LastLines;
  /** Takes out of a result what only the host may say. */
  readonly strip: <T>(result: T) => T;
  /** Throws where calls cannot be made, and says why. */
  readonly requireUp: () => void;
}

const backendOf = (client: McpClient): Backend => {
  const backend = offeredBackend(client);
  if (backend === undefined) throw new TypeError('a client makes its calls by its backend');
  return backend;
};

/** Puts the parts of a managed server together. Throws an `OptionError` for options of its client or its wire that cannot be used. */
export const partsOf = (entry: ConfigEntry, options: ManagedOptions): ManagedParts => {
  const redact = entry.state === 'usable' ? entry.redact : redactText;
  const terms = termsOf(entry, options);
  const own = typeof options.client === 'function' ? options.client(entry.key) : (options.client ?? {});
  object(own, 'client');
  const { killGraceMs } = options;
  const http = httpExtrasOf(entry, options.http);
  const wire = wireOf(entry, { childEnv: terms.childEnv, killGraceMs, maxMessageBytes: own.maxMessageBytes, http });
  const gate = new Gate(wire.connector);
  // The user has installed it, wherever it runs.
  const client = new McpClient(gate.connector, own, 'all', [], negotiate);
  const stderr = new LastLines();
  client.stderr$.subscribe({
    next: (line) => {
      stderr.push(line);
    },
    error: () => undefined,
  });
  client.state$.pipe(filter(({ status }) => status === 'connecting' || status === 'reconnecting')).subscribe({
    next: () => {
      stderr.begin();
    },
    error: () => undefined,
  });
  const strip = <T>(result: T): T => stripMeta(result, options.stripMeta ?? []);
  const offer = new Offer(terms.toolPrefix, commonOf(entry), strip);
  const supervisor = new Supervisor({
    client,
    gate,
    terms: terms.supervision,
    explain: (error) => redact(reasonOf(error, stderr.own)),
    listed: (list) => {
      offer.listed(list);
    },
    failure: wire.failure,
  });
  const sides = new SideLists(client, strip);
  supervisor.state$.pipe(filter(({ status }) => status === 'failed' || status === 'stopped')).subscribe({
    next: () => {
      sides.close();
    },
    error: () => undefined,
  });
  const requireUp = (): void => {
    if (supervisor.isUp) return;
    const { status, reason, error } = supervisor.state;
    const why = reason === undefined ? '' : `: ${reason}`;
    throw new UnsentError(`the server ${JSON.stringify(entry.key)} is not connected, but ${status}${why}`, error);
  };
  return { terms, client, backend: backendOf(client), gate, supervisor, offer, sides, stderr, strip, requireUp };
};
