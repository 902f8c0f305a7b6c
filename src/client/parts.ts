import { defer, filter, type Observable } from 'rxjs';
import { reasonText } from '../errors/index.js';
import {
  Answerer,
  declares,
  legacyHandlers,
  LEGACY_VERSIONS,
  type Life,
  type ServerDescription,
} from '../protocol/index.js';
import { Channels } from '../session/index.js';
import type { Connector } from '../transport/index.js';
import { type CacheStore, MemoryCacheStore } from './cache.js';
import { Catalogue } from './catalogue.js';
import { Connection } from './connection.js';
import { type ClientOptions, resolveOptions, type Settings, type TrustAnnotations } from './options.js';
import { Listening } from './listening.js';
import { OutputCheck } from './output.js';
import { Reads } from './reads.js';
import { Requests } from './requests.js';
import { followRoots, withSharedRoots } from './roots.js';
import { type CacheOwner, ResultCache } from './result-cache.js';
import { sha256Of } from './sha256.js';
import { changedBy } from './wants.js';

/** What a client is made of; its classes share them. */
export interface ClientParts {
  readonly settings: Settings;
  readonly channels: Channels;
  readonly connection: Connection;
  readonly requests: Requests;
  readonly reads: Reads;
  readonly catalogue: Catalogue;
  readonly output: OutputCheck;
  readonly listening: Listening;
  /** Emits when the client is closed. */
  readonly closed$: Observable<unknown>;
  readonly answerer: Answerer;
  /** What is known of the server at this moment. */
  readonly server: () => ServerDescription;
}

/** What is known of a server before its handshake is over: legacy servers may ask that early. */
const STRANGER: ServerDescription = {
  era: 'legacy',
  protocolVersion: LEGACY_VERSIONS[0] ?? '',
  supportedVersions: [],
  info: undefined,
  capabilities: {},
  instructions: undefined,
};

/** A legacy server that logs is told the level once, after each handshake. MCP 2025-11-25 server/utilities/logging. */
const tellLogLevel = ({ session, agreement }: Life, requests: Requests, channels: Channels): void => {
  const level = requests.logs.level;
  if (level === undefined || agreement.server.era === 'modern' || !declares(agreement, 'logging')) return;
  const spec = { method: 'logging/setLevel', encode: () => ({ level }), hints: { background: true } };
  session.call(spec).subscribe({
    error: (reason: unknown) => {
      if (session.end !== undefined) return;
      channels.warn('housekeeping', `the log level was refused: ${reasonText(reason)}`, reason);
    },
  });
};

/** Keeps nothing. */
const NO_STORE: CacheStore = { get: () => undefined, set: () => undefined, delete: () => undefined };

const nonce = (): string => `${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;

/** A server or credentials without a name are this client's alone. */
const ownerOf = ({ identity, address, partition }: Connector): CacheOwner => ({
  server: address === undefined ? (identity ?? nonce()) : sha256Of(address),
  partition: partition ?? nonce(),
});

/** Puts the parts of a client together. Throws `OptionError`. */
export const assemble = (
  connector: Connector,
  options: ClientOptions,
  trustAnnotations: TrustAnnotations,
  also: readonly string[],
): ClientParts => {
  const settings = resolveOptions(options, trustAnnotations, also);
  const channels = new Channels(settings.callbacks);
  const { identity, inputTimeoutMs } = settings;
  const hooks = withSharedRoots(settings.hooks);
  const warn = channels.warn.bind(channels);
  const closed$ = defer(() => connection.state$).pipe(filter(({ status }) => status === 'closed'));
  const answerer = new Answerer({ hooks, inputTimeoutMs, warn, closed$ });
  const server = (): ServerDescription => connection.life?.agreement.server ?? STRANGER;
  const declared = identity.legacyCapabilities ?? identity.capabilities;
  const handlers = legacyHandlers({
    answerer,
    server,
    declared,
    during: (...terms) => requests.inFlight.during(...terms),
  });
  const onReady = (life: Life): void => {
    tellLogLevel(life, requests, channels);
    followRoots(life, hooks, declared, channels);
  };
  const connection: Connection = new Connection(connector, settings, channels, onReady, handlers);
  const requests = new Requests(connection, settings, channels, connector.retry);
  const store = (): CacheStore => (settings.cache === false ? NO_STORE : (settings.cache ?? new MemoryCacheStore()));
  const reads = new Reads(requests, () => new ResultCache(store(), ownerOf(connector)));
  // Made when something is followed.
  let listening: Listening | undefined;
  const catalogue = new Catalogue(() => connection.life?.session);
  channels.notifications$.subscribe({
    next: (notification) => {
      const changed = changedBy(notification);
      if (changed === undefined) return;
      if (changed === 'tools') catalogue.drop();
      const { era, protocolVersion } = server();
      reads.changed(era === 'modern' ? protocolVersion : undefined, changed);
    },
    error: () => undefined,
  });
  return {
    settings,
    channels,
    connection,
    requests,
    reads,
    catalogue,
    get listening() {
      listening ??= new Listening(connection, channels, settings.requestTimeoutMs, (want) => {
        reads.renew(want);
      });
      return listening;
    },
    closed$,
    answerer,
    server,
    output: new OutputCheck(catalogue, settings.validateOutput, channels),
  };
};
