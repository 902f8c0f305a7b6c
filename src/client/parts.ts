import { filter } from 'rxjs';
import { declares, type Life } from '../protocol/index.js';
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
}

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

/** Puts the parts of a client together. Throws `OptionError`. */
export const assemble = (
  connector: Connector,
  options: ClientOptions,
  trustAnnotations: TrustAnnotations,
): ClientParts => {
  const settings = resolveOptions(options, trustAnnotations);
  const channels = new Channels(settings.callbacks);
  const connection: Connection = new Connection(connector, settings, channels, (life) => {
    tellLogLevel(life, requests, channels);
  });
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
    output: new OutputCheck(catalogue, settings.validateOutput, channels),
  };
};
