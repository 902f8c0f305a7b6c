import { defer, filter, skip, takeUntil } from 'rxjs';
import {
  Answerer,
  declares,
  type Hooks,
  legacyHandlers,
  LEGACY_VERSIONS,
  type Life,
  type ServerDescription,
} from '../protocol/index.js';
import { Channels } from '../session/index.js';
import type { Connector } from '../transport/index.js';
import { Catalogue } from './catalogue.js';
import { Connection } from './connection.js';
import { type ClientOptions, resolveOptions, type Settings, type TrustAnnotations } from './options.js';
import { OutputCheck } from './output.js';
import { Requests } from './requests.js';

/** What a client is made of; its classes share them. */
export interface ClientParts {
  readonly settings: Settings;
  readonly channels: Channels;
  readonly connection: Connection;
  readonly requests: Requests;
  readonly catalogue: Catalogue;
  readonly output: OutputCheck;
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
  const catalogue = new Catalogue(() => connection.life?.session);
  channels.notifications$.pipe(filter(({ method }) => method === 'notifications/tools/list_changed')).subscribe({
    next: () => {
      catalogue.drop();
    },
    error: () => undefined,
  });
  return {
    settings,
    channels,
    connection,
    requests,
    catalogue,
    answerer,
    server,
    output: new OutputCheck(catalogue, settings.validateOutput, channels),
  };
};
