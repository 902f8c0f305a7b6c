/**
 * Servers for the tests of applications, and whatever may go wrong with one. Safe for browsers.
 *
 * @module rx-mcp/testing
 */
export type {
  ScriptedAnswer,
  ScriptedHelpers,
  ScriptedNotice,
  ScriptedParams,
  ScriptedReply,
  ScriptedResult,
  ScriptedSteps,
} from './answers.js';
export { faultyTransport, type FaultyTransport, type MakeFaulty } from './faults/faulty-transport.js';
export type { Fault, FaultKind, FaultPlan, FaultStrike, FaultyMessage } from './faults/plan.js';
export { fixtureServer, type FixtureServer } from './fixture/server.js';
export type {
  FixtureChange,
  FixtureOptions,
  FixturePrompt,
  FixturePromptHandler,
  FixtureResource,
} from './fixture/stock.js';
export type { ScriptedOptions } from './handshake.js';
export { type AssertEqual, type MarbleHelpers, marbles, type Mark } from './marbles.js';
export type { ScriptedNotificationMethod, ScriptedRequestMethod } from './methods.js';
export type { RecordedLine } from './recording/lines.js';
export { type MakeRecording, record, type Recording, type RecordOptions } from './recording/record.js';
export { replay, type Replay, type ReplayOptions } from './recording/replay.js';
export type { Script, ScriptedCallParams, ScriptEntry, ScriptListener } from './script.js';
export { scriptedTransport, type ScriptedMessage, type ScriptedTransport } from './scripted-transport.js';
