// The examples of the README and of the guide to OAuth that close their client, run as they stand there: nothing they begin is cut off.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { lastValueFrom, NEVER } from 'rxjs';
import ts from 'typescript';
import {
  AuthorizationError,
  clientCredentials,
  oauth,
  type OAuthOptions,
  webTokenStore,
} from '../../src/auth/index.js';
import { fileTokenStore, loopbackRedirect } from '../../src/auth/node/index.js';
import { connectStdio, type StdioOptions } from '../../src/bridge/stdio.js';
import * as root from '../../src/index.js';
import { openHeadless } from '../support/auth/headless.js';
import { startRealm } from '../support/auth/realm.js';
import { startOidc } from '../support/auth/oidc.js';
import { startGuarded } from '../support/auth/guarded.js';
import { type Handler, reply, serve } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(60_000);

/** The examples of a document that close their client. */
const closingIn = (path: string): readonly string[] => {
  const document = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const examples = [...document.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
  return examples.filter((text) => text.includes('.close()') && !text.includes('portTransport'));
};
const closing = closingIn('README.md');

type Run = (names: object) => Promise<void>;

/** An example as a function of what it imports. */
const runnable = (text: string): Run => {
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const code = ts.transpile(text.replace(/^import .*$/gm, ''), options).replace('export {};', '');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return new Function('names', `with (names) { return (async () => {${code}})(); }`) as Run;
};

/** Runs an example; what it wrote, by the console's method. */
const run = async (text: string, names: object): Promise<(readonly [method: string, ...what: unknown[]])[]> => {
  const written: (readonly [string, ...unknown[]])[] = [];
  const log =
    (method: string) =>
    (...what: unknown[]) => {
      written.push([method, ...what]);
    };
  await runnable(text)({ ...root, ...names, console: { log: log('log'), error: log('error') } });
  return written;
};

describe('an example of the README that closes its client', () => {
  it('is one of these', () => {
    expect(closing.map((text) => /connect(?:Stdio|Http)\(/.exec(text)?.[0])).toEqual([
      'connectStdio(',
      'connectHttp(',
      'connectHttp(',
    ]);
  });

  it('has its answers by then: the first call, against the server it names', async () => {
    const [first = ''] = closing;
    const command = fileURLToPath(new URL('../../node_modules/.bin/mcp-server-everything', import.meta.url));
    const started: StdioOptions[] = [];
    const written = await run(first, {
      connectStdio: (options: StdioOptions) => {
        started.push(options);
        return connectStdio({ ...options, command, args: [], eraCache: new root.EraCache() });
      },
    });
    expect(started).toEqual([{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] }]);
    expect(written).toEqual([
      ['log', [{ type: 'text', text: 'Echo: hello' }]],
      ['log', expect.arrayContaining(['echo'])],
    ]);
  });

  describe('has its answers, or says why not: a server behind a URL', () => {
    const visit = async (handler: Handler, isDown = false): Promise<unknown> => {
      const [, second = ''] = closing;
      const server = await serve(handler);
      if (isDown) await server.close();
      const clients: root.McpClient[] = [];
      const connectHttp = (options: root.HttpOptions): root.McpClient => {
        clients.push(root.connectHttp({ ...options, url: server.url, eraCache: new root.EraCache() }));
        return clients[0] as root.McpClient;
      };
      const written = await run(second, { connectHttp }).finally(() => expect(clients[0]?.alive).toBe(false));
      return written;
    };

    it('that answers', async () => {
      const answer = { content: [{ type: 'text', text: expect.stringMatching(/^search/) }] };
      expect(await visit(peer({ era: 'modern' }))).toEqual([['log', expect.objectContaining(answer)]]);
    });

    it('that wants a token', async () => {
      const refusal: Handler = (_received, response) => reply(response, 401, '', { 'www-authenticate': 'Bearer' });
      expect(await visit(refusal)).toEqual([['log', 'wants', 'Bearer']]);
    });

    it('that fails', async () => {
      expect(await visit((_received, response) => reply(response, 501, 'no'))).toEqual([['log', 501, 'no', undefined]]);
    });

    it('that is not there', async () => {
      expect(await visit(() => undefined, true)).toEqual([
        ['log', expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp could not be reached: .*ECONNREFUSED/)],
      ]);
    });
  });

  it('has its answers by then: a server that wants an authorization, which somebody gives', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    jest.spyOn(console, 'info').mockImplementation(() => undefined);
    const oidc = await startOidc();
    const { url, tokens } = await startGuarded(oidc);
    const directory = temporaryFolder();
    const browse = async (page: string): Promise<void> => {
      const redirectUri = new URL(page).searchParams.get('redirect_uri') ?? '';
      await fetch(await oidc.browse(page, redirectUri));
    };
    const [, , third = ''] = closing;
    const written = await run(third, {
      oauth,
      AuthorizationError,
      loopbackRedirect: () => loopbackRedirect({ open: browse }),
      fileTokenStore: () => fileTokenStore({ directory }),
      connectHttp: (options: root.HttpOptions) => root.connectHttp({ ...options, url, eraCache: new root.EraCache() }),
    });
    expect(written).toEqual([
      ['log', expect.stringContaining(`${url} wants to be authorized at ${oidc.origin}/`)],
      ['log', expect.arrayContaining([expect.objectContaining({ name: 'look' })])],
    ]);
    expect(tokens.length).toBeGreaterThan(0);
    jest.restoreAllMocks();
  });
});

