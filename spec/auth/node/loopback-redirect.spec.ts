import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import { NEVER, ReplaySubject, throwError } from 'rxjs';
import { MemoryTokenStore, oauth } from '../../../src/auth/index.js';
import { loopbackRedirect } from '../../../src/auth/node/index.js';
import { openOn } from '../../../src/auth/node/open-browser.js';
import { connectHttp } from '../../../src/bridge/connect/http.js';
import { startRealm } from '../../support/auth/realm.js';
import { rejection, thrownBy, watch } from '../../support/client/watch.js';
import { until } from '../../support/http/turns.js';

/** A flow that waits for an answer. */
const waiting = async (options: Parameters<typeof loopbackRedirect>[0] = {}) => {
  const abort = new AbortController();
  const outcome = new ReplaySubject<'authorized' | 'failed'>(1);
  const opened: string[] = [];
  const redirect = loopbackRedirect({
    open: (url) => {
      opened.push(url);
    },
    ...options,
  });
  const redirectUri = await redirect.redirectUri(abort.signal);
  const answer = watch(
    redirect.open({
      ...{ url: 'https://as.example/authorize', host: 'as.example', server: 'https://mcp.example/mcp', redirectUri },
      ...{ state: 'state', signal: abort.signal, outcome$: outcome },
    }),
  );
  const over = (how: 'authorized' | 'failed'): void => {
    outcome.next(how);
    outcome.complete();
    abort.abort();
  };
  return { redirectUri, answer, opened, over };
};

