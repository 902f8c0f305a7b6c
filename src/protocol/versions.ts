/** The two ways of speaking the protocol: per-request metadata (modern) or an `initialize` handshake (legacy). MCP 2026-07-28 basic/versioning. */
export type Era = 'modern' | 'legacy';

/** The modern revisions this client speaks, best first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The legacy revisions this client speaks, best first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** The version `initialize` offers: a server that knows it answers with it, an older one with its own. */
export const LATEST_LEGACY_VERSION = '2025-11-25';

export const isLegacyVersion = (version: string): boolean => LEGACY_VERSIONS.includes(version);
