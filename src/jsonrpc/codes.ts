/** Error codes this client reads or writes. JSON-RPC 2.0 section 5.1; MCP 2026-07-28 basic, "Error Codes". */
export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
} as const;
