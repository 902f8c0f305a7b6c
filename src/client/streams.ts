import type { Observable } from 'rxjs';
import type { Channels, LogMessage, Progress, RawNotification, Warning, WireFrame } from '../session/index.js';
import type { ConnectionState } from './state.js';

/**
 * What a client hears besides answers. Subscribing to any of these never connects. All are hot, without replay
 * (but for `state$`), survive restarts, complete at `close()` and never error.
 */
export abstract class ClientStreams {
  /** Every notification of the server as it came, progress and logs included. Hot. */
  readonly notifications$: Observable<RawNotification>;
  /** Progress of all calls. Calls that are sent while it is observed ask for progress. Hot. MCP 2026-07-28 basic/patterns/progress. */
  readonly progress$: Observable<Progress>;
  /** Log messages. They need a `logLevel`. Hot. MCP 2026-07-28 server/utilities/logging; deprecated there, and supported. */
  readonly logs$: Observable<LogMessage>;
  /** What went wrong without failing a call. Hot. */
  readonly warnings$: Observable<Warning>;
  /** Lines the server's process wrote to stderr; no sign of failure by themselves. Hot. */
  readonly stderr$: Observable<string>;
  /** Every frame of the wire, both ways, in wire order. Hot. */
  readonly wire$: Observable<WireFrame>;
  /** How the connection is: the current state at once, then each change; completes after `closed`. Never connects, never errors. */
  readonly state$: Observable<ConnectionState>;

  constructor(channels: Channels, state$: Observable<ConnectionState>) {
    this.notifications$ = channels.notifications$;
    this.progress$ = channels.progress$;
    this.logs$ = channels.logs$;
    this.warnings$ = channels.warnings$;
    this.stderr$ = channels.stderr$;
    this.wire$ = channels.wire$;
    this.state$ = state$;
  }
}
