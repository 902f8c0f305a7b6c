// The library over HTTP, as it is built, in a page of another origin: what `spec/live/http-*` and `spec/transport/http` say of
// it in Node, as far as a page can do it. The functions that `run` gets run in the page; the servers are here.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withCors } from '../support/browser/cors.js';
import { type Files, serveFiles } from '../support/browser/files.js';
import { type Library, type LibraryPage, openLibrary } from '../support/browser/library-page.js';
import { event, type Handler, type Loopback, messageOf, reply, serve, stream } from '../support/http/loopback.js';
import { peer, TOOLS } from '../support/http/peer.js';
import { until } from '../support/http/turns.js';
import { webHandler } from '../support/http/web.js';
import { createOfficialHttp } from '../support/servers/official-http.mjs';
import { createAncestorHttp } from '../support/servers/sdk-1-http.mjs';

type Fetch = (request: Request) => Promise<Response>;

let files: Files;
let library: LibraryPage;

beforeAll(async () => {
  files = await serveFiles('spec/support/browser/library/dist');
});

afterAll(() => files.close());

beforeEach(async () => {
  library = await openLibrary(files.url);
});

afterEach(() => {
  expect(library.complaints).toEqual([]);
});

const official = (form: 'dual' | 'modern', journal: string[] = [], port = 0): Promise<Loopback> =>
  serve(withCors(webHandler(createOfficialHttp(form, journal).fetch)), port);

/** Makes the client of the page. */
const connect = ({ url }: { readonly url: string }, options: object = {}): Promise<void> =>
  library.run(
    ({ mcp, kept }: Library, given) => {
      kept.client = mcp.connectHttp({ eraCache: new mcp.EraCache(), ...given });
    },
    { url, ...options },
  );

/** Calls a tool: what it answers, or the error by its fields. */
const call = (name: string, args: object = {}): Promise<Record<string, unknown>> =>
  library.run(
    ({ kept }: Library, given) =>
      kept.client.promises.callTool(given.name, given.args).then(
        (result) => ({ ...result }),
        (reason: Error) => {
          const { name, message, cause } = reason;
          return { ...reason, name, message, cause: (cause as Error | undefined)?.name };
        },
      ),
    { name, args: args as Record<string, unknown> },
  );

const methodsOf = ({ received }: Loopback): unknown[] =>
  received
    .filter(({ method }) => method !== 'OPTIONS')
    .map((one) => (one.method === 'POST' ? messageOf(one).method : one.method));

describe.each([
  ['modern', 'modern', '2026-07-28', {}],
  ['dual', 'modern', '2026-07-28', {}],
  ['dual', 'legacy', '2025-11-25', { era: 'legacy' }],
] as const)('in a page, a server on the official handler, %s, spoken to as %s', (form, era, version, options) => {
  it('says who it is, lists, reads, renders, completes and answers a ping', async () => {
    await connect(await official(form), options);
    const all = await library.run(async ({ kept: { client } }: Library) => {
      const { promises } = client;
      const [server, tools, motto, prompt, completed, pong] = await Promise.all([
        promises.server(),
        promises.listTools(),
        promises.readResource('workshop://motto'),
        promises.getPrompt('order', { piece: 'chair', wood: 'ash' }),
        promises.complete({ type: 'ref/prompt', name: 'order' }, { name: 'wood', value: '' }),
        promises.ping(),
      ]);
      return { server, tools: tools.map(({ name }) => name).sort(), motto, prompt, completed, pong };
    }, {});
    expect(all).toMatchObject({
      server: { era, protocolVersion: version, info: { name: 'workshop' } },
      tools: ['add', 'fail', 'journal', 'saw', 'wait'],
      motto: { contents: [{ text: 'measure twice, cut once' }] },
      prompt: { messages: [{ content: { text: 'Build a chair of ash.' } }] },
      completed: { completion: { values: ['oak', 'ash'] } },
      pong: true,
    });
  });

  it('reports its progress before the result and in order, and checks its output without eval', async () => {
    await connect(await official(form), { ...options, validateOutput: 'error' });
    const seen = await library.run(async ({ kept: { client }, rx }: Library) => {
      const progress = await rx.firstValueFrom(
        client.callTool('saw', { cuts: 3 }, { observe: 'events' }).pipe(
          rx.filter((one) => one.kind !== 'log'),
          rx.map((one) => (one.kind === 'progress' ? `${one.progress}/${String(one.total)}` : one.kind)),
          rx.toArray(),
        ),
      );
      await client.promises.listTools();
      const { structuredContent } = await client.promises.callTool('add', { a: 2, b: 3 });
      return { progress, structuredContent };
    }, {});
    expect(seen).toEqual({ progress: ['1/3', '2/3', '3/3', 'result'], structuredContent: { sum: 5 } });
  });

  it('answers many calls at once, each with its own', async () => {
    await connect(await official(form), options);
    const sums = await library.run(
      ({ kept: { client } }: Library) =>
        Promise.all(Array.from({ length: 50 }, (_, a) => client.promises.callTool('add', { a, b: 1 }))),
      {},
    );
    expect(sums.map(({ structuredContent }) => structuredContent)).toEqual(
      Array.from({ length: 50 }, (_, a) => ({ sum: a + 1 })),
    );
  });

  it('may be started anew between two calls', async () => {
    const first = await official(form);
    await connect(first, options);
    expect(await call('add', { a: 1, b: 1 })).toMatchObject({ structuredContent: { sum: 2 } });
    await first.close();
    const second = await official(form, [], first.port);
    expect(await call('add', { a: 2, b: 2 })).toMatchObject({ structuredContent: { sum: 4 } });
    expect(methodsOf(second)).toEqual(['tools/call']);
  });
});

