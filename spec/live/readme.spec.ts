// The examples of the README and the guides that close their client, run as they stand there: nothing they begin is cut off.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/server';
import * as rxjs from 'rxjs';
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
import { openConfig } from '../../src/config/index.js';
import * as root from '../../src/index.js';
import { openHeadless } from '../support/auth/headless.js';
import { startRealm } from '../support/auth/realm.js';
import { fixtureServer, scriptedTransport } from '../../src/testing/index.js';
import { examplesIn } from '../support/documents.js';
import { startOidc } from '../support/auth/oidc.js';
import { startGuarded } from '../support/auth/guarded.js';
import { type Handler, reply, serve } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(60_000);

/** The examples of a document that close their client, or what holds it, and run here. */
const closingIn = (path: string): readonly string[] =>
  examplesIn(path).filter((text) => text.includes('.close()') || /^(?:await using|await toolkit)\b/m.test(text));
/** The one example of a document that has a text in it. */
const exampleIn = (path: string, having: string): string => {
  const [found, ...others] = examplesIn(path).filter((text) => text.includes(having));
  if (found === undefined || others.length > 0) throw new Error(`not one example with ${having}`);
  return found;
};

type Run = (names: object) => Promise<void>;

/** An example as a function of what it imports: of RxJS and the root what has that name, else what is given. */
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
  await runnable(text)({ ...rxjs, ...root, ...names, console: { log: log('log'), error: log('error') } });
  return written;
};
/** What an example wrote by `console.log`. */
const lines = async (text: string, names: object = {}): Promise<readonly unknown[]> =>
  (await run(text, names)).map(([, ...what]) => (what.length === 1 ? what[0] : what));

const everythingAt: Pick<StdioOptions, 'command' | 'args'> = {
  command: fileURLToPath(new URL('../../node_modules/.bin/mcp-server-everything', import.meta.url)),
  args: [],
};
/** `connectStdio` for examples that name the published server: what they asked for, and the same server from the disk. */
const onEverything = () => {
  const started: StdioOptions[] = [];
  return {
    started,
    connectStdio: (options: StdioOptions) => {
      started.push(options);
      return connectStdio({ ...options, ...everythingAt, eraCache: new root.EraCache() });
    },
  };
};
const PUBLISHED = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] };

describe('the test of an application that the README shows', () => {
  const text = exampleIn('README.md', 'fixtureServer()');
  const forecast = async (mcp: root.McpClient, city: string): Promise<unknown> => {
    const { content } = await mcp.promises.callTool('weather', { city });
    return (content as { text?: string }[])[0]?.text;
  };

  const runTest = async (application: typeof forecast): Promise<unknown> => {
    const ran: [string, Promise<void>][] = [];
    const test = (title: string, body: () => Promise<void>): void => void ran.push([title, body()]);
    await run(text, { assert, test, fixtureServer, forecast: application });
    const [[title, outcome] = ['', undefined]] = ran;
    await outcome;
    return title;
  };

  it('has at most ten lines, and passes', async () => {
    const body = text.slice(text.indexOf('test(')).trimEnd().split('\n');
    expect(body.length).toBeLessThanOrEqual(10);
    expect(await runTest(forecast)).toBe('a forecast says what the server said');
  });

  it('fails where the application is wrong', async () => {
    await expect(runTest(() => Promise.resolve('Paris: rain'))).rejects.toThrow(assert.AssertionError);
  });
});

describe.each([
  ['README.md', 'callTool('],
  ['docs/calling.md', 'callTool('],
])('the first call of %s', (document) => {
  it('has its answers when its client is closed, from the server it names', async () => {
    const names = onEverything();
    const written = await run(exampleIn(document, "callTool('echo'"), names);
    expect(names.started).toEqual([PUBLISHED]);
    expect(written).toEqual([
      ['log', [{ type: 'text', text: 'Echo: hello' }]],
      ['log', expect.arrayContaining(['echo'])],
    ]);
  });
});

describe.each(['README.md', 'docs/progress.md'])('the bar of %s', (document) => {
  it('moves to its end', async () => {
    const names = onEverything();
    const text = exampleIn(document, 'trigger-long-running-operation');
    const hurried = text.replace('duration: 5', 'duration: 0.5');
    expect(hurried).not.toBe(text);
    const drawn: string[] = [];
    const process = { stdout: { write: (bar: string) => drawn.push(bar) } };
    const written = await lines(hurried, { ...names, process });
    expect(names.started).toEqual([PUBLISHED]);
    expect(drawn).toEqual(Array.from({ length: 10 }, (_, index) => `\r${'##'.repeat(index + 1).padEnd(20, '.')}`));
    expect(written).toEqual([['\n', [{ type: 'text', text: expect.stringContaining('completed') }]]]);
  });
});

