// Servers that answer in every way HTTP allows, and some that it does not.
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { createBrotliCompress, createDeflate, createGzip, gzipSync, type Gzip } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { connectHttp, EraCache, type HttpOptions, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';
import { event, type Loopback, messageOf, reply, serve, stream } from '../support/http/loopback.js';
import { asJson, asStream, peer, type PeerOptions, type Writing } from '../support/http/peer.js';
import { nextTurn } from '../support/http/turns.js';

jest.setTimeout(30_000);

const ERAS = ['modern', 'legacy'] as const;

const client = ({ url }: Loopback, options: Partial<HttpOptions> = {}): McpClient =>
  closing(connectHttp({ url, eraCache: new EraCache(), ...options }));

const start = async (options: PeerOptions, clientOptions: Partial<HttpOptions> = {}) => {
  const server = await serve(peer(options));
  const one = client(server, clientOptions);
  return { server, one, warnings: watch(one.warnings$).values };
};

const GREETING = 'pay: grüß dich, 漢字 🦀';

/** Writes bytes one by one, each in a turn of its own. */
const trickle = async (response: ServerResponse, text: string): Promise<void> => {
  for (const byte of Buffer.from(text)) {
    response.write(Uint8Array.of(byte));
    await nextTurn();
  }
  response.end();
};

const inLines = (text: string, ending: string): string => text.replaceAll('\n', ending);

const noise = ': a comment\n\nevent: other\ndata: nothing\n\nretry: 10\n\n';

const compressed =
  (encoding: string, make: () => Gzip): Writing =>
  async (response, answer) => {
    stream(response, { 'content-encoding': encoding });
    const encoder = make();
    encoder.pipe(response);
    encoder.write(': here it comes\n\n');
    await promisify(encoder.flush.bind(encoder) as (done: () => void) => void)();
    encoder.end(event(answer));
  };

const WAYS: readonly (readonly [string, Writing])[] = [
  ['JSON', asJson],
  ['a stream', asStream],
  [
    'JSON, byte by byte',
    (response, answer) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      return trickle(response, JSON.stringify(answer));
    },
  ],
  ['a stream, byte by byte', (response, answer) => trickle(stream(response), noise + event(answer))],
  [
    'a stream of CRLF, byte by byte',
    (response, answer) => trickle(stream(response), inLines(noise + event(answer), '\r\n')),
  ],
  [
    'a stream of CR, byte by byte',
    (response, answer) => trickle(stream(response), inLines(noise + event(answer), '\r')),
  ],
  [
    'a stream of CR that stays open',
    (response, answer) => void stream(response).write(inLines(noise + event(answer), '\r')),
  ],
  [
    'an event of many lines',
    (response, answer) =>
      stream(response).end(`data: ${JSON.stringify(answer, null, 2).replaceAll('\n', '\ndata: ')}\n\n`),
  ],
  [
    'JSON of another charset',
    (response, answer) => reply(response, 200, answer, { 'content-type': 'Application/JSON;charset=ISO-8859-1' }),
  ],
  [
    'a stream of another charset',
    (response, answer) => stream(response, { 'content-type': 'text/event-stream; charset=latin1' }).end(event(answer)),
  ],
  [
    'JSON with a byte order mark',
    (response, answer) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`\ufeff${JSON.stringify(answer)}`);
    },
  ],
  ['a batch of one', (response, answer) => reply(response, 200, [answer])],
  [
    'JSON that was compressed unasked',
    (response, answer) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(answer)));
    },
  ],
  ['a stream that is compressed with gzip', compressed('gzip', createGzip)],
  ['a stream that is compressed with deflate', compressed('deflate', createDeflate)],
  ['a stream that is compressed with brotli', compressed('br', createBrotliCompress)],
  ['JSON, and the end of the connection', (response, answer) => reply(response, 200, answer, { connection: 'close' })],
  [
    'a stream that is broken behind the answer',
    (response, answer) => stream(response).write(event(answer), () => response.destroy()),
  ],
];

