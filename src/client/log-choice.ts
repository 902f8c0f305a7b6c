import type { Channels, LogLevel } from '../session/index.js';

/** From which severity a client's servers are asked to log. */
export class LogChoice {
  readonly #channels: Channels;
  /** The client's own; `setLogLevel` changes it. */
  level: LogLevel | undefined;
  #warned = false;

  constructor(level: LogLevel | undefined, channels: Channels) {
    this.level = level;
    this.#channels = channels;
  }

  /** What goes with a request to a modern server; who listens in vain is told so, once. */
  stamp(own: LogLevel | undefined): LogLevel | undefined {
    const level = own ?? this.level;
    if (level === undefined && !this.#warned && this.#channels.wantsLogs) {
      this.#warned = true;
      this.#channels.warn(
        'no-log-level',
        'logs are listened to, but a modern server sends none unless a logLevel is set: give the option logLevel, or call setLogLevel()',
      );
    }
    return level;
  }
}
