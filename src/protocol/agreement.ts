import type { Codec } from './codec.js';
import type { SelfDescription } from './schemas/handshake.js';
import type { Implementation, ServerCapabilities } from './schemas/index.js';
import type { Era } from './versions.js';

/** What is known of the server at the other end. */
export interface ServerDescription {
  readonly era: Era;
  /** The revision in use. */
  readonly protocolVersion: string;
  /** The versions the server named; empty where it named none, as legacy servers do. */
  readonly supportedVersions: readonly string[];
  /** What the server calls itself: for display only, never for behaviour or security. */
  readonly info: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  /** The server's advice to a model. */
  readonly instructions: string | undefined;
}

/** What a negotiation ended with. */
export interface Agreement {
  readonly server: ServerDescription;
  readonly codec: Codec;
  /** False where a modern server was recognised by its refusal and has declared nothing: nothing is gated then. */
  readonly declared: boolean;
}

export const agreementOf = (
  codec: Codec,
  self: SelfDescription | undefined,
  supportedVersions: readonly string[],
): Agreement => ({
  codec,
  declared: self !== undefined,
  server: {
    era: codec.era,
    protocolVersion: codec.version,
    supportedVersions,
    info: self?.info,
    capabilities: self?.capabilities ?? {},
    instructions: self?.instructions,
  },
});
