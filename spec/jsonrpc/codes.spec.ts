import { expect, it } from '@jest/globals';
import { CODES } from '../../src/jsonrpc/index.js';

it('has the codes of JSON-RPC and of the protocol', () => {
  expect(CODES).toEqual({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
    headerMismatch: -32020,
    missingClientCapability: -32021,
    unsupportedVersion: -32022,
  });
});
