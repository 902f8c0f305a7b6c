import type { McpServer } from '@modelcontextprotocol/server';

export declare const createInterview: (journal?: unknown[]) => McpServer;
