import { filter, type Observable } from 'rxjs';
import { reasonText } from '../errors/index.js';
import {
  type Answering,
  declares,
  type Hooks,
  LEGACY_VERSIONS,
  type Life,
  type Negotiate,
  NO_RETRY,
  type ServerDescription,
} from '../protocol/index.js';
import { legacyHandlers } from '../protocol/legacy-handlers.js';
import type { ClientCapabilities } from '../protocol/schemas/index.js';
import { Channels, type NotificationListener, type RawNotification, type RequestHandler } from '../session/index.js';
import type { Connector, RetryTerms } from '../transport/index.js';
import { Catalogue } from './catalogue.js';
import { Connection, type ConnectionHost } from './connection.js';
import { type ClientOptions, resolveOptions, type Settings, type TrustAnnotations } from './options.js';
import { answererOf, inputs } from './input-part.js';
import { keeping } from './keeping-part.js';
import { OutputCheck } from './output.js';
import { Reads } from './reads.js';
import { Requests, type RequestTerms } from './requests.js';
import { followRoots, withSharedRoots } from './roots.js';
import { changedBy } from './wants.js';

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
  const spec = { method: 'logging/setLevel', encode: () => ({ level }), hints: { background: true } };
  session.call(spec).subscribe({
    error: (reason: unknown) => {
      if (session.end !== undefined) return;
      channels.warn('housekeeping', `the log level was refused: ${reasonText(reason)}`, reason);
    },
  });
};

const NO_HANDLERS: ReadonlyMap<string, RequestHandler> = new Map();

/** Whether a legacy server that goes by what was declared has nothing to ask. */
const asksNothing = ({ elicitation, sampling, roots }: ClientCapabilities): boolean =>
  elicitation === undefined && sampling === undefined && roots === undefined;

/**
 * What a client is made of; its classes share them. What not every client needs is made with its first use. A class and
 * no closures: there may be thousands of clients that do nothing.
 */
export class ClientParts implements ConnectionHost, RequestTerms, NotificationListener {
  readonly connector: Connector;
  readonly settings: Settings;
  readonly channels: Channels;
  readonly connection: Connection;
  readonly requests: Requests;
  #handlers: ReadonlyMap<string, RequestHandler> | undefined;
  #hooks: Hooks | undefined;
  #answerer: Answering | undefined;
  #reads: Reads | undefined;
  #catalogue: Catalogue | undefined;
  #output: OutputCheck | undefined;

  /** Throws `OptionError`. */
  constructor(
    connector: Connector,
    options: ClientOptions,
    trustAnnotations: TrustAnnotations,
    also: readonly string[],
    negotiate: Negotiate,
  ) {
    this.connector = connector;
    this.settings = resolveOptions(options, trustAnnotations, also);
    this.channels = new Channels(this.settings.callbacks, this);
    this.connection = new Connection(this, negotiate);
    this.requests = new Requests(this);
  }

  get retry(): RetryTerms {
    return this.connector.retry ?? NO_RETRY;
  }

  /** Emits when the client is closed. */
  get closed$(): Observable<unknown> {
    return this.connection.state$.pipe(filter(({ status }) => status === 'closed'));
  }

  /** What is known of the server at this moment. */
  get server(): ServerDescription {
    return this.connection.life?.agreement.server ?? STRANGER;
  }

  /** What deals with questions within a call. Parts have it from here: what they import must lead to no part, see the build. */
  get inputs(): typeof inputs {
    return inputs;
  }

  get answerer(): Answering {
    this.#answerer ??= answererOf({
      hooks: this.#sharedHooks,
      inputTimeoutMs: this.settings.inputTimeoutMs,
      warn: this.channels.warn.bind(this.channels),
      closed$: this.closed$,
    });
    return this.#answerer;
  }

  get handlers(): ReadonlyMap<string, RequestHandler> {
    if (this.#handlers !== undefined) return this.#handlers;
    const declared = this.#declared;
    this.#handlers = asksNothing(declared)
      ? NO_HANDLERS
      : legacyHandlers({
          answerer: this.answerer,
          server: () => this.server,
          declared,
          during: (...terms) => this.requests.inFlight.during(...terms),
        });
    return this.#handlers;
  }

  get reads(): Reads {
    if (this.#reads === undefined) {
      const { cache } = this.settings;
      const open = () => keeping.use(({ cacheOf }) => cacheOf(this.connector, cache === false ? undefined : cache));
      this.#reads = new Reads(this.requests, cache === false ? undefined : open, cache !== undefined);
    }
    return this.#reads;
  }

  get catalogue(): Catalogue {
    if (this.#catalogue === undefined) {
      this.#catalogue = new Catalogue(
        () => this.connection.life?.session,
        (reason) => {
          this.channels.warn('housekeeping', `what changed in the tools is not told: ${reasonText(reason)}`, reason);
        },
      );
      if (this.connection.closed) this.#catalogue.close();
    }
    return this.#catalogue;
  }

  /** The catalogue, if there has been anything to keep in it. */
  get listed(): Catalogue | undefined {
    return this.#catalogue;
  }

  get output(): OutputCheck {
    this.#output ??= new OutputCheck(this.catalogue, this.settings.validateOutput, this.channels);
    return this.#output;
  }

  ready(life: Life): void {
    tellLogLevel(life, this.requests, this.channels);
    followRoots(life, this.#sharedHooks, this.#declared, this.channels);
  }

  notified(notification: RawNotification): void {
    const changed = changedBy(notification);
    if (changed === undefined) return;
    if (changed === 'tools') this.#catalogue?.drop();
    const { era, protocolVersion } = this.server;
    this.reads.changed(era === 'modern' ? protocolVersion : undefined, changed);
  }

  get #sharedHooks(): Hooks {
    this.#hooks ??= withSharedRoots(this.settings.hooks);
    return this.#hooks;
  }

  /** What legacy servers are told that this client can do. */
  get #declared(): ClientCapabilities {
    const { legacyCapabilities, capabilities } = this.settings.identity;
    return legacyCapabilities ?? capabilities;
  }
}
