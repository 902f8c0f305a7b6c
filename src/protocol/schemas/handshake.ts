import { isObject } from '../../jsonrpc/index.js';
import { META } from '../meta.js';
import type { Implementation, ServerCapabilities } from './index.js';

/** What a server says of itself, in either era. */
export interface SelfDescription {
  readonly info: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
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

/** The part of a result, in either era, that describes the server. What is not as it should be is left out. */
export const selfOf = (
  { capabilities, instructions }: Readonly<Record<string, unknown>>,
  ...infos: readonly unknown[]
): SelfDescription => ({
  info: infos.map(implementationOf).find((info) => info !== undefined),
  capabilities: capabilitiesOf(capabilities),
  instructions: typeof instructions === 'string' ? instructions : undefined,
});

/** Reads a raw `server/discover` result; `undefined` if it is none: an empty list of versions names no version. */
export const readDiscovered = (raw: unknown): Discovered | undefined => {
  if (!isObject(raw)) return undefined;
  const { supportedVersions, serverInfo, _meta: meta } = raw;
  if (!Array.isArray(supportedVersions) || supportedVersions.length === 0) return undefined;
  if (!supportedVersions.every((version) => typeof version === 'string')) return undefined;
  // Some servers put it in the body, where earlier drafts had it.
  return { supportedVersions, ...selfOf(raw, isObject(meta) ? meta[META.serverInfo] : undefined, serverInfo) };
};

/** The versions a `-32022` names in `data.supported`; empty if it names none that can be read. */
export const supportedOf = (data: unknown): readonly string[] => {
  const supported = isObject(data) ? data['supported'] : undefined;
  return Array.isArray(supported) ? supported.filter((version) => typeof version === 'string') : [];
};
