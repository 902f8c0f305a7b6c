// The wire forms before 2026-07-28, in one file to be loaded when a server speaks one of them.
export { LegacyHttpTransport } from './legacy-transport.js';
export { SseTransport } from './sse-transport.js';
