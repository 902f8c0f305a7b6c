export type {
  ScriptedAnswer,
  ScriptedHelpers,
  ScriptedNotice,
  ScriptedParams,
  ScriptedReply,
  ScriptedResult,
  ScriptedSteps,
} from './answers.js';
export type { ScriptedOptions } from './handshake.js';
export type { ScriptedNotificationMethod, ScriptedRequestMethod } from './methods.js';
export type { Script, ScriptedCallParams, ScriptEntry, ScriptListener } from './script.js';
export { scriptedTransport, type ScriptedMessage, type ScriptedTransport } from './scripted-transport.js';
