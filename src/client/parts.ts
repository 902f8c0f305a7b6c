import { defer, filter, type Observable, of } from 'rxjs';
import { reasonText } from '../errors/index.js';
import {
  type Answering,
  declares,
  legacyHandlers,
  LEGACY_VERSIONS,
  type Life,
  type Negotiate,
  type ServerDescription,
} from '../protocol/index.js';
import { type Part, part } from '../rx/index.js';
import { Channels } from '../session/index.js';
import type { Connector } from '../transport/index.js';
import { type CacheStore, MemoryCacheStore } from './cache.js';
import { Catalogue } from './catalogue.js';
import { Connection } from './connection.js';
import { type ClientOptions, resolveOptions, type Settings, type TrustAnnotations } from './options.js';
import { answererOf } from './input-part.js';
import { OutputCheck } from './output.js';
import { Reads } from './reads.js';
import { Requests } from './requests.js';
import { followRoots, withSharedRoots } from './roots.js';
import { ResultCache } from './result-cache.js';
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
  /** Emits when the client is closed. */
  readonly closed$: Observable<unknown>;
  readonly answerer: Answering;
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

/** What names addresses in stores that others share. */
export const digests: Part<typeof import('./sha256.js')> = /* @__PURE__ */ part(() => import('./sha256.js'));

/**
 * Emits the cache once. A server or credentials without a name are this client's alone; in a store of its own nobody else
 * looks for either.
 */
const cacheOf = ({ identity, address, partition }: Connector, cache: Settings['cache']): Observable<ResultCache> => {
  const own = partition ?? nonce();
  if (cache === undefined) return of(new ResultCache(new MemoryCacheStore(), { server: nonce(), partition: own }));
  const store = cache === false ? NO_STORE : cache;
  if (cache === false || address === undefined)
    return of(new ResultCache(store, { server: identity ?? nonce(), partition: own }));
  return digests.use(({ sha256Of }) => of(new ResultCache(store, { server: sha256Of(address), partition: own })));
};

/** Puts the parts of a client together. Throws `OptionError`. */
export const assemble = (
  connector: Connector,
  options: ClientOptions,
  trustAnnotations: TrustAnnotations,
  also: readonly string[],
  negotiate: Negotiate,
): ClientParts => {
  const settings = resolveOptions(options, trustAnnotations, also);
  const channels = new Channels(settings.callbacks);
  const { identity, inputTimeoutMs } = settings;
  const hooks = withSharedRoots(settings.hooks);
  const warn = channels.warn.bind(channels);
  const closed$ = defer(() => connection.state$).pipe(filter(({ status }) => status === 'closed'));
  const answerer = answererOf({ hooks, inputTimeoutMs, warn, closed$ });
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
  const connection: Connection = new Connection(connector, settings, channels, negotiate, onReady, handlers);
  const requests = new Requests(connection, settings, channels, connector.retry);
  const reads = new Reads(requests, () => cacheOf(connector, settings.cache));
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
    closed$,
    answerer,
    server,
    output: new OutputCheck(catalogue, settings.validateOutput, channels),
  };
};
