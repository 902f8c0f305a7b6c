import type { Store } from './flow.js';
import type { Holdings } from './holdings.js';
import type { ClientKey } from './options.js';
import { readTokens } from './records.js';
import { revoke } from './revoke.js';
import type { Web } from './web.js';

/** What a log-out works with. */
export interface LogOut {
  readonly holdings: Holdings;
  readonly store: Store;
  readonly web: Web;
  readonly key: ClientKey | undefined;
}

/**
 * Forgets the tokens for a server, and has them revoked where that can be done. What fails of it keeps nothing else of it from
 * being done; then it rejects with what the store failed of.
 */
export const logOut = async (url: string, { holdings, store, web, key: clientKey }: LogOut): Promise<void> => {
  let tokens = holdings.held(url);
  holdings.outdate(url);
  const failures: unknown[] = [];
  const tried = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((reason: unknown) => {
      failures.push(reason);
      return undefined;
    });
  const found = await tried(holdings.find(url));
  await tried(holdings.forget(url));
  if (found !== undefined) {
    const { key } = found;
    tokens = found.tokens;
    // A refresh that is under way brings others: those are the ones to revoke.
    const forgetting = store.locked(key, async () => {
      tokens = readTokens(await store.get(key)) ?? tokens;
      await store.delete(key);
    });
    await tried(forgetting);
  }
  // They are forgotten here, whether the server takes note or not.
  if (tokens !== undefined) await revoke(web, tokens, clientKey).catch(() => undefined);
  if (failures.length > 0) throw failures[0];
};
