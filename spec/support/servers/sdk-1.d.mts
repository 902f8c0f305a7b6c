import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

export declare const createAncestor: (journal?: string[]) => McpServer;
