import type { Discovered } from './discover.js';

const SCOPE = 'offline_access';

/** Texts, each once, in order. */
export const union = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];

/**
 * What is asked for: what the server wants now, together with what was asked for before; where it does not say, all that its
 * metadata names; where that names nothing, nothing. `offline_access` goes with them where the authorization server offers it.
 * MCP 2026-07-28 basic/authorization, "Scope Selection Strategy", "Refresh Tokens".
 */
export const scopesToAsk = (
  wanted: readonly string[] | undefined,
  before: readonly string[] | undefined,
  own: readonly string[],
  discovered: Pick<Discovered, 'scopes' | 'metadata'>,
  refreshes: boolean,
): readonly string[] => {
  const asked = union(before, wanted ?? (before === undefined ? discovered.scopes : undefined), own);
  const offered = discovered.metadata.scopes_supported;
  const isOffered = refreshes && Array.isArray(offered) && offered.includes(SCOPE);
  // Alone it would stand in place of the scopes that go without saying.
  return isOffered && asked.length > 0 ? union(asked, [SCOPE]) : asked;
};
