export type { CallOptions } from './call-options.js';
export type { EventOptions, ResultOptions } from './ask.js';
export { McpClient } from './client.js';
export { connect } from './connect.js';
export type { CallEvent } from './events.js';
export { connectInMemory } from './in-memory.js';
export type { ClientOptions, TrustAnnotations } from './options.js';
export type { ClientPromises } from './promises.js';
export type { ConnectionState } from './state.js';