describe.each(ERAS)('a server of the %s era', (era) => {
  it.each(WAYS)('may answer everything by %s', async (_way, write) => {
    const { one, warnings } = await start({ era, call: write, rest: write });
    expect((await one.promises.listTools()).map(({ name }) => name)).toEqual(['pay', 'look']);
    for (let n = 0; n < 3; n += 1) {
      expect(await one.promises.callTool('pay')).toMatchObject({ content: [{ text: GREETING }] });
    }
    expect(warnings).toEqual([]);
  });

  it('may close connections between the calls that it kept alive', async () => {
    const { server, one } = await start({ era });
    for (let n = 0; n < 5; n += 1) {
      expect(await one.promises.callTool('pay')).toMatchObject({ content: [{ text: GREETING }] });
      if (n % 2 === 0) await server.hangUp();
      else server.cut();
    }
  });

  it('may take its time between the head, the events and the answer', async () => {
    const call: Writing = async (response, answer) => {
      stream(response);
      for (let n = 0; n < 50; n += 1) {
        response.write(':\r\n');
        await nextTurn();
      }
      response.end(event(answer));
    };
    const { one } = await start({ era, call });
    expect(await one.promises.callTool('pay')).toMatchObject({ content: [{ text: GREETING }] });
  });

  const NONE: readonly (readonly [string, Writing])[] = [
    ['a web page', (response) => reply(response, 200, '<html>', { 'content-type': 'text/html' })],
    ['202', (response) => reply(response, 202)],
    ['202 with an answer', (response, answer) => reply(response, 202, answer)],
    ['204', (response) => reply(response, 204)],
    ['nothing', (response) => reply(response, 200)],
    ['no JSON at all', (response) => reply(response, 200, '', { 'content-type': 'application/json' })],
    ['half of some JSON', (response) => reply(response, 200, '{"jsonrpc"', { 'content-type': 'application/json' })],
    [
      'a page that never ends',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write('<html>');
      },
    ],
  ];

  it.each(NONE)('that answers a call by %s is told off at once, and the next call is answered', async (_way, write) => {
    const ways = [write, asJson];
    const { one } = await start({ era, call: (...args) => (ways.shift() ?? asJson)(...args) });
    await one.promises.listTools();
    expect(await rejection(one.promises.callTool('pay'))).toMatchObject({
      name: 'InvalidMessageError',
      method: 'tools/call',
    });
    expect(await one.promises.callTool('pay')).toMatchObject({ content: [{ text: GREETING }] });
  });

  it('that says nothing is left at the time of the call', async () => {
    const { server, one } = await start({ era, call: () => undefined });
    await one.promises.listTools();
    expect(await rejection(one.promises.callTool('pay', {}, { timeoutMs: 50 }))).toMatchObject({
      name: 'TimeoutError',
      method: 'tools/call',
      timeoutMs: 50,
    });
    if (era === 'legacy') {
      await server.until(() => server.received.some((one) => messageOf(one).method === 'notifications/cancelled'));
    }
  });

  it('that says nothing more is left at the time of the call, and its stream hung up', async () => {
    let hungUp: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve;
    });
    const call: Writing = (response) => {
      stream(response).write(': wait\n\n');
      response.on('close', hungUp);
    };
    const { one } = await start({ era, call });
    await one.promises.listTools();
    expect(await rejection(one.promises.callTool('pay', {}, { timeoutMs: 50 }))).toMatchObject({ timeoutMs: 50 });
    await closed;
  });

  it('may say so much and no more', async () => {
    const large =
      (size: number, write: Writing): Writing =>
      (response, answer, received) =>
        write(response, { ...answer, result: { content: [{ type: 'text', text: 'x'.repeat(size) }] } }, received);
    const ways = [large(10_000, asJson), large(10_000, asStream), large(900, asStream)];
    const { one } = await start(
      { era, call: (...args) => (ways.shift() ?? asJson)(...args) },
      { maxMessageBytes: 2_000 },
    );
    await one.promises.listTools();
    expect(await rejection(one.promises.callTool('pay'))).toMatchObject({ name: 'MessageTooLargeError', limit: 2_000 });
    expect(await rejection(one.promises.callTool('pay'))).toMatchObject({ name: 'MessageTooLargeError', limit: 2_000 });
    await expect(one.promises.callTool('pay')).resolves.toBeDefined();
    expect(await one.promises.callTool('pay')).toMatchObject({ content: [{ text: GREETING }] });
  });
});

