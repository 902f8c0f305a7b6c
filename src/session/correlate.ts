import { filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { Inbound } from '../jsonrpc/index.js';
import type { OpenCalls } from './open-calls.js';

/**
 * Hands each answer to the call that waits for it, synchronously and in wire order, at one map look-up
 * a message whatever is in flight; mirrors everything that answers no call. JSON-RPC 2.0 section 5.
 */
export const correlate = (calls: OpenCalls): MonoTypeOperatorFunction<Inbound> =>
  filter((message: Inbound) => !calls.settle(message));
