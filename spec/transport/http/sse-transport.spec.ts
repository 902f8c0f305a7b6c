import { describe, expect, it } from '@jest/globals';
import {
  HttpError,
  InvalidMessageError,
  NetworkError,
  TimeoutError,
  TransportClosedError,
  UnauthorizedError,
  UnsentError,
} from '../../../src/errors/index.js';
import { SseTransport } from '../../../src/transport/http/sse-transport.js';
import type { HttpParameters } from '../../../src/transport/http/options.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { unrecorded } from '../../support/frames/unrecorded.js';
import { event } from '../../support/http/loopback.js';
import { json, madeResponse } from '../../support/http/responses.js';
import { handResponse, scriptedRequester } from '../../support/http/scripted-requester.js';

const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'x/request', params: {} }) as const;
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;
const result = (id: number) => ({ jsonrpc: '2.0', id, result: {} }) as const;
const endpoint = (url: string): string => event(url, { type: 'endpoint' });

const start = (parameters: Partial<HttpParameters> = {}) => {
  const scripted = scriptedRequester(parameters);
  const opened: SseTransport[] = [];
  const failures: unknown[] = [];
  const life = SseTransport.open(
    scripted.requester,
    (transport) => opened.push(unrecorded(transport)),
    (reason) => failures.push(reason),
  );
  return { ...scripted, last: scripted.last, opened, failures, life };
};

/** A transport that is open, on a stream in the hand of the spec. */
const open = (url = '/messages?session=1', parameters: Partial<HttpParameters> = {}) => {
  const one = start(parameters);
  const stream = handResponse();
  one.last('GET').answer(stream.response);
  stream.push(endpoint(url));
  const [transport] = one.opened;
  if (transport === undefined) throw new Error('it did not open');
  return { ...one, stream, transport, inbound: watch(transport.inbound$) };
};