describe('in a page, a call', () => {
  it('of a modern server is given up by hanging up, which its handler observes: by unsubscribing, by a signal, by a timeout', async () => {
    const journal: string[] = [];
    const server = await official('modern', journal);
    await connect(server);
    const errors = await library.run(async ({ kept: { client }, rx }: Library) => {
      const reports$ = client.progress$;
      const nameOf = (reason: Error): string => reason.name;
      let report = rx.firstValueFrom(reports$);
      const left = client.callTool('wait', { id: 'left' }).subscribe({ error: () => undefined });
      await report;
      left.unsubscribe();
      report = rx.firstValueFrom(reports$);
      const controller = new AbortController();
      const aborted = client.promises
        .callTool('wait', { id: 'aborted' }, { signal: controller.signal })
        .then(String, nameOf);
      await report;
      controller.abort();
      report = rx.firstValueFrom(reports$);
      // Begun before its time is up, however slow the machine.
      const slow = client.promises
        .callTool('wait', { id: 'slow' }, { timeoutMs: 500, resetOnProgress: true })
        .then(String, nameOf);
      await report;
      return Promise.all([aborted, slow]);
    }, {});
    expect(errors).toEqual(['CancelledError', 'TimeoutError']);
    await until(() => journal.filter((line) => line.endsWith('aborted')).length === 3);
    expect(methodsOf(server)).not.toContain('notifications/cancelled');
  });

  it('of a server with sessions is told by a notice that it was given up', async () => {
    const journal: string[] = [];
    const server = await serve(withCors(webHandler(createAncestorHttp({ journal }).fetch)));
    await connect(server);
    await library.run(({ kept }: Library) => {
      const call$ = kept.client.callTool('count', { to: 0 });
      kept.running = call$.subscribe({ error: () => undefined });
    }, {});
    await until(() => journal.includes('started'));
    await library.run(({ kept }: Library) => kept.running.unsubscribe(), {});
    await until(() => journal.includes('aborted'));
    expect(methodsOf(server)).toContain('notifications/cancelled');
  });

  it('hears its own log messages, and not those of the calls beside it', async () => {
    await connect(await official('modern'), { logLevel: 'info' });
    const logs = await library.run(({ kept: { client }, rx }: Library) => {
      const of = (cuts: number): Promise<unknown> =>
        rx.firstValueFrom(
          client.callTool('saw', { cuts }, { observe: 'events' }).pipe(
            rx.filter((one) => one.kind === 'log'),
            rx.map(({ data }) => data),
            rx.toArray(),
          ),
        );
      return Promise.all([of(2), of(1)]);
    }, {});
    expect(logs).toEqual([['cut 1', 'cut 2'], ['cut 1']]);
  });

  it('has its stream taken up again where the server broke it off and keeps its events', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const server = await serve(withCors(webHandler(createAncestorHttp({ gate: () => gate }).fetch)));
    await connect(server);
    const result = call('hang-up');
    await server.until(() => server.received.some(({ headers }) => headers['last-event-id'] !== undefined));
    open();
    expect(await result).toMatchObject({ content: [{ text: 'polled' }] });
  });
});

