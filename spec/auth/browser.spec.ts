import { afterEach, describe, expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';
import {
  answerFromPopup,
  type AuthorizationRequest,
  oauth,
  pageRedirect,
  popupRedirect,
  webTokenStore,
} from '../../src/auth/index.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { startRealm } from '../support/auth/realm.js';
import { watch } from '../support/client/watch.js';
import { until } from '../support/http/turns.js';

/** What a browser has and Node lacks, for one spec. */
const page = globalThis as unknown as Record<string, unknown>;
afterEach(() => {
  for (const name of ['open', 'location', 'close']) delete page[name];
});

const requestOf = (state: string): AuthorizationRequest => ({
  ...{ url: 'https://as.example/authorize', host: 'as.example', server: 'https://mcp.example/mcp' },
  ...{ redirectUri: REDIRECT, state, signal: new AbortController().signal, outcome$: NEVER },
});

/** A `Storage` of its own. */
const storage = () => {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
};

describe('a window of its own', () => {
  it('hands its answer to who opened it, and to nobody who waits for another', async () => {
    const opened: string[] = [];
    let closed = 0;
    page['open'] = (empty: string) => {
      const popup = {
        opener: page as unknown,
        // By its opener a page could send this one elsewhere.
        location: { replace: (url: string) => opened.push(`${empty}${url} ${String(popup.opener)}`) },
        close: () => (closed += 1),
      };
      return popup;
    };
    page['close'] = () => (closed += 1);
    const { open, redirectUri } = popupRedirect(REDIRECT);
    const first = watch(open(requestOf('one')));
    const second = watch(open(requestOf('two')));
    const shown = 'https://as.example/authorize null';
    expect([redirectUri, opened]).toEqual([REDIRECT, [shown, shown]]);
    const href = `${REDIRECT}?state=two&code=a`;
    page['location'] = { href };
    answerFromPopup();
    await second.end;
    expect([second.values, first.values, closed]).toEqual([[href], [], 2]);
    first.subscription.unsubscribe();
    expect(closed).toBe(3);
  });

  it('that the browser does not open is an AuthorizationError', async () => {
    page['open'] = () => null;
    expect(await watch(popupRedirect(REDIRECT).open(requestOf('one'))).end).toMatchObject({ problem: 'denied' });
  });
});

describe('a page that is left', () => {
  const leave = async () => {
    const realm = await startRealm();
    const kept = storage();
    const left: string[] = [];
    page['location'] = { assign: (url: string) => left.push(url) };
    const providerOf = () => oauth({ ...pageRedirect(REDIRECT), store: webTokenStore(kept) });
    const flow = watch(providerOf().authorize(realm.url));
    await until(() => left.length === 1);
    flow.subscription.unsubscribe();
    return { realm, kept, providerOf, answer: await openHeadless({ url: left[0]! }) };
  };

  it('goes on when the browser comes back, as another page that knows what the store knows', async () => {
    const { realm, providerOf, answer } = await leave();
    const resumed = watch(providerOf().resume(answer));
    expect(await resumed.end).toBeUndefined();
    expect(resumed.values.map(({ status }) => status)).toEqual(['exchanging', 'authorized']);
    expect(await providerOf().token({ url: realm.url, target: realm.url, method: 'POST' })).toMatch(/^Bearer access-/);
  });

  it('takes an answer once', async () => {
    const { kept, providerOf, answer } = await leave();
    await watch(providerOf().resume(answer)).end;
    expect(await watch(providerOf().resume(answer)).end).toMatchObject({ problem: 'response' });
    expect([...kept.items.keys()].filter((key) => key.includes('pending'))).toEqual([]);
  });

  it.each([
    ['another state', (answer: URL) => answer.searchParams.set('state', 'other'), 'response'],
    ['no state', (answer: URL) => answer.searchParams.delete('state'), 'response'],
    ['another issuer', (answer: URL) => answer.searchParams.set('iss', 'https://evil.example'), 'issuer'],
  ])('takes no answer with %s', async (_what, change, problem) => {
    const { realm, providerOf, answer } = await leave();
    change(answer);
    expect(await watch(providerOf().resume(answer)).end).toMatchObject({ problem });
    expect(realm.asked).toEqual([]);
  });
});

describe('tokens in the storage of a browser', () => {
  it('are kept, replaced and forgotten, and as good as none where something else is', () => {
    const kept = storage();
    const store = webTokenStore(kept);
    expect(store.get('a')).toBeUndefined();
    void store.set('a', { secret: 1 });
    void store.set('a', { secret: 2 });
    expect(store.get('a')).toEqual({ secret: 2 });
    kept.items.set('rx-mcp a', '{"sec');
    expect(store.get('a')).toBeUndefined();
    void store.delete('a');
    expect(kept.items.size).toBe(0);
  });
});
