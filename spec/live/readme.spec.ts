// The examples of the README and the guides that close their client, run as they stand there: nothing they begin is cut off.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
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
import {
  faultyTransport,
  type FixtureServer,
  fixtureServer,
  marbles,
  replay,
  scriptedTransport,
} from '../../src/testing/index.js';
import { loadRecording, recordTo } from '../../src/testing/node/index.js';
import { examplesIn, scriptsIn } from '../support/documents.js';
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
  const console = { log: log('log'), error: log('error'), warn: log('warn') };
  await runnable(text)({ ...rxjs, ...root, fixtureServer, ...names, console });
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
  const sent: string[] = [];
  return {
    started,
    /** The methods of what the examples sent. */
    sent,
    connectStdio: (options: StdioOptions) => {
      started.push(options);
      const mcp = connectStdio({ ...options, ...everythingAt, eraCache: new root.EraCache() });
      mcp.wire$.subscribe(({ direction, message }) => {
        if (direction === 'out' && 'method' in message) sent.push(message.method);
      });
      return mcp;
    },
  };
};
const PUBLISHED = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] };

describe('the test of an application that the README shows', () => {
  const text = exampleIn('README.md', "'node:test'");

  const runTest = async (example: string): Promise<unknown> => {
    const ran: [string, Promise<void>][] = [];
    const test = (title: string, body: () => Promise<void>): void => void ran.push([title, body()]);
    await run(example, { assert, test });
    const [[title, outcome] = ['', undefined]] = ran;
    await outcome;
    return title;
  };

  it('has at most ten lines, and passes', async () => {
    const body = text.slice(text.indexOf('test(')).trimEnd().split('\n');
    expect(body.length).toBeLessThanOrEqual(10);
    expect(await runTest(text)).toBe('a forecast says what the server said');
  });

  it('fails where the application is wrong', async () => {
    const wrong = text.replace("callTool('weather', { city })", "callTool('weather', { city: 'Rome' })");
    expect(wrong).not.toBe(text);
    await expect(runTest(wrong)).rejects.toThrow(assert.AssertionError);
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
    const text = exampleIn(document, 'padEnd(');
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

describe('the call that the README cancels', () => {
  it('reports, has no result, and the server hears of it', async () => {
    const names = onEverything();
    const text = exampleIn('README.md', "console.log('cancelled')");
    // In place of four seconds: until something was reported.
    const hurried = text.replace('timer(4_000)', 'reported$').replace('duration: 10', 'duration: 0.5');
    const reported$ = new rxjs.Subject<unknown>();
    const written = await lines(hurried, {
      ...names,
      reported$: reported$.pipe(rxjs.delay(0)),
      connectStdio: (options: StdioOptions) => {
        const mcp = names.connectStdio(options);
        mcp.progress$.subscribe(reported$);
        return mcp;
      },
    });
    expect(names.started).toEqual([PUBLISHED]);
    expect(written.at(-1)).toBe('cancelled');
    expect(written.length).toBeGreaterThan(1);
    expect(new Set(written.slice(0, -1))).toEqual(new Set(['progress']));
    expect(names.sent.at(-1)).toBe('notifications/cancelled');
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

  it('has its answer: a client that remembers eras for itself; those that are not used start nothing', async () => {
    const names = onEverything();
    expect(await lines(exampleIn(guide, "'old-server'"), names)).toEqual([['legacy', '2025-11-25']]);
    expect(names.started.map(({ command }) => command)).toEqual(['old-server', 'slow-server', 'npx']);
    expect(names.sent.filter((method) => method === 'initialize')).toHaveLength(1);
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

describe('an example of testing', () => {
  const guide = (having: string): string => exampleIn('docs/testing.md', having);

  it('has the answer of a script, and what was asked', async () => {
    const [[content, sent] = []] = (await lines(guide('scriptedTransport({'), { scriptedTransport })) as unknown[][];
    expect(content).toEqual([{ type: 'text', text: 'forty-two' }]);
    expect(sent).toEqual(expect.arrayContaining([expect.objectContaining({ method: 'tools/call' })]));
  });

  it('has its faults, and calls that outlive them', async () => {
    const written = await lines(guide("kind: 'cut'"), { faultyTransport });
    const two = [{ type: 'text', text: expect.stringContaining('2') }];
    expect(written).toContainEqual(['cut', 3]);
    expect(written.filter((line) => !isFault(line))).toEqual([expect.anything(), expect.anything(), two]);
  });

  it('keeps what a real server said, and plays it again without one', async () => {
    const directory = temporaryFolder();
    const names = onEverything();
    const file = (name: string): string => join(directory, name);
    const written = await lines(guide('recordTo('), {
      ...names,
      replay,
      recordTo: (name: string, connector: root.Connector) => recordTo(file(name), connector),
      loadRecording: (name: string) => loadRecording(file(name)),
    });
    expect(names.started).toEqual([{ ...PUBLISHED, wire: expect.any(Function) }]);
    const answer = expect.objectContaining({ content: [{ type: 'text', text: 'Echo: hello' }] });
    expect(written).toEqual([answer, answer]);
  });

  it('holds in virtual time, and would not hold of another answer', async () => {
    const text = guide("'300ms (r|)'");
    await run(text, { marbles });
    await expect(run(text.replace("'3 steps'", "'4 steps'"), { marbles })).rejects.toThrow();
  });

  it.each([
    ['a progress bar', 'percent(', 'c: 75', 'c: 74'],
    ['a live list', '[2_500, 9]', '[2_500, 9]', '[2_501, 9]'],
    ['a tool loop', "content: 'sunny'", "content: 'sunny'", "content: 'rainy'"],
    ['a wire that goes wrong', 'const faults =', "'250ms (a|)'", "'251ms (a|)'"],
  ])('holds, and would not hold of another answer: %s', async (_what, having, right, wrong) => {
    const text = guide(having);
    const names = { assert, marbles, faultyTransport };
    await run(text, names);
    expect(text).toContain(right);
    await expect(run(text.replace(right, wrong), names)).rejects.toThrow();
  });

  it('holds in CommonJS', async () => {
    const [text = '', ...others] = scriptsIn('docs/testing.md');
    expect(others).toEqual([]);
    const known: Readonly<Record<string, unknown>> = {
      'node:assert/strict': assert,
      'rx-mcp': root,
      'rx-mcp/testing': { fixtureServer },
    };
    const module: { exports?: Promise<void> } = {};
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    const program = new Function('require', 'module', text) as (...given: unknown[]) => void;
    program((name: string) => known[name], module);
    await expect(module.exports).resolves.toBeUndefined();
  });
});

/** Whether a line was written of a fault. */
const isFault = (line: unknown): boolean => Array.isArray(line) && ['delay', 'cut'].includes(String(line[0]));

/** The connections of an example, all to a server in this process; `servers` are those it made. */
const inProcess = (server?: FixtureServer) => {
  const servers: FixtureServer[] = server === undefined ? [] : [server];
  const made = (...options: Parameters<typeof fixtureServer>): FixtureServer => {
    const one = fixtureServer(...options);
    servers.push(one);
    return one;
  };
  const connectTo = () => root.connectInMemory(server ?? made());
  return { servers, fixtureServer: made, connectStdio: connectTo, connectHttp: connectTo };
};
const said = (text: string) => [{ type: 'text', text }];

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
    ['searches for what was typed last', 'debounceTime(200)', [said('rxjs')]],
    ['waits for a tick of the clock', 'interval(100)', [said('one'), said('two'), said('three')]],
    ['looks until it is done', 'exhaustMap(', [2, 1, 0]],
    ['has both at once, though one fails', 'forkJoin({', [{ echo: said('rx'), fail: 'failed' }]],
    ['counts the tools of both servers', 'combineLatest(', [18]],
    ['takes the first answer', 'race(', [said('1 steps')]],
    ['stops what hangs', 'takeUntil(timer(100))', ['stopped']],
    ['makes one call for two who look', 'shareReplay(', [[1, said('report')]]],
  ])('%s', async (_title, having, expected) => {
    const names = inProcess();
    expect(await lines(recipe(having), names)).toEqual(expected);
    expect(names.servers.length).toBeGreaterThan(0);
    for (const { working } of names.servers) expect(working).toBe(0);
    const called = names.servers.flatMap(({ received }) =>
      received.filter((one) => 'method' in one && one.method === 'tools/call'),
    );
    if (having === 'shareReplay(') expect(called).toHaveLength(1);
  });

  it('runs two at a time, and tells which answer is whose', async () => {
    const written = await lines(recipe("'four'"), inProcess());
    expect(written).toEqual(['one', 'two', 'three', 'four'].map((message) => [message, said(message)]));
  });

  it('draws one bar for many calls, which grows', async () => {
    const percents = (await lines(recipe('range(0, 3)'), inProcess())).map((line) => Number.parseInt(String(line)));
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect([percents.length, percents.at(-1)]).toEqual([12, 100]);
  });

  it('does not fill its bar for a call that failed', async () => {
    const names = inProcess();
    const failing = () =>
      names
        .fixtureServer({ builtIns: false })
        .tool('slow', { description: 'Fails' }, () => ({ content: [], isError: true }));
    expect(await lines(recipe('range(0, 3)'), { ...names, fixtureServer: failing })).toEqual([]);
  });

  it('is one of these', () => {
    expect(closingIn('docs/cookbook.md')).toHaveLength(11);
  });
});

describe('an example of a guide', () => {
  it('makes a card of the events of a call, and the last one always comes', async () => {
    const text = exampleIn('docs/progress.md', 'auditTime');
    const cards = await lines(text, { setTimeout });
    expect(cards.at(-1)).toEqual({ part: 1, text: 'done', done: true });
    // What was reported long before the end is seen.
    expect(cards).toContainEqual({ part: 0.5, text: 'kneading', done: false });
  });

  it('shows the logs and reports of a call', async () => {
    expect(await lines(exampleIn('docs/progress.md', "event.kind === 'log'"))).toEqual([
      ['info', 'begun'],
      [1, 3, 'step 1'],
      [2, 3, 'step 2'],
      [3, 3, 'step 3'],
      said('3 steps'),
    ]);
  });

  it('tells how far all calls of a client are', async () => {
    const written = await lines(exampleIn('docs/progress.md', 'progress$.subscribe'));
    expect([...written].sort()).toEqual(
      ['slow: 1 of 2', 'slow: 2 of 2', 'slow: 1 of 3', 'slow: 2 of 3', 'slow: 3 of 3'].sort(),
    );
  });

  it('gives up a call when its signal is aborted', async () => {
    const text = exampleIn('docs/calling.md', 'AbortSignal').replace('2_000', '1');
    const names = onEverything();
    expect(await lines(text, names)).toEqual([['given up:', expect.objectContaining({ name: 'TimeoutError' })]]);
    expect(names.started).toEqual([{ ...PUBLISHED, requestTimeoutMs: 30_000 }]);
  });

  it('follows a list and a resource, and says what must be approved again', async () => {
    const written = await lines(exampleIn('docs/live-lists.md', 'take(2)'));
    expect(written).toEqual(
      expect.arrayContaining([
        9,
        ['new:', 'late'],
        10,
        [expect.objectContaining({ uri: 'fixture://text', text: 'Hello' })],
      ]),
    );
    expect(written).toHaveLength(4);
  });

  it('shows what a server logs, and the notification that it was', async () => {
    expect(await lines(exampleIn('docs/notifications.md', "'notifications/message'"))).toEqual(
      expect.arrayContaining([
        ['error', 'fixture', 'out of paper'],
        ['as it came:', expect.objectContaining({ level: 'error', data: 'out of paper' })],
      ]),
    );
  });

  it('has a badge for each state, also where nobody is there', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const connectHttp = () => root.connectHttp({ url: server.url, eraCache: new root.EraCache() });
    expect(await lines(exampleIn('docs/notifications.md', 'badge$'), { connectHttp })).toEqual([
      'idle',
      'connecting',
      expect.stringMatching(/^failed: .*could not be reached/),
      'closed',
    ]);
  });

  it('answers what a server asks', async () => {
    const written = await lines(exampleIn('docs/rounds.md', 'onElicitUrl'));
    expect(written).toEqual([
      ['fixture', 'asks:', 'Who are you?', expect.stringContaining('"name"')],
      [expect.objectContaining({ text: expect.stringContaining('Ada') })],
      ['open', expect.stringMatching(/^https:/), 'of', 'example.com', ''],
      [expect.objectContaining({ text: expect.stringContaining('decline') })],
      [expect.objectContaining({ text: expect.stringContaining('file:///srv/project') })],
    ]);
  });

  it('hands questions back, and carries on with the answers', async () => {
    const written = await lines(exampleIn('docs/rounds.md', "onInput: 'return'"));
    expect(written).toEqual([
      expect.anything(),
      [expect.objectContaining({ text: expect.stringContaining('the seventh') })],
    ]);
  });

  it('keeps lists for two clients', async () => {
    const server = fixtureServer();
    await run(exampleIn('docs/live-lists.md', 'MemoryCacheStore({ maxEntries'), inProcess(server));
    expect(server.connections).toBe(0);
  });

  it('calls the tools of a registry', async () => {
    expect(await lines(exampleIn('docs/registry.md', 'desk_sign'), inProcess())).toEqual([
      ['call_1', 'hello'],
      ['call_2', 'signed, the user'],
    ]);
  });

  it('asks before it calls', async () => {
    expect(await lines(exampleIn('docs/hosts.md', 'confirming'), inProcess())).toEqual([
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
    expect(await lines(exampleIn('docs/hosts.md', 'toolFingerprint'), inProcess())).toEqual([
      ['pay', true],
      ['refund', false],
    ]);
  });

  it('is the same program on the official client, and here', async () => {
    const names = onEverything();
    const hurried = (having: string): string =>
      exampleIn('docs/migrating.md', having).replace('duration: 2', 'duration: 0.2');
    const here = await lines(hurried('connectStdio({'), names);
    class OnDisk extends StdioClientTransport {
      constructor(options: { readonly command: string; readonly args: string[] }) {
        expect(options).toEqual(PUBLISHED);
        super({ command: everythingAt.command, args: [] });
      }
    }
    const there = await lines(hurried('new Client('), { Client, StdioClientTransport: OnDisk });
    const done = [expect.any(Number), [{ type: 'text', text: expect.stringContaining('completed') }]];
    expect(here).toEqual([...[1, 2, 3, 4].map((step) => [step, 4]), done]);
    // The official client loses reports that come right before their result.
    expect(there.at(-1)).toEqual(here.at(-1));
    expect(here).toEqual(expect.arrayContaining([...there]));
    expect(names.started).toEqual([expect.objectContaining(PUBLISHED)]);
  });
});

describe('an example of the README', () => {
  it('follows a list that changes, the state, and the logs', async () => {
    expect(await lines(exampleIn('README.md', 'mcp.logs$'))).toEqual([
      'idle',
      'connecting',
      'connected',
      9,
      10,
      ['info', 'a message'],
      'closed',
    ]);
  });

  it('answers what a server asks', async () => {
    expect(await lines(exampleIn('README.md', 'onElicit:'))).toEqual([
      ['Who are you?', expect.objectContaining({ type: 'object' })],
      [expect.objectContaining({ text: expect.stringContaining('Ada') })],
    ]);
  });

  it.each(['README.md', 'docs/llm-bridge.md'])(
    'lets a model call tools, though one server is missing: %s',
    async (document) => {
      const names = onEverything();
      const asked: { messages: { role: string }[]; tools: { function: { name: string } }[] }[] = [];
      const call = {
        id: 'call_1',
        type: 'function',
        function: { name: 'desk_sign', arguments: '{"text":"All is well"}' },
      };
      class OpenAI {
        readonly chat = {
          completions: {
            create: async (request: (typeof asked)[number]) => {
              asked.push({ ...request, messages: [...request.messages] });
              const message =
                asked.length === 1
                  ? { role: 'assistant', content: null, tool_calls: [call] }
                  : { role: 'assistant', content: 'Signed.' };
              return { choices: [{ message }] };
            },
          },
        };
      }
      const server = await serve(() => undefined);
      await server.close();
      const connectHttp = () => root.connectHttp({ url: server.url, eraCache: new root.EraCache() });
      const written = await run(exampleIn(document, 'new OpenAI()'), { ...names, OpenAI, connectHttp });
      const missing = ['warn', 'web is missing:', expect.any(root.NetworkError)];
      expect(written).toEqual([missing, ['log', null], missing, ['log', 'Signed.']]);
      expect(asked[0]?.tools.map((tool) => tool.function.name)).toEqual(
        expect.arrayContaining(['desk_sign', 'everything_echo']),
      );
      expect(asked[1]?.messages.at(-1)).toMatchObject({
        role: 'tool',
        tool_call_id: 'call_1',
        content: 'All is well -- signed, the user',
      });
    },
  );

  it('says whom it talks to over HTTP', async () => {
    const server = await serve(peer({ era: 'modern' }));
    const connectHttp = (options: root.HttpOptions) =>
      root.connectHttp({ ...options, url: server.url, eraCache: new root.EraCache() });
    const text = exampleIn('README.md', "'X-Tenant'");
    expect(await lines(text, { connectHttp })).toEqual([[expect.anything(), 'modern']]);
  });

  it('says that there is no such file of servers', async () => {
    const nowhere = join(temporaryFolder(), '.mcp.json');
    const written = await run(exampleIn('README.md', 'openConfig('), { openConfig: () => openConfig(nowhere) });
    expect(written).toEqual([['warn', expect.stringContaining('.mcp.json')]]);
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