describe('an example of the guide to OAuth that closes its client', () => {
  const guide = closingIn('docs/oauth.md');
  const onRealm = (url: string) => (options: root.HttpOptions) =>
    root.connectHttp({ ...options, url, eraCache: new root.EraCache() });
  const listed = expect.arrayContaining([expect.objectContaining({ name: 'look' })]);

  it('is one of these', () => {
    expect(guide.map((text) => /(pageRedirect|clientCredentials)\(/.exec(text)?.[1])).toEqual([
      'pageRedirect',
      'clientCredentials',
    ]);
  });

  it('leaves its page, and goes on when the browser is back with the answer', async () => {
    const realm = await startRealm();
    const [page = ''] = guide;
    const kept = new Map<string, string>();
    const sessionStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    const left: ((url: string) => void)[] = [];
    const names = (location: URL) => ({
      ...{ oauth, webTokenStore, lastValueFrom, sessionStorage, location },
      history: { replaceState: () => undefined },
      connectHttp: onRealm(realm.url),
      pageRedirect: (redirectUri: URL): Partial<OAuthOptions> => ({
        redirectUri,
        open: ({ url }) => {
          left.forEach((leave) => leave(url));
          return NEVER;
        },
        leaves: true,
      }),
    });
    const clients: root.McpClient[] = [];
    const gone = new Promise<string>((resolve) => left.push(resolve));
    const first = names(new URL('https://app.example/'));
    const leaving = run(page, {
      ...first,
      connectHttp: (options: root.HttpOptions) => {
        clients.push(first.connectHttp(options));
        return clients[0];
      },
    }).catch((reason: unknown) => reason);
    const answer = await openHeadless({ url: await gone });
    expect(answer.pathname).toBe('/authorized.html');
    // With the page its scripts are gone.
    await clients[0]?.close();
    expect(await leaving).toMatchObject({ name: 'TransportClosedError' });
    expect(await run(page, names(answer))).toEqual([['log', listed]]);
    expect(realm.authorized).toHaveLength(1);
  });

  it('is a program of its own', async () => {
    const forms: URLSearchParams[] = [];
    const realm = await startRealm({
      routes: {
        '/token': ({ body }, response) => {
          forms.push(new URLSearchParams(body));
          realm.good.add('theirs');
          return reply(response, 200, { access_token: 'theirs', token_type: 'Bearer' });
        },
      },
    });
    const [, program = ''] = guide;
    const written = await run(program, {
      clientCredentials: ({ client, ...options }: Parameters<typeof clientCredentials>[0]) =>
        clientCredentials({ ...options, client: { ...client, issuer: realm.origin, clientSecret: 'secret' } }),
      connectHttp: onRealm(realm.url),
    });
    expect(written).toEqual([['log', listed]]);
    expect(forms.map((form) => [form.get('grant_type'), form.get('scope')])).toEqual([
      ['client_credentials', 'tools:read'],
    ]);
  });
});
