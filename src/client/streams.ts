import type { Observable } from 'rxjs';
import type { Channels, LogMessage, Progress, RawNotification, Warning, WireFrame } from '../session/index.js';
import type { ConnectionState } from './state.js';

/** Where they come from. */
interface StreamSources {
  readonly channels: Channels;
  readonly connection: { readonly state$: Observable<ConnectionState> };
}

/**
 * What a client hears besides answers. Subscribing to any of these never connects. All are hot, without replay
 * (but for `state$`), survive restarts, complete at `close()` and never error.
 */
export abstract class ClientStreams {
  readonly #sources: StreamSources;

  /** Every notification of the server as it came, progress and logs included. Hot. */
  get notifications$(): Observable<RawNotification> {
    return this.#sources.channels.notifications$;
  }

  /** Progress of all calls. Calls that are sent while it is observed ask for progress. Hot. MCP 2026-07-28 basic/patterns/progress. */
  get progress$(): Observable<Progress> {
    return this.#sources.channels.progress$;
  }

  /** Log messages. They need a `logLevel`. Hot. MCP 2026-07-28 server/utilities/logging; deprecated there, and supported. */
  get logs$(): Observable<LogMessage> {
    return this.#sources.channels.logs$;
  }

  /** What went wrong without failing a call. Hot. */
  get warnings$(): Observable<Warning> {
    return this.#sources.channels.warnings$;
  }

  /** Lines the server's process wrote to stderr; no sign of failure by themselves. Hot. */
  get stderr$(): Observable<string> {
    return this.#sources.channels.stderr$;
  }

  /** Every frame of the wire, both ways, in wire order. Hot. */
  get wire$(): Observable<WireFrame> {
    return this.#sources.channels.wire$;
  }

  /** How the connection is: the current state at once, then each change; completes after `closed`. Never connects, never errors. */
  get state$(): Observable<ConnectionState> {
    return this.#sources.connection.state$;
  }

  constructor(sources: StreamSources) {
    this.#sources = sources;
  }
}
