export type { StdioParameters } from './parameters.js';
export { stdioConnector } from './stdio-connector.js';
export { StdioTransport } from './stdio-transport.js';
export type { StartedChild, StdioSettings } from './stdio-transport.js';
