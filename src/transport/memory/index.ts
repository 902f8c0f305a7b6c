export { memoryConnector } from './memory-connector.js';
export { MemoryTransport, type InMemoryServer, type InMemoryServerTransport } from './memory-transport.js';