describe('in a page, a server with sessions', () => {
  it('has its session in every request, and its end told', async () => {
    const ancestor = createAncestorHttp();
    const server = await serve(withCors(webHandler(ancestor.fetch)));
    await connect(server);
    expect(await call('count', { to: 2 })).toMatchObject({ content: [{ text: '2' }] });
    await server.until(() => methodsOf(server).includes('GET'));
    await library.run(({ kept: { client } }: Library) => client.close(), {});
    await server.until(() => methodsOf(server).includes('DELETE'));
    const sessions = server.received
      .filter(({ method, body }) => method !== 'OPTIONS' && !/"(server\/discover|initialize)"/.test(body))
      .map(({ headers }) => headers['mcp-session-id']);
    expect(new Set(sessions).size).toBe(1);
    expect(sessions).not.toContain(undefined);
  });

  it('that does not expose its session to pages is not spoken to for ever', async () => {
    const handler = webHandler(createAncestorHttp().fetch);
    const server = await serve((received, response, request) => {
      const answered = withCors(handler);
      response.setHeader('access-control-expose-headers', '');
      const set = response.setHeader.bind(response);
      response.setHeader = (name, value) => (name === 'access-control-expose-headers' ? response : set(name, value));
      return answered(received, response, request);
    });
    await connect(server);
    const lost = await call('count', { to: 2 });
    expect(lost).toMatchObject({ name: 'ProtocolError', message: 'Bad Request: No valid session ID provided' });
    expect(methodsOf(server).filter((method) => method === 'initialize').length).toBeLessThanOrEqual(2);
  });

  it('is followed again when it is back after an outage', async () => {
    const first = await serve(withCors(webHandler(createAncestorHttp().fetch)));
    await connect(first, { retry: { attempts: 2, firstDelayMs: 1, maxDelayMs: 10 } });
    await library.run(({ kept, rx }: Library) => {
      const lists$ = kept.client.tools$.pipe(rx.map((tools) => tools.map(({ name }) => name)));
      lists$.subscribe({ next: (names) => kept.seen.push(names), error: (reason) => kept.seen.push(String(reason)) });
      kept.pending = rx.firstValueFrom(kept.client.state$.pipe(rx.filter(({ status }) => status === 'failed')));
      return rx.firstValueFrom(lists$);
    }, {});
    await first.until(() => methodsOf(first).includes('GET'));
    await first.close();
    expect(
      await library.run(
        ({ kept }: Library) => kept.pending.then((state) => (state as { error: Error }).error.name),
        {},
      ),
    ).toBe('NetworkError');
    const get: Handler = (_received, response) => stream(response).write(': open\n\n');
    await serve(withCors(peer({ era: 'legacy', session: () => 's2', get })), first.port);
    await library.page.waitForFunction(
      () => (globalThis as unknown as { library: Library }).library.kept.seen.length === 2,
    );
    expect(await library.run(({ kept }: Library) => kept.seen, {})).toEqual([
      ['count', 'slow', 'hang-up'],
      ['pay', 'look'],
    ]);
  });
});