describe('HTTP+SSE', () => {
  it('is given up by a notice, and mirrors nothing', () => {
    expect(open().transport).toMatchObject({ cancelBy: 'notice', mirrorsHeaders: false, alive: true });
  });

  describe('opening', () => {
    it('asks for the stream, and is done when the server has named its endpoint', () => {
      const one = start();
      expect(one.last().draft).toEqual({ method: 'GET', headers: { accept: 'text/event-stream' } });
      const stream = handResponse();
      one.last().answer(stream.response);
      stream.push(': hello\n\n');
      expect(one.opened).toEqual([]);
      stream.push(endpoint('/messages'));
      expect(one.opened).toHaveLength(1);
      stream.push(endpoint('/elsewhere'));
      expect([one.opened.length, one.failures]).toEqual([1, []]);
    });

    it('keeps what the server says with the endpoint for whoever reads it', () => {
      const one = start();
      const stream = handResponse();
      one.last().answer(stream.response);
      stream.push(endpoint('/messages') + event(result(1)));
      expect(watch(one.opened[0]!.inbound$).values).toEqual([result(1)]);
    });

    it.each([
      ['a refusal', madeResponse(405, {}, 'no'), { name: 'HttpError', status: 405, body: 'no' }],
      ['something else than a stream', madeResponse(200, { 'content-type': 'text/html' }), { name: 'HttpError' }],
      ['JSON', json({}), { name: 'HttpError', status: 200 }],
    ])('fails with %s', (_what, response, error) => {
      const one = start();
      one.last().answer(response);
      expect(one.failures).toEqual([expect.objectContaining(error)]);
      expect(one.failures[0]).toBeInstanceOf(HttpError);
      expect(one.opened).toEqual([]);
    });

    it('fails with the network, as a NetworkError', () => {
      const one = start();
      one.last().fail(new Error('refused'));
      expect(one.failures).toEqual([expect.any(NetworkError)]);
    });

    it('fails where the stream ends before there is an endpoint', () => {
      const one = start();
      const stream = handResponse();
      one.last().answer(stream.response);
      stream.end();
      expect(one.failures).toEqual([expect.any(NetworkError)]);
      expect(one.failures).toMatchObject([{ cause: new Error('the server closed its stream') }]);
    });

    it.each([
      'https://evil.example/messages',
      '//evil.example/messages',
      'http://mcp.example/messages',
      'https://mcp.example:8443/messages',
      'https://mcp.example@evil.example/',
      'javascript:alert(1)',
      'https://[',
    ])('refuses an endpoint of another origin, and sends nothing there: %s', (url) => {
      const one = start();
      const stream = handResponse();
      one.last().answer(stream.response);
      stream.push(endpoint(url));
      expect(one.failures).toEqual([expect.any(InvalidMessageError)]);
      expect([one.opened, stream.isRead, one.exchanges.length]).toEqual([[], false, 1]);
    });

    it.each([
      ['https://evil.example/messages?key=secret', 'names https://evil.example/messages, which is of another origin'],
      ['javascript:alert(1)', 'names javascript:, which is of another origin'],
      ['https://[secret', 'names no place that can be read'],
    ])('says what it refuses, and nothing that may be secret: %s', (named, says) => {
      const one = start();
      const stream = handResponse();
      one.last().answer(stream.response);
      stream.push(endpoint(named));
      expect(one.failures).toMatchObject([{ reason: `https://mcp.example/mcp ${says}` }]);
    });

    it('fails where no endpoint is named within ten seconds, whatever else is said', () => {
      inVirtualTime(({ at }) => {
        const one = start();
        const stream = handResponse();
        one.last().answer(stream.response);
        for (const ms of [0, 4_000, 8_000]) at(ms, () => stream.push(': alive\n\n', event('', { type: 'ping' })));
        at(9_999, () => expect(one.failures).toEqual([]));
        at(10_000, () => {
          expect(one.failures).toEqual([new TimeoutError('endpoint', undefined, 10_000)]);
          expect([one.opened, stream.isRead]).toEqual([[], false]);
        });
      });
    });

    it('fails where the stream has not opened within half a minute', () => {
      inVirtualTime(({ at }) => {
        const one = start();
        at(29_999, () => expect(one.failures).toEqual([]));
        at(30_001, () => {
          expect(one.failures).toEqual([new TimeoutError('endpoint', undefined, 30_000)]);
          expect(one.last().waits).toBe(false);
        });
      });
    });

    it('fails where the stream is silent for longer than keepAliveMs', () => {
      inVirtualTime(({ at }) => {
        const one = start({ keepAliveMs: 300 });
        const stream = handResponse();
        one.last().answer(stream.response);
        at(300, () => expect(one.failures).toEqual([expect.any(NetworkError)]));
      });
    });

    it('may be given up', () => {
      const one = start();
      one.life.unsubscribe();
      expect([one.last().waits, one.failures]).toEqual([false, []]);
    });
  });

  describe('a message', () => {
    it.each([
      ['/messages?session=1', 'https://mcp.example/messages?session=1'],
      ['messages', 'https://mcp.example/messages'],
      ['https://mcp.example/else', 'https://mcp.example/else'],
      ['?session=2', 'https://mcp.example/mcp?session=2'],
    ])('is POSTed to the endpoint: %s', (named, url) => {
      const { transport, last } = open(named);
      watch(transport.send(request(1)));
      expect(last('POST').draft).toMatchObject({
        url,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      });
      expect(last('POST').message).toEqual(request(1));
    });

    it('is delivered when it is accepted, and its answer comes on the stream', () => {
      const { transport, last, stream, inbound } = open();
      const sent = watch(transport.send(request(1)));
      const accepted = madeResponse(202, {}, 'Accepted');
      last('POST').answer(accepted);
      expect([sent.values, sent.completed, accepted.discarded, inbound.values]).toEqual([[], true, true, []]);
      stream.push(event(result(1)));
      expect(inbound.values).toEqual([result(1)]);
    });

    it('may be answered before it is accepted', () => {
      const { transport, last, stream, inbound } = open();
      const sent = watch(transport.send(request(1)));
      stream.push(event(result(1)));
      last('POST').answer(madeResponse(202));
      expect([inbound.values, sent.completed]).toEqual([[result(1)], true]);
    });

    it('that is refused is an HttpError, and the wire goes on', () => {
      const { transport, last, inbound } = open();
      const sent = watch(transport.send(request(1)));
      last('POST').answer(madeResponse(413, {}, 'too much'));
      expect(sent.error).toEqual(new HttpError(413, 'status 413', 'too much', undefined, 'https://mcp.example/mcp'));
      expect([transport.alive, inbound.error]).toEqual([true, undefined]);
    });

    it('that the network loses is a NetworkError, and the wire goes on', () => {
      const { transport, last } = open();
      const sent = watch(transport.send(request(1)));
      last('POST').fail(new Error('cut'));
      expect(sent.error).toBeInstanceOf(NetworkError);
      expect(transport.alive).toBe(true);
    });

    it('that is given up before it is accepted is not waited for', () => {
      const { transport, last } = open();
      watch(transport.send(request(1))).subscription.unsubscribe();
      expect(last('POST').waits).toBe(false);
    });
  });

  describe('the notice that ends the handshake', () => {
    it.each([
      ['is accepted', (one: ReturnType<typeof open>) => one.last('POST').answer(madeResponse(202))],
      ['is refused', (one: ReturnType<typeof open>) => one.last('POST').answer(madeResponse(500))],
      ['is lost', (one: ReturnType<typeof open>) => one.last('POST').fail(new Error('cut'))],
    ])('keeps back what comes behind it until it %s', (how, end) => {
      const one = open();
      const sent = watch(one.transport.send(INITIALIZED));
      watch(one.transport.send(request(1)));
      expect(one.exchanges).toHaveLength(2);
      end(one);
      expect(one.last('POST').message).toEqual(request(1));
      expect(sent.completed).toBe(how === 'is accepted');
    });

    it('is left to the next call where an authorization is wanted for it, which has it sent again before itself', () => {
      const one = open();
      const sent = watch(one.transport.send(INITIALIZED));
      one.last('POST').fail(new UnauthorizedError('Bearer', 'https://mcp.example/mcp'));
      expect([sent.completed, sent.error]).toEqual([true, undefined]);
      watch(one.transport.send(request(1)));
      expect([one.last().message, one.last().concern]).toEqual([INITIALIZED, 'call']);
      const accepted = madeResponse(202);
      one.last().answer(accepted);
      expect([accepted.discarded, one.last().message]).toEqual([true, request(1)]);
    });

    it('in a session that is gone takes what it keeps back with it: that has never left', () => {
      const one = open();
      const sent = watch(one.transport.send(INITIALIZED));
      const held = watch(one.transport.send(request(1)));
      one.last('POST').answer(madeResponse(404));
      expect(sent.error).toBeInstanceOf(UnsentError);
      expect(held.error).toBeInstanceOf(UnsentError);
      expect(held.error).toMatchObject({
        message: expect.stringMatching(/the session ended before this was sent/),
        cause: (sent.error as UnsentError).cause,
      });
      expect(one.exchanges).toHaveLength(2);
    });
  });

  it('sends each message on behalf of whoever waits for it', async () => {
    const one = open();
    watch(one.transport.send(request(1)));
    watch(one.transport.send(request(2), { background: true }));
    watch(one.transport.send({ jsonrpc: '2.0', method: 'x/notice' }));
    expect(one.exchanges.map(({ draft, concern }) => [draft.method, concern])).toEqual([
      ['GET', 'call'],
      ['POST', 'call'],
      ['POST', 'background'],
      ['POST', 'background'],
    ]);
    await one.transport.close();
  });

  describe('what comes in', () => {
    it('is every message event in order: junk in its place, batches one by one, other events passed over', () => {
      const { stream, inbound } = open();
      stream.push(
        event(result(1)),
        event('hello'),
        event([result(2), result(3)], { type: 'message' }),
        event('', { id: 'a' }),
        event(result(9), { type: 'ping' }),
      );
      expect(inbound.values).toMatchObject([result(1), { invalid: 'not JSON' }, result(2), result(3)]);
    });
  });

  describe('the end of the stream', () => {
    it.each([
      ['closed', (stream: ReturnType<typeof handResponse>) => stream.end()],
      ['broken', (stream: ReturnType<typeof handResponse>) => stream.fail(new Error('cut'))],
    ])('is the death of the wire, for all that is out as well: %s', (_how, end) => {
      const one = open();
      const out = watch(one.transport.send(request(1)));
      one.stream.push(event(result(7)));
      end(one.stream);
      expect(one.inbound.values).toEqual([result(7)]);
      expect(one.inbound.error).toBeInstanceOf(NetworkError);
      expect(one.inbound.error).toMatchObject({ left: true });
      expect(out.error).toBe(one.inbound.error);
      expect([one.transport.alive, one.failures, one.last('POST').waits]).toEqual([false, [], false]);
      expect(watch(one.transport.send(request(2))).error).toBeInstanceOf(TransportClosedError);
    });
  });

  describe('a stream that is silent', () => {
    it('is dead after keepAliveMs, and anything at all keeps it alive', () => {
      inVirtualTime(({ at }) => {
        const one = open('/messages', { keepAliveMs: 300 });
        for (const ms of [200, 400]) at(ms, () => one.stream.push(': alive\n\n'));
        at(699, () => expect(one.transport.alive).toBe(true));
        at(701, () => {
          expect(one.inbound.error).toMatchObject({ name: 'NetworkError', left: true });
          expect([one.transport.alive, one.stream.isRead]).toEqual([false, false]);
        });
      });
    });

    it('is alive for ever without it', () => {
      inVirtualTime(({ at }) => {
        const one = open();
        at(86_400_000, () => expect(one.transport.alive).toBe(true));
      });
    });
  });

  describe('a session that the server has forgotten while its stream is open', () => {
    it.each([
      ['404', madeResponse(404, {}, 'Not Found')],
      ['400 with words that say so', madeResponse(400, {}, 'No transport found for sessionId')],
    ])('is the end of the wire, and the message was not read: told by %s', (_, refusal) => {
      const one = open();
      const sent = watch(one.transport.send(request(1)));
      one.last('POST').answer(refusal);
      expect(sent.error).toBeInstanceOf(UnsentError);
      expect(one.inbound.error).toMatchObject({ name: 'HttpError', status: 404 });
      expect([one.transport.alive, one.stream.isRead]).toEqual([false, false]);
    });

    it('lets what else is out hear the same', () => {
      const one = open();
      const first = watch(one.transport.send(request(1)));
      const firstPost = one.last('POST');
      const second = watch(one.transport.send(request(2)));
      firstPost.answer(madeResponse(404));
      expect([first.error, second.error]).toEqual([expect.any(UnsentError), undefined]);
      one.last('POST').answer(madeResponse(404));
      expect(second.error).toBeInstanceOf(UnsentError);
      expect(one.inbound.error).toMatchObject({ status: 404 });
    });

    it('waits half a second for what else is out, and no longer', () => {
      inVirtualTime(({ at }) => {
        const one = open();
        watch(one.transport.send(request(1)));
        const firstPost = one.last('POST');
        const second = watch(one.transport.send(request(2)));
        const third = watch(one.transport.send(request(3)));
        firstPost.answer(madeResponse(404));
        third.subscription.unsubscribe();
        at(499, () => expect([second.error, one.inbound.error]).toEqual([undefined, undefined]));
        at(501, () => {
          expect(second.error).toMatchObject({ name: 'HttpError', status: 404 });
          expect([one.inbound.error, one.stream.isRead]).toEqual([second.error, false]);
        });
      });
    });

    it('waits for nothing that it may say to initialize, nor for what was given up', () => {
      const one = open();
      const first = watch(one.transport.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }));
      const second = watch(one.transport.send(request(2)));
      watch(one.transport.send(request(3)));
      one.last('POST').answer(madeResponse(404));
      expect([first.error, one.inbound.error]).toEqual([
        expect.objectContaining({ name: 'HttpError', status: 404 }),
        undefined,
      ]);
      second.subscription.unsubscribe();
      expect(one.inbound.error).toMatchObject({ name: 'HttpError', status: 404 });
    });

    it('waits for nothing once it is closed', async () => {
      const one = open();
      watch(one.transport.send(request(1)));
      const other = watch(one.transport.send(request(2)));
      one.exchanges[1]?.answer(madeResponse(404));
      await one.transport.close();
      expect(other.error).toBeInstanceOf(TransportClosedError);
      expect([one.inbound.error, one.inbound.completed]).toEqual([undefined, true]);
    });

    it('is not what a refusal of initialize says', () => {
      const one = open();
      const sent = watch(one.transport.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }));
      one.last('POST').answer(madeResponse(404));
      expect(sent.error).toBeInstanceOf(HttpError);
      expect(one.transport.alive).toBe(true);
    });
  });

  describe('close()', () => {
    it('hangs up, and ends everything that is out', async () => {
      const one = open();
      const out = watch(one.transport.send(request(1)));
      await one.transport.close();
      expect(out.error).toBeInstanceOf(TransportClosedError);
      expect([one.stream.isRead, one.inbound.completed, one.transport.alive]).toEqual([false, true, false]);
      await one.transport.close();
    });

    it('is what leaving the life is', () => {
      const one = open();
      one.life.unsubscribe();
      expect([one.stream.isRead, one.inbound.completed, one.transport.alive]).toEqual([false, true, false]);
    });
  });
});
