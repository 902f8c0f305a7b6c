import type { McpServer } from '@modelcontextprotocol/server';

export declare const createWorkshop: (journal?: string[]) => McpServer;