describe('in a page, a server that is replaced between two calls', () => {
  const KINDS = {
    modern: () => createOfficialHttp('modern').fetch,
    dual: () => createOfficialHttp('dual').fetch,
    legacy: () => createAncestorHttp().fetch,
  } as const;
  const callOf = (kind: keyof typeof KINDS) => (kind === 'legacy' ? call('count', { to: 2 }) : call('journal'));

  it.each([
    ['modern', 'legacy', 'legacy'],
    ['legacy', 'modern', 'modern'],
    ['dual', 'legacy', 'legacy'],
    ['legacy', 'dual', 'legacy'],
    ['dual', 'modern', 'modern'],
    ['modern', 'dual', 'modern'],
  ] as const)('is found out: %s, then %s', async (before, after, era) => {
    let fetch: Fetch = KINDS[before]();
    const server = await serve(withCors(webHandler((request) => fetch(request))));
    await connect(server);
    expect(await callOf(before)).toHaveProperty('content');
    fetch = KINDS[after]();
    expect(await callOf(after)).toHaveProperty('content');
    expect(await library.run(({ kept: { client } }: Library) => client.promises.era(), {})).toBe(era);
  });
});

describe('in a page, a server of 2024-11-05', () => {
  it('is found out, and spoken to over its one stream', async () => {
    let own: ReturnType<typeof stream> | undefined;
    const usual = peer({
      era: 'legacy',
      call: (_response, answer) => own?.write(event(answer, { type: 'message' })),
      rest: (_response, answer) => own?.write(event(answer, { type: 'message' })),
    });
    const server = await serve(
      withCors((received, response, request) => {
        if (received.path === '/mcp' && received.method === 'POST') return reply(response, 405);
        if (received.method === 'GET') return (own = stream(response)).write(event('/messages', { type: 'endpoint' }));
        const result = usual(received, response, request);
        return response.headersSent ? result : reply(response, 202);
      }),
    );
    await connect(server);
    expect(await call('look')).toMatchObject({ content: [{ text: 'look: grüß dich, 漢字 🦀' }] });
    expect(await library.run(({ kept: { client } }: Library) => client.promises.server(), {})).toMatchObject({
      era: 'legacy',
    });
    expect(methodsOf(server)).toEqual(expect.arrayContaining(['GET', 'initialize', 'tools/call']));
  });
});

describe('in a page, the options of a client', () => {
  it('put headers on everything, and never displace those of the protocol', async () => {
    const get: Handler = (_received, response) => stream(response).write(': open\n\n');
    const server = await serve(withCors(peer({ era: 'legacy', session: () => 's1', get }), ['X-Tenant']));
    await connect(server, { headers: { 'X-Tenant': 'blue', 'Content-Type': 'text/plain' } });
    await call('pay');
    await server.until(() => methodsOf(server).includes('GET'));
    await library.run(({ kept: { client } }: Library) => client.close(), {});
    await server.until(() => methodsOf(server).includes('DELETE'));
    const sent = server.received.filter(({ method }) => method !== 'OPTIONS');
    expect(new Set(sent.map(({ headers }) => headers['x-tenant']))).toEqual(new Set(['blue']));
    const posted = sent.filter(({ method }) => method === 'POST').map(({ headers }) => headers['content-type']);
    expect(new Set(posted)).toEqual(new Set(['application/json']));
  });

  it('mirror arguments into headers, whatever characters are in them', async () => {
    const tools = [
      {
        name: 'where',
        inputSchema: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
      },
    ];
    const usual = peer({ era: 'modern' });
    const server = await serve(
      withCors(
        (received, response, request) => {
          const { id, method } = messageOf(received);
          if (method === 'tools/list') return reply(response, 200, { jsonrpc: '2.0', id, result: { tools } });
          return usual(received, response, request);
        },
        ['Mcp-Param-City'],
      ),
    );
    await connect(server);
    await call('where', { city: 'Kjøbenhavn' });
    const field = server.received.at(-1)?.headers['mcp-param-city'];
    expect(field).toBe(`=?base64?${Buffer.from('Kjøbenhavn').toString('base64')}?=`);
  });

  it('renew a token that is refused, once for the calls that wait', async () => {
    const usual = peer({ era: 'modern' });
    const server = await serve(
      withCors((received, response, request) =>
        received.headers['authorization'] === 'Bearer b'
          ? usual(received, response, request)
          : reply(response, 401, '', { 'www-authenticate': 'Bearer realm="mcp"' }),
      ),
    );
    const seen = await library.run(
      async ({ mcp }: Library, { url }) => {
        const challenges: unknown[] = [];
        let token = 'a';
        const authProvider = {
          token: () => token,
          onUnauthorized: ({ challenge }: { challenge: unknown }) => {
            challenges.push(challenge);
            token = 'b';
            return true;
          },
        };
        const client = mcp.connectHttp({ url, authProvider, eraCache: new mcp.EraCache() });
        const results = await Promise.all([1, 2, 3].map(() => client.promises.callTool('look')));
        return { challenges, results: results.length };
      },
      { url: server.url },
    );
    expect(seen).toEqual({ challenges: ['Bearer realm="mcp"'], results: 3 });
  });

  it('take a stream for dead that is silent for longer than keepAliveMs', async () => {
    const silent = peer({ era: 'modern', call: (response) => stream(response).write(': begun\n\n') });
    await connect(await serve(withCors(silent)), { keepAliveMs: 30, requestTimeoutMs: 0, maxTotalMs: 0 });
    expect(await call('pay')).toMatchObject({ name: 'OutcomeUnknownError', cause: 'NetworkError' });
  });

  it('take a fetch of the page’s own', async () => {
    const server = await serve(withCors(peer({ era: 'modern' })));
    const methods = await library.run(
      async ({ mcp }: Library, { url }) => {
        const seen: unknown[] = [];
        const own = (input: string, init?: RequestInit): Promise<Response> => {
          seen.push(init?.method);
          return fetch(input, init);
        };
        await mcp.connectHttp({ url, fetch: own, eraCache: new mcp.EraCache() }).promises.callTool('pay');
        return seen;
      },
      { url: server.url },
    );
    expect(methods.length).toBe(server.received.filter(({ method }) => method === 'POST').length);
  });
});

