import { UnsupportedFeatureError } from '../errors/index.js';
import type { Agreement } from './agreement.js';
import type { ServerCapabilities } from './schemas/index.js';

/** A capability a server declares. */
export type Capability = 'tools' | 'prompts' | 'resources' | 'completions' | 'logging';

/** Revisions older than the capability itself: servers of that age could not declare it. */
const OLDER_THAN: Partial<Record<Capability, readonly string[]>> = { completions: ['2024-11-05'] };

/**
 * Whether the server declared a capability. True as well where it could not: a modern server that was known by
 * a refusal has declared nothing yet, and a revision may be older than the capability.
 */
export const declares = ({ server, declared }: Agreement, capability: Capability): boolean =>
  !declared ||
  (server.capabilities as ServerCapabilities & Record<string, unknown>)[capability] !== undefined ||
  OLDER_THAN[capability]?.includes(server.protocolVersion) === true;

/** Throws `UnsupportedFeatureError` where the server did not declare a capability. */
export const requireCapability = (agreement: Agreement, capability: Capability, method: string): void => {
  if (!declares(agreement, capability)) {
    throw new UnsupportedFeatureError(`${method}: it declared no ${capability} capability`, agreement.server.era);
  }
};
