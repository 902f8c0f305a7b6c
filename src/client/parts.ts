import { defer, filter, type Observable, skip, takeUntil } from 'rxjs';
import {
  Answerer,
  declares,
  type Hooks,
  legacyHandlers,
  LEGACY_VERSIONS,
  type Life,
  type ServerDescription,
} from '../protocol/index.js';
import { Channels, type RawNotification } from '../session/index.js';
import type { Connector } from '../transport/index.js';
import type { CacheStore } from './cache.js';
import { Catalogue } from './catalogue.js';
import { Connection } from './connection.js';
import { type ClientOptions, resolveOptions, type Settings, type TrustAnnotations } from './options.js';
import { Listening } from './listening.js';
import { OutputCheck } from './output.js';
import { Reads } from './reads.js';
import { Requests } from './requests.js';
import { type CacheOwner, ResultCache } from './result-cache.js';

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
  const level = requests.logLevel;
  if (level === undefined || agreement.server.era === 'modern' || !declares(agreement, 'logging')) return;
  session.call({ method: 'logging/setLevel', encode: () => ({ level }) }).subscribe({
    error: (reason: unknown) => {
      if (session.end !== undefined) return;
      channels.warn('housekeeping', `the log level was refused: ${String(reason)}`, reason);
    },
  });
};

/** A legacy server is told of each later value of a live list of roots. MCP 2025-11-25 client/roots. */
const tellRoots = ({ session, agreement }: Life, { onListRoots }: Hooks, channels: Channels): void => {
  if (onListRoots === undefined || typeof onListRoots === 'function' || agreement.server.era === 'modern') return;
  onListRoots.pipe(skip(1), takeUntil(session.ended$)).subscribe({
    next: () => {
      session.notify('notifications/roots/list_changed');
    },
    error: (reason: unknown) => {
      channels.warn('hook-failed', `onListRoots ended: ${String(reason)}`, reason);
    },
  });
};

const LISTS: Readonly<Record<string, readonly string[]>> = {
  'notifications/tools/list_changed': ['tools/list'],
  'notifications/prompts/list_changed': ['prompts/list'],
  'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
};

/** A change notice makes what it is about stale at once. MCP 2026-07-28 server/utilities/caching. */
const forgetStale = (reads: Reads, version: string, { method, params }: RawNotification): void => {
  // Without its first page a list is not served from the cache, whatever is kept of the others.
  for (const list of LISTS[method] ?? []) reads.forget(version, list, { cursor: null });
  if (method === 'notifications/resources/updated') reads.forget(version, 'resources/read', { uri: params?.['uri'] });
};

/** Keeps nothing. */
const NO_STORE: CacheStore = { get: () => undefined, set: () => undefined, delete: () => undefined };

const nonce = (): string => `${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;

/** A server or credentials without a name are this client's alone. */
const ownerOf = ({ identity, partition }: Connector): CacheOwner => ({
  server: identity ?? nonce(),
  partition: partition ?? nonce(),
});

/** Puts the parts of a client together. Throws `OptionError`. */
export const assemble = (
  connector: Connector,
  options: ClientOptions,
  trustAnnotations: TrustAnnotations,
): ClientParts => {
  const settings = resolveOptions(options, trustAnnotations);
  const channels = new Channels(settings.callbacks);
  const { hooks, identity, inputTimeoutMs } = settings;
  const warn = channels.warn.bind(channels);
  const closed$ = defer(() => connection.state$).pipe(filter(({ status }) => status === 'closed'));
  const answerer = new Answerer({ hooks, inputTimeoutMs, warn, closed$ });
  const server = (): ServerDescription => connection.life?.agreement.server ?? STRANGER;
  const handlers = legacyHandlers({
    answerer,
    server,
    declared: identity.legacyCapabilities ?? identity.capabilities,
    during: (question, outcome$) => requests.inFlight.during(question, outcome$),
  });
  const onReady = (life: Life): void => {
    tellLogLevel(life, requests, channels);
    tellRoots(life, hooks, channels);
  };
  const connection: Connection = new Connection(connector, settings, channels, onReady, handlers);
  const requests = new Requests(connection, settings, channels);
  const reads = new Reads(requests, new ResultCache(settings.cache ?? NO_STORE, ownerOf(connector)));
  const catalogue = new Catalogue(() => connection.life?.session);
  channels.notifications$.subscribe({
    next: (notification) => {
      if (notification.method === 'notifications/tools/list_changed') catalogue.drop();
      const { era, protocolVersion } = server();
      if (era === 'modern') forgetStale(reads, protocolVersion, notification);
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
    listening: new Listening(connection, channels, settings.requestTimeoutMs),
    closed$,
    answerer,
    server,
    output: new OutputCheck(catalogue, settings.validateOutput, channels),
  };
};
