import { type Observable, of } from 'rxjs';
import { type Part, part } from '../rx/index.js';
import type { Connector } from '../transport/index.js';
import { type CacheStore, MemoryCacheStore } from './cache.js';
import { type CacheOwner, ResultCache } from './result-cache.js';

export { keptOr } from './kept-or.js';
export { keptPages } from './kept-pages.js';

const nonce = (): string => `${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;

/** What names addresses and credentials in stores that others share. */
export const digests: Part<typeof import('./sha256.js')> = /* @__PURE__ */ part(() => import('./sha256.js'));

/** Whether a page asks where it comes from: there the browser adds what it knows, such as cookies. WHATWG Fetch, "credentials". */
const isOfPage = (address: string): boolean =>
  URL.canParse(address) &&
  (globalThis as { readonly location?: Location }).location?.origin === new URL(address).origin;

/** The credentials as a text, the same in whatever order they are given; all of it may be secret. */
const textOf = ({ address = '', credentials }: Connector): string | undefined => {
  if (isOfPage(address)) return undefined;
  try {
    const known = credentials?.();
    return known && JSON.stringify(Object.entries(known).sort());
  } catch {
    // They cannot be sent, as the next request says.
    return undefined;
  }
};

/** @param nobody names the credentials where nothing else does */
const ownerOf = (connector: Connector, nobody: string | undefined, sha256Of: (text: string) => string): CacheOwner => {
  const { identity, address, partition } = connector;
  const server = address === undefined ? (identity ?? nonce()) : sha256Of(address);
  const first = partition === undefined ? textOf(connector) : undefined;
  if (first === undefined) return { server, partition: partition ?? nobody };
  // Another name for each server: that two are asked with the same credentials is nobody's business.
  const digest = sha256Of(JSON.stringify([address ?? identity, first]));
  return {
    server,
    get partition() {
      return textOf(connector) === first ? digest : nobody;
    },
  };
};

/**
 * Emits the cache once. What no other client could find, since its server or its credentials have no name, stays in this
 * process: in a store that is bounded, or in one of the client's own.
 */
export const cacheOf = (connector: Connector, store: CacheStore | undefined): Observable<ResultCache> => {
  const { identity, address, partition, credentials } = connector;
  const isNamed = identity !== undefined || address !== undefined;
  const isHere = store instanceof MemoryCacheStore;
  if (store === undefined || !(isNamed || isHere))
    return of(new ResultCache(new MemoryCacheStore(), { server: nonce(), partition: nonce() }));
  const nobody = isHere ? nonce() : undefined;
  if (address === undefined && credentials === undefined)
    return of(new ResultCache(store, { server: identity ?? nonce(), partition: partition ?? nobody }));
  return digests.use(({ sha256Of }) => of(new ResultCache(store, ownerOf(connector, nobody, sha256Of))));
};
