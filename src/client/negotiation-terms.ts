import type { NegotiationTerms } from '../protocol/index.js';
import type { Connector } from '../transport/index.js';
import type { Settings } from './options.js';

/** What a client negotiates by: its settings, and what its wire says of itself. */
export const negotiationTerms = (connector: Connector, settings: Settings): NegotiationTerms => {
  const { identity, era, eraCache, probeTimeoutMs, protocolVersions } = settings;
  return {
    era,
    probeTimeoutMs,
    protocolVersions,
    cache: eraCache,
    key: connector.identity,
    reopens: connector.reopens !== false,
    forms: connector.forms === true,
    retry: connector.retry,
    waits$: connector.waits$,
    identity,
  };
};
