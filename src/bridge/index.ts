export { connect } from './connect/connect.js';
export { connectHttp, type HttpOptions } from './connect/http.js';
export { connectInMemory } from './connect/in-memory.js';
export { McpClient } from './mcp-client.js';
export type { ClientPromises } from './promises.js';
