export type { Agreement, ServerDescription } from './agreement.js';
export type { AnswererTerms } from './answerer.js';
export { type Capability, declares, requireCapability } from './capabilities.js';
export type { Codec, Result, Stamp } from './codec.js';
export { EraCache, type EraStore, type EraVerdict, processEraCache } from './era-cache.js';
export {
  capabilitiesOf,
  type ElicitUrlParams,
  type Hooks,
  legacyCapabilitiesOf,
  type Question,
  type Roots,
  type UrlAnswer,
  type UrlQuestion,
} from './hooks.js';
export { isUrlRequired } from './is-url-required.js';
export { checkMeta } from './meta.js';
export { type Identity, modernCodec } from './modern.js';
export type { Life, Negotiate, Negotiation, NegotiationTerms, Open } from './life.js';
export { NO_RETRY, Patience } from './patience.js';
export type { Answering, InputEvent, InputQuestion, InputTerms, Outcome } from './questions.js';
export type { RoundsTerms, Retry } from './rounds.js';
export type { Checker } from './schemas/compile.js';
export { supportedOf } from './schemas/handshake.js';
export type { SuspendedCall } from './suspended.js';
export { type Era, isLegacyVersion, LEGACY_VERSIONS, MODERN_VERSIONS } from './versions.js';
