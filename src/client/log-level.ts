import type { Channels, LogLevel } from '../session/index.js';

/** The severity that goes with a request to a modern server; who listens in vain is told so, once. */
export const stampedLevel = (level: LogLevel | undefined, channels: Channels): LogLevel | undefined => {
  if (level === undefined && channels.wantsLogs) {
    channels.warnOnce(
      'no-log-level',
      'logs are listened to, but a modern server sends none unless a logLevel is set: give the option logLevel, or call setLogLevel()',
    );
  }
  return level;
};