describe('an example of connecting', () => {
  const guide = 'docs/connecting.md';

  it('has its answer: a process', async () => {
    const names = onEverything();
    expect(await lines(exampleIn(guide, 'protocolVersion);\n\nawait mcp.close()'), names)).toEqual([
      ['mcp-servers/everything', 'legacy', '2025-11-25'],
    ]);
    expect(names.started).toEqual([PUBLISHED]);
  });

  it('has its answer: a server of the official SDK in this process', async () => {
    expect(await lines(exampleIn(guide, 'connectInMemory(server)'), { McpServer })).toEqual(['legacy']);
  });

  describe('has its answers, or says why not: a server behind a URL', () => {
    const visit = async (handler: Handler, isDown = false): Promise<unknown> => {
      const second = exampleIn(guide, "'wants'");
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
    const third = exampleIn(guide, 'authProvider.states$');
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
      ...{ oauth, webTokenStore, lastValueFrom: rxjs.lastValueFrom, sessionStorage, location },
      history: { replaceState: () => undefined },
      connectHttp: onRealm(realm.url),
      pageRedirect: (redirectUri: URL): Partial<OAuthOptions> => ({
        redirectUri,
        open: ({ url }) => {
          left.forEach((leave) => leave(url));
          return rxjs.NEVER;
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

describe('an example that plays a server by script', () => {
  it('has the answer, and what was asked', async () => {
    const [[content, sent] = []] = (await lines(exampleIn('README.md', 'scriptedTransport({'), {
      scriptedTransport,
    })) as unknown[][];
    expect(content).toEqual([{ type: 'text', text: 'forty-two' }]);
    expect(sent).toEqual(expect.arrayContaining([expect.objectContaining({ method: 'tools/call' })]));
  });
});

/** A server for the examples that name `my-server`, in this process. */
const myServer = () => {
  let left = 3;
  return fixtureServer()
    .tool('search', { description: 'Searches' }, ({ query }) => `found ${String(query)}`)
    .tool('status', { description: 'Counts down' }, () => ({ done: (left -= 1) === 0, left }))
    .tool('crawl', { description: 'Crawls' }, async (_args, { progress }) => progress(1, 2));
};
/** The connections of an example, all to such a server. */
const onMyServer = (server = myServer()) => ({
  server,
  fixtureServer,
  connectStdio: () => root.connectInMemory(server),
  connectHttp: () => root.connectInMemory(server),
});
const found = (query: string) => [{ type: 'text', text: `found ${query}` }];

describe('a recipe of the cookbook', () => {
  const recipe = (having: string) => exampleIn('docs/cookbook.md', having);

  it('retries what did not run, and nothing else', async () => {
    const answering = peer({ era: 'modern' });
    const statuses = [503, 503];
    let calls = 0;
    const server = await serve((received, response, request) => {
      if (!received.body.includes('"tools/call"')) return answering(received, response, request);
      calls += 1;
      const status = statuses.shift();
      return status === undefined ? answering(received, response, request) : reply(response, status, 'busy');
    });
    const connectHttp = (options: root.HttpOptions) =>
      root.connectHttp({ ...options, url: server.url, eraCache: new root.EraCache() });
    const quick = recipe('didNotRun').replace('timer(100 *', 'timer(0.1 *');
    expect(await lines(quick, { connectHttp })).toEqual([[expect.objectContaining({ type: 'text' })]]);
    expect(calls).toBe(3);
    statuses.push(500);
    await expect(lines(quick, { connectHttp })).rejects.toMatchObject({ name: 'HttpError', status: 500 });
    expect(calls).toBe(4);
  });

  it.each<readonly [title: string, having: string, expected: readonly unknown[]]>([
    ['searches for what was typed last', 'debounceTime(200)', [found('rxjs')]],
    ['waits for a tick of the clock', 'interval(100)', [found('one'), found('two'), found('three')]],
    ['looks until it is done', 'exhaustMap(', [2, 1, 0]],
    ['has both at once', 'forkJoin({', [{ search: found('rx'), status: [expect.objectContaining({ type: 'text' })] }]],
    ['counts the tools of both servers', 'combineLatest(', [24]],
    ['takes the first answer', 'race(', [found('rx')]],
    ['stops what hangs', 'takeUntil(timer(100))', ['stopped']],
  ])('%s', async (_title, having, expected) => {
    const { server, ...names } = onMyServer();
    expect(await lines(recipe(having), names)).toEqual(expected);
    expect(server.working).toBe(0);
  });

  it('runs two at a time, and tells which answer is whose', async () => {
    const written = await lines(recipe("'four'"), onMyServer());
    expect(written).toEqual(['one', 'two', 'three', 'four'].map((query) => [query, found(query)]));
  });

  it('makes one call for two who look', async () => {
    const { server, ...names } = onMyServer();
    expect(await lines(recipe('shareReplay('), names)).toEqual([[1, found('report')]]);
    const called = server.received.filter((message) => 'method' in message && message.method === 'tools/call');
    expect(called).toHaveLength(1);
  });

  it('draws one bar for many calls, which grows', async () => {
    const percents = (await lines(recipe('range(0, 3)'), onMyServer())).map((line) => Number.parseInt(String(line)));
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect([percents.length, percents.at(-1)]).toEqual([6, 100]);
  });

  it('is one of these', () => {
    expect(closingIn('docs/cookbook.md')).toHaveLength(11);
  });
});

describe('an example of a guide', () => {
  it('makes a card of the events of a call, and the last one always comes', async () => {
    const cards = await lines(exampleIn('docs/progress.md', 'auditTime'), onMyServer());
    expect(cards.at(-1)).toEqual({ part: 1, text: 'done', done: true });
  });

  it('gives up a call when its signal is aborted', async () => {
    const text = exampleIn('docs/calling.md', 'AbortSignal').replace('2_000', '1');
    const server = fixtureServer().tool('crawl', { description: 'Never ends' }, () => rxjs.NEVER);
    expect(await lines(text, onMyServer(server))).toEqual([
      ['given up:', expect.objectContaining({ name: 'TimeoutError' })],
    ]);
  });

  it('keeps lists for two clients', async () => {
    const { server, ...names } = onMyServer();
    await run(exampleIn('docs/live-lists.md', 'MemoryCacheStore({ maxEntries'), names);
    expect(server.connections).toBe(0);
  });

  it('calls the tools of a registry', async () => {
    expect(await lines(exampleIn('docs/registry.md', 'desk_sign'), onMyServer())).toEqual([
      ['call_1', 'hello'],
      ['call_2', 'signed, the user'],
    ]);
  });

  it('asks before it calls', async () => {
    expect(await lines(exampleIn('docs/hosts.md', 'confirming'), onMyServer())).toEqual([
      ['may this be called?', 'send', '{"to":"everybody"}'],
      ['call_1', 'seen'],
      ['call_2', expect.stringContaining('did not allow')],
    ]);
  });

  it('logs what was called', async () => {
    expect(await lines(exampleIn('docs/hosts.md', "'called'"))).toEqual([
      ['called', 'bake', '{"size":2}'],
      ['ended', 'call_1', 'well'],
    ]);
  });

  it('knows a tool that was approved', async () => {
    expect(await lines(exampleIn('docs/hosts.md', 'toolFingerprint'), onMyServer())).toEqual([
      ['pay', true],
      ['refund', false],
    ]);
  });

  it('is the same program on the official client, and here', async () => {
    const server = fixtureServer({ era: 'legacy' }).tool(
      'export',
      { description: 'Exports' },
      async (_, { progress }) => {
        progress(1, 2);
        progress(2, 2);
        return 'exported';
      },
    );
    const here = await lines(exampleIn('docs/migrating.md', 'connectStdio({'), onMyServer(server));
    expect(here).toEqual([
      [1, 2],
      [2, 2],
      [expect.any(Number), [{ type: 'text', text: 'exported' }]],
    ]);
  });
});

describe('an example of the README', () => {
  it('says whom it talks to over HTTP', async () => {
    const server = await serve(peer({ era: 'modern' }));
    const connectHttp = (options: root.HttpOptions) =>
      root.connectHttp({ ...options, url: server.url, eraCache: new root.EraCache() });
    const text = exampleIn('README.md', "'X-Tenant'");
    expect(await lines(text, { connectHttp })).toEqual([[expect.anything(), 'modern']]);
  });

  it('starts the servers of a config, says how they are, and ends them', async () => {
    const opened: unknown[] = [];
    const text = exampleIn('README.md', 'openConfig(');
    const written = await lines(text, {
      openConfig: (...options: unknown[]) => {
        opened.push(options);
        return openConfig({ mcpServers: { everything: { ...everythingAt, args: [] } } });
      },
    });
    expect(opened).toEqual([['.mcp.json', { watch: true }]]);
    expect(written).toEqual([['everything', 'connected', '']]);
  });
});