/** As a page of somebody else's would come here, by a name that leads to this machine. */
const visit = async (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

/** With a whole URL where a path belongs, as proxies are asked. */
const visitAs = async (path: string, port: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('a redirect to this machine', () => {
  it('serves a whole authorization, and the browser hears how it ended', async () => {
    const realm = await startRealm();
    const pages: Promise<string>[] = [];
    const provider = oauth(
      loopbackRedirect({
        path: '/done',
        open: (url) => {
          pages.push(fetch(url).then((response) => response.text()));
        },
      }),
    );
    const flow = watch(provider.authorize(realm.url));
    expect(await flow.end).toBeUndefined();
    expect(await pages[0]).toContain('<h1>Authorized</h1>');
    expect(realm.registered[0]).toMatchObject({
      redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/done$/)],
    });
  });

  it('tells the browser of a failure, and nothing that came with it', async () => {
    const realm = await startRealm({ answer: () => ({ iss: 'https://evil.example', error_description: 'call me' }) });
    const pages: Promise<string>[] = [];
    const open = (url: string): void => {
      pages.push(fetch(url).then((response) => response.text()));
    };
    expect(await watch(oauth(loopbackRedirect({ open })).authorize(realm.url)).end).toMatchObject({
      problem: 'issuer',
    });
    expect(await pages[0]).toContain('<h1>Not authorized</h1>');
    expect(await pages[0]).not.toMatch(/call me|evil/);
  });

  it('takes no answer but that of its own request, by its own name and path', async () => {
    const { redirectUri, answer, over } = await waiting();
    const origin = new URL(redirectUri).origin;
    for (const [url, status] of [
      [`${redirectUri}?state=other&code=a`, 400],
      [`${redirectUri}?code=a`, 400],
      [`${origin}/favicon.ico`, 404],
      [`${origin}/callback/deeper?state=state`, 404],
    ] as const) {
      const response = await fetch(url);
      expect([response.status, await response.text()]).toEqual([status, expect.stringContaining('Nothing to do')]);
    }
    expect((await fetch(`${redirectUri}?state=state`, { method: 'POST' })).status).toBe(404);
    expect(await visit(`${redirectUri}?state=state&code=a`, 'evil.example')).toBe(404);
    const { port } = new URL(redirectUri);
    for (const host of [
      `localhost:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port}@evil.example`,
      `127.0.0.1:${port}/`,
      'x y',
    ])
      expect(await visit(`${redirectUri}?state=state&code=a`, host)).toBe(404);
    expect(await visitAs(`http://evil.example/callback?state=state&code=a`, Number(port))).toBe(404);
    expect(answer.values).toEqual([]);
    const page = fetch(`${redirectUri}?state=state&code=a`);
    await answer.end;
    expect(answer.values).toEqual([`${redirectUri}?state=state&code=a`]);
    expect((await fetch(`${redirectUri}?state=state&code=b`)).status).toBe(400);
    over('authorized');
    const headers = (await page).headers;
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
  });

  it('goes by the name of this machine where that is registered, and by no other then', async () => {
    const { redirectUri, answer, over } = await waiting({ host: 'localhost' });
    expect(redirectUri).toMatch(/^http:\/\/localhost:\d+\/callback$/);
    const address = redirectUri.replace('localhost', '127.0.0.1');
    const { host } = new URL(redirectUri);
    expect(await visit(`${address}?state=state&code=a`, new URL(address).host)).toBe(404);
    const page = visit(`${address}?state=state&code=a`, host);
    await answer.end;
    expect(answer.values).toEqual([`${redirectUri}?state=state&code=a`]);
    over('authorized');
    expect(await page).toBe(200);
  });

  it('is gone when the flow is over', async () => {
    const { redirectUri, over } = await waiting();
    over('failed');
    await expect(fetch(redirectUri)).rejects.toThrow();
  });

  it('fails where the URL cannot be shown, and waits on where that takes its time', async () => {
    const failing = await waiting({ open: () => throwError(() => new Error('no screen')) });
    expect(await failing.answer.end).toEqual(new Error('no screen'));
    failing.over('failed');
    const slow = await waiting({ open: () => NEVER });
    void fetch(`${slow.redirectUri}?state=state&code=a`).catch(() => undefined);
    expect(await slow.answer.end).toBeUndefined();
    slow.over('failed');
  });

  it('goes on waiting where no browser can be opened, and says where the URL is', async () => {
    const realm = await startRealm();
    const open = () =>
      openOn({ system: 'linux', env: {}, start: () => spawn('there-is-no-such-program') }, 'http://127.0.0.1:1/');
    const provider = oauth(loopbackRedirect({ open }));
    const flow = watch(provider.authorize(realm.url));
    await until(() => flow.values.filter(({ status }) => status === 'authorizing').length === 2);
    const [first, second] = flow.values.filter((state) => state.status === 'authorizing');
    expect(first).not.toHaveProperty('unopened');
    expect(second).toEqual({
      ...first,
      unopened: expect.stringMatching(/no browser can be opened here \(.*ENOENT.*\).*the url of the state authorizing/),
    });
    expect(await (await fetch(second!.url)).text()).toContain('<h1>Authorized</h1>');
    expect(await flow.end).toBeUndefined();
  });

  it('says at the end of its time that no browser could be opened', async () => {
    const realm = await startRealm();
    const open = () =>
      openOn({ system: 'linux', env: {}, start: () => spawn('there-is-no-such-program') }, 'http://127.0.0.1:1/');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const flow = watch(oauth(loopbackRedirect({ open })).authorize(realm.url));
      await until(() => flow.values.filter(({ status }) => status === 'authorizing').length === 2);
      await jest.advanceTimersByTimeAsync(600_000);
      expect(await flow.end).toMatchObject({
        problem: 'denied',
        message: expect.stringMatching(/in time: no browser can be opened here/),
      });
    } finally {
      jest.useRealTimers();
    }
  });

  it('fails with what to do where its port is taken, in a last state and for the call', async () => {
    const realm = await startRealm();
    const { port } = new URL(realm.origin);
    const provider = oauth(loopbackRedirect({ port: Number(port), open: () => undefined }));
    const states = watch(provider.states$);
    const failure = {
      ...{ name: 'AuthorizationError', problem: 'application' },
      message: expect.stringMatching(
        new RegExp(`the port ${port} of 127.0.0.1 cannot be had .*EADDRINUSE.*another port`),
      ),
    };
    expect(await watch(provider.authorize(realm.url)).end).toMatchObject(failure);
    expect(states.values.at(-1)).toMatchObject({ status: 'failed', error: failure });
    const client = connectHttp({ url: realm.url, authProvider: provider, era: 'modern' });
    expect(await rejection(client.promises.listTools())).toMatchObject(failure);
    await client.close();
  });

  it('has the port again that its client was registered with, and another one where that is taken', async () => {
    const realm = await startRealm();
    const store = new MemoryTokenStore();
    const visits: string[] = [];
    const open = async (url: string): Promise<void> => {
      visits.push(new URL(url).searchParams.get('redirect_uri')!);
      void fetch(url).catch(() => undefined);
    };
    const logIn = async () => {
      expect(await watch(oauth({ ...loopbackRedirect({ open }), store }).authorize(realm.url)).end).toBeUndefined();
    };
    await logIn();
    await logIn();
    const [first = '', second] = visits;
    expect(second).toBe(first);
    expect(realm.registered).toHaveLength(1);
    // What asks beforehand whether the other port is taken comes as one more request.
    expect(realm.authorized).toHaveLength(2);
    const squatter = createServer().listen(Number(new URL(first).port), '127.0.0.1');
    await once(squatter, 'listening');
    await logIn();
    squatter.close();
    expect(visits[2]).not.toBe(first);
    expect([realm.registered, realm.authorized, realm.tried].map(({ length }) => length)).toEqual([1, 3, 2]);
  });

  it('is not begun for a flow that is over', async () => {
    const abort = new AbortController();
    abort.abort();
    expect(await rejection(loopbackRedirect().redirectUri(abort.signal))).toMatchObject({ name: 'AbortError' });
  });

  it.each([
    [{ port: -1 }, 'port'],
    [{ port: 65_536 }, 'port'],
    [{ host: '0.0.0.0' as never }, 'host'],
    [{ path: 'callback' }, 'path'],
    [{ path: '//evil.example' }, 'path'],
    [{ open: 'firefox' as never }, 'open'],
    [{ prot: 80 } as never, 'prot'],
  ])('refuses %j', (options, option) => {
    expect(thrownBy(() => loopbackRedirect(options))).toMatchObject({ name: 'OptionError', option });
  });
});