describe('what is no server at all', () => {
  const page = (response: ServerResponse) => reply(response, 200, '<html>', { 'content-type': 'text/html' });

  it.each([
    ['a web page', page],
    ['202', (response: ServerResponse) => reply(response, 202)],
    ['204', (response: ServerResponse) => reply(response, 204)],
    ['nothing', (response: ServerResponse) => reply(response, 200)],
  ])('is told at once: everything is answered by %s', async (_what, answer) => {
    const server = await serve((_received, response) => answer(response));
    expect(await rejection(client(server).promises.listTools())).toMatchObject({ name: 'InvalidMessageError' });
    expect(server.received.map((one) => messageOf(one).method)).toEqual(['server/discover', 'initialize']);
  });

  it('is told by the first refusal, where only a page is', async () => {
    const server = await serve(({ method }, response) => (method === 'GET' ? page(response) : reply(response, 405)));
    expect(await rejection(client(server).promises.listTools())).toMatchObject({ name: 'HttpError', status: 405 });
  });

  it('is left after four times the budget of the probe, where it is silent', async () => {
    const server = await serve(() => undefined);
    expect(await rejection(client(server, { probeTimeoutMs: 10 }).promises.listTools())).toMatchObject({
      name: 'TimeoutError',
      method: 'server/discover',
      timeoutMs: 40,
    });
    expect(server.received).toHaveLength(1);
  });

  it('is left at the time of the call, where it is silent about initialize', async () => {
    const server = await serve((received, response) =>
      messageOf(received).method === 'initialize' ? undefined : reply(response, 400),
    );
    const one = client(server);
    expect(await rejection(one.promises.listTools({ timeoutMs: 50 }))).toMatchObject({
      name: 'TimeoutError',
      timeoutMs: 50,
    });
  });
});

describe('a stream of the server’s own that is none', () => {
  it.each([
    ['a web page', (response: ServerResponse) => reply(response, 200, '<html>', { 'content-type': 'text/html' }), 1],
    ['404', (response: ServerResponse) => reply(response, 404, 'Cannot GET /mcp'), 1],
    ['405', (response: ServerResponse) => reply(response, 405), 0],
  ])('is one warning at most, and asked for once: %s', async (_what, answer, count) => {
    const { server, one, warnings } = await start(
      { era: 'legacy', get: (_received, response) => answer(response), session: () => 's1' },
      { retry: { firstDelayMs: 1 } },
    );
    for (let n = 0; n < 20; n += 1) await one.promises.callTool('pay');
    expect(server.received.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(warnings.map(({ kind }) => kind)).toEqual(Array.from({ length: count }, () => 'transport'));
    expect(server.received.filter((received) => messageOf(received).method === 'initialize')).toHaveLength(1);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 307, 308])(
    'with %i to another origin is an HttpError, and nothing at all is sent there',
    async (status) => {
      const other = await serve(peer({ era: 'modern' }));
      const server = await serve((_received, response) => reply(response, status, '', { location: other.url }));
      const one = client(server, {
        headers: { authorization: 'Bearer secret', cookie: 'secret' },
        allowedHosts: [new URL(server.url).host, new URL(other.url).host],
      });
      expect(await rejection(one.promises.listTools())).toMatchObject({ name: 'HttpError', status });
      expect([server.received.length, other.received, other.connections]).toEqual([1, [], 0]);
    },
  );

  it('of a call, in the middle of a session, is one as well', async () => {
    const other = await serve(peer({ era: 'modern' }));
    const { one } = await start({
      era: 'legacy',
      call: (response) => reply(response, 307, '', { location: other.url }),
    });
    await one.promises.listTools();
    expect(await rejection(one.promises.callTool('pay'))).toMatchObject({ name: 'HttpError', status: 307 });
    expect(other.received).toEqual([]);
  });

  it('within the origin is followed, with what the request carried', async () => {
    const behind = peer({ era: 'modern' });
    const server = await serve((received, response, request) =>
      received.path === '/v2' ? behind(received, response, request) : reply(response, 308, '', { location: '/v2' }),
    );
    const one = client(server, { headers: { authorization: 'Bearer secret' } });
    expect(await one.promises.callTool('pay')).toMatchObject({ content: [{ text: GREETING }] });
    expect(server.received.filter(({ path }) => path === '/v2').map(({ headers }) => headers['authorization'])).toEqual(
      ['Bearer secret', 'Bearer secret', 'Bearer secret'],
    );
  });

  it('is an HttpError where redirects are not wanted', async () => {
    const server = await serve((_received, response) => reply(response, 308, '', { location: '/v2' }));
    const one = client(server, { redirects: 'error' });
    expect(await rejection(one.promises.listTools())).toMatchObject({ name: 'HttpError', status: 308 });
  });
});

describe('an endpoint that HTTP+SSE names', () => {
  it('of another origin is refused, and nothing is sent there', async () => {
    const other = await serve((_received, response) => reply(response, 202));
    const server = await serve(({ method }, response) => {
      if (method === 'GET') stream(response).write(event(other.url, { type: 'endpoint' }));
      else reply(response, 404);
    });
    const one = client(server, { headers: { authorization: 'Bearer secret' } });
    expect(await rejection(one.promises.listTools())).toMatchObject({
      name: 'InvalidMessageError',
      method: 'endpoint',
    });
    expect([other.received, other.connections]).toEqual([[], 0]);
  });
});
