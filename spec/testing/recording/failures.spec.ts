// What went wrong while a session was recorded goes wrong again where it is replayed.
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Observable, throwError } from 'rxjs';
import {
  EndedUnanswered,
  HttpError,
  McpError,
  MessageTooLargeError,
  NetworkError,
  OutcomeUnknownError,
  ServerGoneError,
  SpawnFailedError,
  TransportError,
  UnsentError,
} from '../../../src/errors/index.js';
import { type ClientOptions, EraCache, type Inbound, type McpClient } from '../../../src/index.js';
import { record, replay } from '../../../src/testing/index.js';
import { readFailure, writtenFailure } from '../../../src/testing/recording/failures.js';
import { httpConnector } from '../../../src/transport/http/index.js';
import { connect } from '../../support/client/connect.js';
import { rejection, watch } from '../../support/client/watch.js';
import { HandTransport } from '../../support/hand-transport.js';
import { serve } from '../../support/http/loopback.js';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

const json = (response: ServerResponse, message: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
};

const modern: Readonly<Record<string, object>> = {
  'server/discover': { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
};

/** A server each of whose calls is answered by `answer`. */
const server = (answer: (response: ServerResponse, asked: Asked) => void) =>
  serve(({ body }, response) => {
    const asked = JSON.parse(body) as Asked;
    const result = modern[asked.method];
    if (result === undefined) answer(response, asked);
    else json(response, { id: asked.id, result });
  });

const options = (): ClientOptions => ({ era: 'modern', eraCache: new EraCache() });

/** What became of a deed, or what it failed with. */
const outcomeOf = (deed: Promise<unknown>): Promise<unknown> => deed.catch((reason: unknown) => reason);

const facts = (reason: unknown): unknown =>
  reason instanceof Error ? { ...reason, class: reason.constructor, message: reason.message } : reason;

/** A deed at a real server, and once more at the recording of it. */
const twice = async (
  url: string,
  deed: (mcp: McpClient) => Promise<unknown>,
  own: ClientOptions = options(),
  parameters: object = {},
): Promise<readonly [live: unknown, replayed: unknown, lines: readonly string[]]> => {
  const wire = record(httpConnector({ url, ...parameters }));
  const first = connect(wire, { ...own, eraCache: new EraCache() });
  const live = await outcomeOf(deed(first));
  await first.close();
  const second = connect(replay(wire.lines, { keepTimes: false }), { ...own, eraCache: new EraCache() });
  const replayed = await outcomeOf(deed(second));
  await second.close();
  return [live, replayed, wire.lines];
};

describe('a call over HTTP that failed', () => {
  it('fails by the same status', async () => {
    const { url } = await server((response) => response.writeHead(500).end('broken'));
    const [live, replayed] = await twice(url, (mcp) => mcp.promises.callTool('a'));
    expect(live).toBeInstanceOf(HttpError);
    expect(replayed).toBeInstanceOf(HttpError);
    expect(facts(replayed)).toEqual(facts(live));
  });

  it('has an unknown outcome again where its stream ended without the answer', async () => {
    const { url } = await server((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    );
    const [live, replayed] = await twice(url, (mcp) => mcp.promises.callTool('a'));
    expect([live, replayed]).toEqual([expect.any(OutcomeUnknownError), expect.any(OutcomeUnknownError)]);
    const { cause } = replayed as Error;
    expect(cause).toBeInstanceOf(NetworkError);
    expect((cause as NetworkError).cause).toBeInstanceOf(EndedUnanswered);
  });

  it('fails by the same error where its answer was too large', async () => {
    const { url } = await server((response, { id }) => {
      json(response, { id, result: { content: [{ type: 'text', text: 'a'.repeat(5_000) }] } });
    });
    const [live, replayed] = await twice(url, (mcp) => mcp.promises.callTool('a'), options(), {
      maxMessageBytes: 2_000,
    });
    expect(live).toBeInstanceOf(MessageTooLargeError);
    expect(replayed).toBeInstanceOf(MessageTooLargeError);
    expect(facts(replayed)).toEqual(facts(live));
  });

  it('is tried again where it was', async () => {
    let asked = 0;
    const { url } = await serve(({ body }, response) => {
      const { id, method } = JSON.parse(body) as Asked;
      if (method === 'tools/list' && (asked += 1) === 1) response.writeHead(503, { 'retry-after': '0' }).end();
      else json(response, { id, result: modern[method] });
    });
    const [live, replayed, lines] = await twice(url, (mcp) => mcp.promises.listTools());
    expect([live, replayed]).toEqual([[], []]);
    expect(lines.filter((line) => line.includes('"kind":"fail"'))).toHaveLength(1);
  });

  it('keeps no secret of what it failed with, nor what only the user knows', async () => {
    const { url } = await server((response) => response.writeHead(500).end('{"password":"hunter2-h","of":"Ada"}'));
    const redact = (message: unknown): unknown => JSON.parse(JSON.stringify(message).replaceAll('Ada', '[redacted]'));
    const wire = record(httpConnector({ url }), { redact });
    const mcp = connect(wire, options());
    expect(await rejection(mcp.promises.callTool('a'))).toMatchObject({ body: expect.stringContaining('hunter2-h') });
    await mcp.close();
    expect(wire.lines.join()).toContain('\\"password\\":\\"[redacted]\\",\\"of\\":\\"[redacted]\\"');
    expect(wire.lines.join()).not.toMatch(/hunter2-h|Ada/);
  });
});

it('a server of the handshake that is behind a URL is found again', async () => {
  const { url } = await serve(({ body, method }, response) => {
    if (method !== 'POST') return response.writeHead(405).end();
    const { id, method: asked } = JSON.parse(body) as Asked;
    if (asked === 'server/discover') return response.writeHead(400).end();
    if (id === undefined) return response.writeHead(202).end();
    const result =
      asked === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }
        : { tools: [] };
    json(response, { id, result });
    return response;
  });
  const [live, replayed] = await twice(url, (mcp) => mcp.promises.listTools(), {});
  expect([live, replayed]).toEqual([[], []]);
});

describe('a wire that ended', () => {
  const replayedEnd = async (end: (wire: HandTransport) => void): Promise<unknown> => {
    const inner = new HandTransport();
    const wire = record(inner);
    watch(wire.inbound$);
    end(inner);
    const connector = replay(wire.lines, { keepTimes: false });
    return new Promise((resolve) => {
      connector().subscribe((transport) => {
        transport.inbound$.subscribe({ error: resolve, complete: () => resolve('complete') });
      });
    });
  };

  it.each([
    new ServerGoneError(null, 'SIGKILL', 'node', 'its last words'),
    new UnsentError('not read'),
    new TransportError(new TypeError('inner')),
  ])('ends by an error of the same class: $name', async (reason) => {
    const again = await replayedEnd((wire) => {
      wire.inbox.error(reason);
    });
    expect(again).toBeInstanceOf(reason.constructor);
    expect(facts(again)).toEqual(facts(reason));
  });

  it('hears what an answer was instead of a message, and why', async () => {
    const inner = new HandTransport();
    const wire = record(inner);
    watch(wire.inbound$);
    const junk: Inbound = { invalid: 'too large', excerpt: '', id: 1, error: new MessageTooLargeError(9, 5) };
    inner.inbox.next(junk);
    const heard = await new Promise<Inbound>((resolve) => {
      replay(wire.lines)().subscribe(({ inbound$ }) => inbound$.subscribe({ next: resolve, error: resolve }));
    });
    expect(heard).toEqual(junk);
    expect('error' in heard && heard.error).toBeInstanceOf(MessageTooLargeError);
  });

  it('cannot be opened again where it could not be', async () => {
    let opened = 0;
    const inner = new HandTransport();
    const gone = new SpawnFailedError('node', ['-e'], 'it is not there');
    const wire = record(() =>
      (opened += 1) === 1 ? throwError(() => gone) : new Observable<HandTransport>((each) => each.next(inner)),
    );
    watch(wire());
    watch(wire());
    const connector = replay(wire.lines);
    const again = watch(connector());
    expect(again.error).toBeInstanceOf(SpawnFailedError);
    expect(facts(again.error)).toEqual(facts(gone));
    expect(watch(connector()).values).toHaveLength(1);
  });
});

describe('a failure that is written down', () => {
  it('is told by its name where its class is not known, and is ours if it was', () => {
    class OwnError extends McpError {
      override readonly name = 'OwnError';
      readonly fact = 7;
      readonly method = (): void => undefined;
      readonly loop: unknown = this;
    }
    const again = readFailure(writtenFailure(new OwnError('own')));
    expect(again).toBeInstanceOf(McpError);
    expect(facts(again)).toEqual({ class: McpError, name: 'OwnError', fact: 7, message: 'own' });
  });

  it('keeps of a stranger’s its name, its code and what it says, and ends where causes go in circles', () => {
    const stranger = Object.assign(new TypeError('password: hunter2-h'), { code: 'EPIPE', request: { secret: 'a' } });
    stranger.cause = stranger;
    const written = JSON.stringify(writtenFailure(stranger));
    expect(written).not.toMatch(/hunter2-h|request/);
    expect(written.match(/EPIPE/g)).toHaveLength(6);
    expect(facts(readFailure(writtenFailure({ toString: () => 'text' })))).toMatchObject({ message: 'text' });
  });
});