describe('in a page, what a server gets wrong', () => {
  it('is said where it does not let the page in', async () => {
    const server = await serve(peer({ era: 'modern' }));
    await connect(server);
    expect(await call('look')).toMatchObject({
      name: 'NetworkError',
      message: `${server.url} could not be reached, or the connection to it broke: Failed to fetch`,
    });
  });

  it('is an HttpError with status 0 where it redirects, since a browser hides where to', async () => {
    await connect(await serve(withCors((_received, response) => reply(response, 307, '', { location: '/elsewhere' }))));
    expect(await call('look')).toMatchObject({ name: 'HttpError', status: 0 });
  });

  it('is an HttpError with its body, status and Retry-After', async () => {
    await connect(
      await serve(withCors((_received, response) => reply(response, 503, 'tired', { 'retry-after': '3600' }))),
      { retry: { attempts: 1 } },
    );
    expect(await call('look')).toMatchObject({
      name: 'HttpError',
      status: 503,
      body: 'tired',
      retryAfterMs: 3_600_000,
    });
  });

  it('does not cut characters, however the body comes, in an event stream or as JSON', async () => {
    for (const how of ['json', 'stream'] as const) {
      const server = await serve(
        withCors(
          peer({
            era: 'modern',
            call: async (response, answer) => {
              const text = how === 'json' ? JSON.stringify(answer) : event(answer);
              response.writeHead(200, { 'content-type': how === 'json' ? 'application/json' : 'text/event-stream' });
              for (const byte of Buffer.from(text)) await new Promise((done) => response.write(Buffer.of(byte), done));
              response.end();
            },
          }),
        ),
      );
      await connect(server);
      expect(await call('look')).toMatchObject({ content: [{ text: 'look: grüß dich, 漢字 🦀' }] });
    }
  });

  it('is a MessageTooLargeError where an answer is too large, and other calls go on', async () => {
    const handler = peer({
      era: 'modern',
      call: (response, answer) => reply(response, 200, { ...answer, padding: 'x'.repeat(5_000) }),
    });
    await connect(await serve(withCors(handler)), { maxMessageBytes: 4_000 });
    expect(await call('look')).toMatchObject({ name: 'MessageTooLargeError' });
    const tools = await library.run(
      ({ kept: { client } }: Library) => client.promises.listTools({ refresh: true }),
      {},
    );
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  });
});
