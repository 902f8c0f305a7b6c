import * as z from 'zod/mini';
import { isObject } from '../../jsonrpc/index.js';
import { META } from '../meta.js';
import type { Implementation, ServerCapabilities } from './index.js';

const text = z.string();

const initializeResult = z.object({
  protocolVersion: text,
  capabilities: z.optional(z.unknown()),
  serverInfo: z.optional(z.unknown()),
  instructions: z.optional(z.unknown()),
});

const discoverResult = z.object({
  supportedVersions: z.array(text).check(z.minLength(1)),
  capabilities: z.optional(z.unknown()),
  serverInfo: z.optional(z.unknown()),
  instructions: z.optional(z.unknown()),
  _meta: z.optional(z.unknown()),
});

/** What a server says of itself, in either era. */
export interface SelfDescription {
  readonly info: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

/** An `initialize` result, read. MCP 2025-11-25 basic/lifecycle. */
export interface Initialized extends SelfDescription {
  readonly protocolVersion: string;
}

/** A `server/discover` result, read. MCP 2026-07-28 server/discover. */
export interface Discovered extends SelfDescription {
  readonly supportedVersions: readonly string[];
}

/** What is no object would be a claim nobody can read: leave it out. The version alone decides what the result is. */
const capabilitiesOf = (declared: unknown): ServerCapabilities =>
  Object.fromEntries(Object.entries(isObject(declared) ? declared : {}).filter(([, value]) => isObject(value)));

const implementationOf = (value: unknown): Implementation | undefined =>
  isObject(value) && typeof value['name'] === 'string'
    ? ({ version: '', ...value } as unknown as Implementation)
    : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a raw `initialize` result; `undefined` if it is none. */
export const readInitialized = (raw: unknown): Initialized | undefined => {
  const { data } = initializeResult.safeParse(raw);
  if (data === undefined) return undefined;
  return {
    protocolVersion: data.protocolVersion,
    info: implementationOf(data.serverInfo),
    capabilities: capabilitiesOf(data.capabilities),
    instructions: textOf(data.instructions),
  };
};

/** Reads a raw `server/discover` result; `undefined` if it is none: an empty list of versions names no version. */
export const readDiscovered = (raw: unknown): Discovered | undefined => {
  const { data } = discoverResult.safeParse(raw);
  if (data === undefined) return undefined;
  const meta = isObject(data._meta) ? data._meta[META.serverInfo] : undefined;
  return {
    supportedVersions: data.supportedVersions,
    // Some servers put it in the body, where earlier drafts had it.
    info: implementationOf(meta) ?? implementationOf(data.serverInfo),
    capabilities: capabilitiesOf(data.capabilities),
    instructions: textOf(data.instructions),
  };
};

/** The versions a `-32022` names in `data.supported`; empty if it names none that can be read. */
export const supportedOf = (data: unknown): readonly string[] => {
  const supported = isObject(data) ? data['supported'] : undefined;
  return Array.isArray(supported) ? supported.filter((version) => typeof version === 'string') : [];
};
