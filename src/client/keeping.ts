import { type Observable, of } from 'rxjs';
import { type Part, part } from '../rx/index.js';
import type { Connector } from '../transport/index.js';
import { type CacheStore, MemoryCacheStore } from './cache.js';
import { ResultCache } from './result-cache.js';

export { keptOr } from './kept-or.js';
export { keptPages } from './kept-pages.js';

const nonce = (): string => `${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;

/** What names addresses in stores that others share. */
export const digests: Part<typeof import('./sha256.js')> = /* @__PURE__ */ part(() => import('./sha256.js'));

/**
 * Emits the cache once. A server or credentials without a name are this client's alone; in a store of its own nobody else
 * looks for either.
 */
export const cacheOf = (
  { identity, address, partition }: Connector,
  store: CacheStore | undefined,
): Observable<ResultCache> => {
  const own = partition ?? nonce();
  if (store === undefined) return of(new ResultCache(new MemoryCacheStore(), { server: nonce(), partition: own }));
  if (address === undefined) return of(new ResultCache(store, { server: identity ?? nonce(), partition: own }));
  return digests.use(({ sha256Of }) => of(new ResultCache(store, { server: sha256Of(address), partition: own })));
};
