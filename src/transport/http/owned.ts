import type { Inbound, JsonRpcFailure, RequestId } from '../../jsonrpc/index.js';

/** An error that is told on a request's own wire and lacks an id is that request's. */
export const owned = (failure: JsonRpcFailure, id: RequestId): Inbound =>
  failure.id === undefined ? { ...failure, id } : failure;
