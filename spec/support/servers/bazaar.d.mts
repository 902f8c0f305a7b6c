import type { McpServer } from '@modelcontextprotocol/server';

export declare const createBazaar: (journal?: string[]) => McpServer;
