import { randomUUID } from 'node:crypto';
import KeyvRedis from '@keyv/redis';
import Keyv from 'keyv';
import type { Observable } from 'rxjs';
import { concatMap, defer, EMPTY, exhaustMap, finalize, merge, repeat, retry, take, timer } from 'rxjs';
import type { TokenStore } from '../../src/auth/index.js'; // 'rx-mcp/auth'
import { type CacheEntry, type CacheStore, EraCache, type EraVerdict } from '../../src/index.js'; // 'rx-mcp'

/** What several processes share. */
export interface SharedStores {
  readonly cache: CacheStore;
  readonly eraCache: EraCache;
  readonly tokens: TokenStore;
  close(): Promise<void>;
}

/** How long a lock outlives its holder, how often the holder shows that it lives, and how often who waits looks, in ms. */
const LOCK = { livesMs: 5_000, beatMs: 1_000, pollMs: 50 } as const;

/** How long a Redis may take until it is connected, in ms: by itself its client would try for ever. */
const CONNECT_MS = 5_000;

/** Only the holder lets go, and only it may stay: what belongs to another by now is left alone. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;
const EXTEND = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`;

/**
 * Results, verdicts and tokens in one Redis, each under a prefix of its own. Keyv keeps JSON and answers with Promises, which is
 * all that a store of this library needs; the lock, which keeps two processes from refreshing a token at once, is a key that
 * expires. Rejects where no Redis answers.
 */
export const redisStores = async (url: string): Promise<SharedStores> => {
  const adapter = new KeyvRedis(url, { connectionTimeout: CONNECT_MS });
  // One connection for all, open before it is needed: a store that is not there in time is one that has nothing.
  await adapter.getClient();
  const keyvOf = <T>(namespace: string): Keyv<T> => new Keyv<T>({ store: new KeyvRedis(adapter.client), namespace });
  const [cache, eras, records] = [
    keyvOf<CacheEntry>('results'),
    keyvOf<EraVerdict>('eras'),
    keyvOf<Readonly<Record<string, unknown>>>('tokens'),
  ];

  const lock = (key: string): Observable<unknown> =>
    defer(() => {
      const [name, owner] = [`lock:${key}`, randomUUID()];
      const run = async (script: string, ...args: string[]): Promise<unknown> =>
        (await adapter.getClient()).eval(script, { keys: [name], arguments: [owner, ...args] });
      const taken = async (): Promise<void> => {
        const client = await adapter.getClient();
        const answer = await client.set(name, owner, {
          condition: 'NX',
          expiration: { type: 'PX', value: LOCK.livesMs },
        });
        if (answer !== 'OK') throw new Error('somebody else holds it');
      };
      const beat$ = timer(LOCK.beatMs).pipe(
        exhaustMap(() => run(EXTEND, String(LOCK.livesMs))),
        concatMap(() => EMPTY),
        repeat(),
      );
      return defer(taken).pipe(
        retry({ delay: LOCK.pollMs }),
        take(1),
        concatMap(() => merge([undefined], beat$)),
        finalize(() => void run(RELEASE).catch(() => undefined)),
      );
    });

  const tokens: TokenStore = {
    get: (key) => records.get(key),
    set: (key, record) => records.set(key, record),
    delete: (key) => records.delete(key),
    lock,
  };
  const close = async (): Promise<void> => {
    await adapter.disconnect();
  };
  return { cache, eraCache: new EraCache(eras), tokens, close };
};
