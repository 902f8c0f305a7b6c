import { NEVER, Observable } from 'rxjs';
import { AuthorizationError } from './authorization-error.js';
import type { AuthorizationRequest } from './options.js';
import type { StoredRecord, TokenStore } from './token-store.js';

/** Options of `oauth` that belong together. */
export interface BrowserRedirect {
  /** A page of this application's, on its own origin. */
  readonly redirectUri: string;
  /** Has the person go to the authorization server. */
  readonly open: (request: AuthorizationRequest) => Observable<string>;
  /** Whether this page is left for it. */
  readonly leaves?: boolean | undefined;
}

const channelOf = (state: string): string => `rx-mcp authorization ${state}`;

/**
 * For a browser: asks in a window of its own, opened by a click. The page at `redirectUri` is to call
 * {@link answerFromPopup}. Give what it returns to `oauth`. A window that the browser keeps
 * from opening is an `AuthorizationError`; one that somebody closes cannot be told from one that is read for long, and ends
 * with `openTimeoutMs`.
 */
export const popupRedirect = (redirectUri: string | URL, features = 'popup,width=520,height=720'): BrowserRedirect => ({
  redirectUri: String(redirectUri),
  open: ({ url, state }) =>
    new Observable((subscriber) => {
      // A channel and no opener: a page may cut itself loose from who opened it.
      const channel = new BroadcastChannel(channelOf(state));
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (typeof data !== 'string') return;
        subscriber.next(data);
        subscriber.complete();
      };
      // Empty at first, and cut loose: the page of the authorization server would have a hold on this one by its opener.
      const popup = globalThis.open('', '_blank', features);
      if (popup !== null) {
        popup.opener = null;
        popup.location.replace(url);
      }
      subscriber.add(() => {
        channel.close();
        popup?.close();
      });
      if (popup === null)
        subscriber.error(new AuthorizationError('denied', 'the browser opened no window: authorize upon a click'));
    }),
});

/** For the page that {@link popupRedirect} leads to: hands its own URL to who waits for it, and closes the window. */
export const answerFromPopup = (): void => {
  const { href } = globalThis.location;
  const channel = new BroadcastChannel(channelOf(new URL(href).searchParams.get('state') ?? ''));
  channel.postMessage(href);
  channel.close();
  globalThis.close();
};

/**
 * For a browser: leaves this page for the authorization server. The page at `redirectUri` makes a provider with the same
 * options, and calls `provider.resume(location.href)`. It needs a store that outlives the page, such as
 * {@link webTokenStore}. The call that wanted the authorization does not come back: it is to be made again.
 */
export const pageRedirect = (redirectUri: string | URL): BrowserRedirect => ({
  redirectUri: String(redirectUri),
  open: ({ url }) => {
    globalThis.location.assign(url);
    return NEVER;
  },
  leaves: true,
});

/** What is used of the platform's `Storage`. */
export type WebStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const readRecord = (text: string | null): StoredRecord | undefined => {
  try {
    const record: unknown = text === null ? undefined : JSON.parse(text);
    return typeof record === 'object' && record !== null ? (record as StoredRecord) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Keeps tokens in what a browser keeps for an origin: `sessionStorage` is gone with its tab, `localStorage` is shared by all.
 * Every script of the origin can read them. Where the browser has locks, one tab refreshes at a time.
 */
export const webTokenStore = (storage: WebStorage): TokenStore => {
  const nameOf = (key: string): string => `rx-mcp ${key}`;
  return {
    get: (key) => readRecord(storage.getItem(nameOf(key))),
    set: (key, record) => {
      storage.setItem(nameOf(key), JSON.stringify(record));
    },
    delete: (key) => {
      storage.removeItem(nameOf(key));
    },
    lock: (key) =>
      new Observable((subscriber) => {
        const { locks } = (globalThis as { navigator?: { readonly locks?: LockManager } }).navigator ?? {};
        if (locks === undefined) {
          subscriber.next(undefined);
          return undefined;
        }
        const abort = new AbortController();
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        locks
          .request(nameOf(key), { signal: abort.signal }, async () => {
            subscriber.next(undefined);
            return held;
          })
          .catch((reason: unknown) => {
            subscriber.error(reason);
          });
        return () => {
          release();
          abort.abort();
        };
      }),
  };
};
