export { Channel } from './channel.js';
export {
  Channels,
  type Callbacks,
  LOG_LEVELS,
  type LogLevel,
  type LogMessage,
  type NotificationListener,
  type Progress,
  type RawNotification,
  type WireFrame,
} from './channels.js';
export type { RequestHandler } from './serve.js';
export type { Asker, CallSpec, Exchange, Params } from './exchange.js';
export type { Session } from './session.js';
export type { Warning, WarningKind } from './warnings.js';
