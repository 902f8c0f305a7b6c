import * as z from 'zod/mini';
import { type SelfDescription, selfOf } from './handshake.js';

const initializeResult = z.object({
  protocolVersion: z.string(),
  capabilities: z.optional(z.unknown()),
  serverInfo: z.optional(z.unknown()),
  instructions: z.optional(z.unknown()),
});

/** An `initialize` result, read. MCP 2025-11-25 basic/lifecycle. */
export interface Initialized extends SelfDescription {
  readonly protocolVersion: string;
}

/** Reads a raw `initialize` result; `undefined` if it is none. The version alone decides what the result is. */
export const readInitialized = (raw: unknown): Initialized | undefined => {
  const { data } = initializeResult.safeParse(raw);
  if (data === undefined) return undefined;
  return { protocolVersion: data.protocolVersion, ...selfOf(data, data.serverInfo) };
};
