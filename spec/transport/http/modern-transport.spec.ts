import { describe, expect, it, jest } from '@jest/globals';
import { tap } from 'rxjs';
import {
  HttpError,
  InvalidMessageError,
  NetworkError,
  OptionError,
  TransportClosedError,
  UnsentError,
} from '../../../src/errors/index.js';
import type { Outbound } from '../../../src/jsonrpc/index.js';
import { ModernHttpTransport } from '../../../src/transport/http/modern-transport.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { unrecorded } from '../../support/frames/unrecorded.js';
import { holdingTimers } from '../../support/holding-timers.js';
import { event } from '../../support/http/loopback.js';
import { endingStream, json, madeResponse } from '../../support/http/responses.js';
import { handResponse, type ScriptedRequester, scriptedRequester } from '../../support/http/scripted-requester.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

const request = (id: number, method = 'x/request', params: Readonly<Record<string, unknown>> = {}) =>
  ({ jsonrpc: '2.0', id, method, params }) as const;
const result = (id: number) => ({ jsonrpc: '2.0', id, result: { of: id } }) as const;
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } } as const;

const open = (scripted: ScriptedRequester = scriptedRequester()) => {
  const transport = unrecorded(new ModernHttpTransport(scripted.requester));
  return { ...scripted, transport, inbound: watch(transport.inbound$), last: scripted.last };
};

/** The header fields that go with a message. */
const headersOf = (message: Outbound, hints?: Parameters<ModernHttpTransport['send']>[1]) => {
  const { transport, last } = open();
  watch(transport.send(message, hints));
  return last().draft.headers;
};

const ALWAYS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('modern Streamable HTTP', () => {
  it('is given up by hanging up, and wants arguments mirrored', () => {
    expect(open().transport).toMatchObject({ cancelBy: 'hang-up', mirrorsHeaders: true, alive: true });
  });

  describe('each message', () => {
    it('is a POST of its own, sent when it is subscribed to', () => {
      const { transport, exchanges } = open();
      void transport.send(request(1));
      expect(exchanges).toEqual([]);
      watch(transport.send(request(1)));
      watch(transport.send(request(2)));
      expect(exchanges.map(({ draft, message }) => [draft.method, draft.url, message])).toEqual([
        ['POST', undefined, request(1)],
        ['POST', undefined, request(2)],
      ]);
    });

    it('goes out on behalf of its call, or of nobody who waits', () => {
      const { transport, exchanges } = open();
      const call = {};
      watch(transport.send(request(1), { call }));
      watch(transport.send(request(2), { background: true }));
      watch(transport.send({ jsonrpc: '2.0', method: 'x/notice' }));
      expect(exchanges.map((exchange) => exchange.concern)).toEqual(['call', 'background', 'background']);
      expect(exchanges.map((exchange) => exchange.call === call)).toEqual([true, false, false]);
    });

    it('that JSON cannot say is an error of the caller’s', () => {
      const { transport } = open();
      const params: Record<string, unknown> = {};
      params['itself'] = params;
      expect(watch(transport.send(request(1, 'x', params))).error).toBeInstanceOf(OptionError);
    });
  });

  describe('the headers of a message', () => {
    it('are its method, and the version that its body names', () => {
      const params = { _meta: { [VERSION]: '2026-07-28' } };
      expect(headersOf(request(1, 'tools/list', params))).toEqual({
        ...ALWAYS,
        'mcp-method': 'tools/list',
        'mcp-protocol-version': '2026-07-28',
      });
    });

    it.each([
      ['tools/call', { name: 'add' }, 'add'],
      ['prompts/get', { name: 'order' }, 'order'],
      ['resources/read', { uri: 'file:///a b' }, 'file:///a b'],
      ['tools/call', { name: 'säge' }, '=?base64?c8OkZ2U=?='],
      ['tools/call', { name: ' padded' }, '=?base64?IHBhZGRlZA==?='],
    ])('name the subject of %s: %j', (method, params, name) => {
      expect(headersOf(request(1, method, params))).toMatchObject({ 'mcp-method': method, 'mcp-name': name });
    });

    it.each([
      ['tools/list', { name: 'add' }],
      ['resources/subscribe', { uri: 'file:///a' }],
      ['tools/call', {}],
      ['tools/call', { name: 5 }],
      ['resources/read', { name: 'a' }],
      ['constructor', { name: 'a' }],
    ])('name no subject of %s with %j', (method, params) => {
      expect(headersOf(request(1, method, params))).toEqual({ ...ALWAYS, 'mcp-method': method });
    });

    it('carry what is mirrored, encoded', () => {
      const headers = { 'Mcp-Param-Region': 'us-west1', 'Mcp-Param-Greeting': 'Hello, 世界', 'Mcp-Param-None': '' };
      expect(headersOf(request(1, 'tools/call', { name: 'a' }), { headers })).toEqual({
        ...ALWAYS,
        'mcp-method': 'tools/call',
        'mcp-name': 'a',
        'mcp-param-region': 'us-west1',
        'mcp-param-greeting': '=?base64?SGVsbG8sIOS4lueVjA==?=',
        'mcp-param-none': '',
      });
    });

    it.each([5, null, undefined])('name no version where the body names %p for one', (version) => {
      expect(headersOf(request(1, 'x', { _meta: { [VERSION]: version } }))).toEqual({ ...ALWAYS, 'mcp-method': 'x' });
    });

    it('are nothing but the type of an answer', () => {
      expect(headersOf({ jsonrpc: '2.0', id: 1, result: {} })).toEqual(ALWAYS);
    });

    it('are those of a notification, too', () => {
      expect(headersOf({ jsonrpc: '2.0', method: 'x/notice' })).toEqual({ ...ALWAYS, 'mcp-method': 'x/notice' });
    });
  });

  describe('an answer', () => {
    it('in JSON is heard, and ends the exchange', () => {
      const { transport, inbound, last } = open();
      const sent = watch(transport.send(request(1)));
      last().answer(json(result(1)));
      expect([inbound.values, sent.values, sent.completed]).toEqual([[result(1)], [], true]);
    });

    it('in a stream is heard behind what comes before it, and the exchange ends with the stream', () => {
      const { transport, inbound, last } = open();
      const sent = watch(transport.send(request(1)));
      const { response, push, end } = handResponse();
      last().answer(response);
      push(event(progress));
      expect(inbound.values).toEqual([progress]);
      push(event(result(1)));
      expect([inbound.values, sent.completed]).toEqual([[progress, result(1)], false]);
      end();
      expect(sent.completed).toBe(true);
    });

    it('that is no message is heard as such in its place', () => {
      const { transport, inbound, last } = open();
      watch(transport.send(request(1)));
      last().answer(endingStream(event('hello'), event(result(1))));
      expect(inbound.values).toMatchObject([{ invalid: 'not JSON' }, result(1)]);
    });

    it('of a refused request is an invalid message with the error, for that request', () => {
      const { transport, inbound, last } = open();
      const sent = watch(transport.send(request(1)));
      last().answer(json({ jsonrpc: '2.0', id: null, error: { code: -32_020, message: 'no' } }, 400));
      expect(inbound.values).toMatchObject([{ id: 1, error: { code: -32_020 } }]);
      expect(sent.completed).toBe(true);
    });

    it.each([
      ['JSON', json(result(2))],
      ['JSON with both', json([result(2), result(1)])],
      ['a stream', endingStream(event(result(2)), event(result(1)))],
    ])('to another request is nobody’s, in %s', (what, answer) => {
      const { transport, last, inbound } = open();
      const one = watch(transport.send(request(1)));
      const onePost = last();
      watch(transport.send(request(2)));
      onePost.answer(answer);
      const foreign = { invalid: 'an answer to another request than the one it was sent for', excerpt: '' };
      expect(inbound.values).toEqual(what === 'JSON' ? [foreign] : [foreign, result(1)]);
      if (what === 'JSON') expect(one.error).toBeInstanceOf(InvalidMessageError);
    });

    it('that never comes because the stream ended is a NetworkError of a request that left', () => {
      const { transport, inbound, last } = open();
      const sent = watch(transport.send(request(1)));
      last().answer(endingStream(event(progress)));
      expect(sent.error).toBeInstanceOf(NetworkError);
      expect(sent.error).toMatchObject({ left: true, url: 'https://mcp.example/mcp' });
      expect([inbound.values, inbound.error, transport.alive]).toEqual([[progress], undefined, true]);
    });

    it.each([
      ['the answer to another one', result(2)],
      ['a request of the server with its id', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ])('is not %s, though that may be all there is', (_what, message) => {
      const { transport, last } = open();
      const sent = watch(transport.send(request(1)));
      last().answer(endingStream(event(message)));
      expect(sent.error).toMatchObject({ name: 'NetworkError', left: true });
    });

    it('that never comes because the stream broke is a NetworkError with the reason', () => {
      const { transport, last } = open();
      const sent = watch(transport.send(request(1)));
      const { response, fail } = handResponse();
      last().answer(response);
      fail(new Error('cut'));
      expect(sent.error).toMatchObject({ name: 'NetworkError', left: true, cause: new Error('cut') });
    });

    it.each([
      new HttpError(503, 'Service Unavailable', ''),
      new InvalidMessageError('x', 1, 'no'),
      new NetworkError('https://mcp.example/mcp', new Error('refused'), false),
    ])('that never comes for another reason fails with that: %p', (reason) => {
      const { transport, last } = open();
      const sent = watch(transport.send(request(1)));
      last().fail(reason);
      expect(sent.error).toBe(reason);
    });

    it('and each notice that comes before it is on the channel of its request', () => {
      const { transport, inbound, last } = open();
      watch(transport.send(request(7)));
      last().answer(endingStream(event(progress), event(result(7))));
      expect(inbound.values.map((message) => transport.channelOf(message))).toEqual([7, undefined]);
      expect(transport.channelOf(progress)).toBeUndefined();
    });

    it('to a notification is none', () => {
      const { transport, inbound, last } = open();
      const sent = watch(transport.send({ jsonrpc: '2.0', method: 'x/notice' }));
      last().answer(madeResponse(202));
      expect([inbound.values, sent.completed]).toEqual([[], true]);
    });
  });

  describe('unsubscribing', () => {
    it('before the head has come gives the request up', () => {
      const { transport, last } = open();
      watch(transport.send(request(1))).subscription.unsubscribe();
      expect(last().waits).toBe(false);
    });

    it('before the answer has come hangs up, and leaves the others alone', () => {
      const { transport, exchanges, inbound } = open();
      const [first, second] = [1, 2].map((id) => watch(transport.send(request(id))));
      const [one, other] = [handResponse(), handResponse()];
      exchanges[0]?.answer(one.response);
      exchanges[1]?.answer(other.response);
      first?.subscription.unsubscribe();
      expect([one.isRead, other.isRead]).toEqual([false, true]);
      other.push(event(result(2)));
      other.end();
      expect([inbound.values, second?.completed]).toEqual([[result(2)], true]);
    });

    it('after the answer lets the exchange end by itself, for a second', () => {
      inVirtualTime(({ at }) => {
        const { transport, last } = open();
        const sent = watch(transport.send(request(1)));
        const stream = handResponse();
        last().answer(stream.response);
        stream.push(event(result(1)));
        sent.subscription.unsubscribe();
        expect(stream.isRead).toBe(true);
        at(999, () => expect(stream.isRead).toBe(true));
        at(1_001, () => expect(stream.isRead).toBe(false));
      });
    });

    it('from a notification lets it end by itself, for a second', () => {
      inVirtualTime(({ at }) => {
        const { transport, last } = open();
        watch(transport.send({ jsonrpc: '2.0', method: 'x/notice' })).subscription.unsubscribe();
        at(999, () => expect(last().waits).toBe(true));
        at(1_001, () => expect(last().waits).toBe(false));
      });
    });

    it('inside the answer hangs up nothing', () => {
      const scripted = scriptedRequester();
      const transport = unrecorded(new ModernHttpTransport(scripted.requester));
      const sent = watch(transport.send(request(1)));
      watch(transport.inbound$.pipe(tap(() => sent.subscription.unsubscribe())));
      const stream = handResponse();
      scripted.last().answer(stream.response);
      stream.push(event(result(1)));
      expect([sent.subscription.closed, stream.isRead]).toEqual([true, true]);
      stream.end();
    });

    it('after the answer is waited for no longer than its body lasts', () => {
      const before = holdingTimers();
      const { transport, last } = open();
      const sent = watch(transport.send(request(1)));
      const stream = handResponse();
      last().answer(stream.response);
      stream.push(event(result(1)));
      sent.subscription.unsubscribe();
      expect(holdingTimers()).toBe(before + 1);
      stream.end();
      expect(holdingTimers()).toBe(before);
    });

    it('with an answer that is the whole body leaves nothing to wait for', () => {
      jest.useFakeTimers();
      try {
        const scripted = scriptedRequester();
        const transport = unrecorded(new ModernHttpTransport(scripted.requester));
        const sent = watch(transport.send(request(1)));
        const inbound = watch(transport.inbound$.pipe(tap(() => sent.subscription.unsubscribe())));
        scripted.last().answer(json(result(1)));
        expect([inbound.values, jest.getTimerCount()]).toEqual([[result(1)], 0]);
      } finally {
        jest.useRealTimers();
      }
    });
  });

  describe('close()', () => {
    it('ends everything that is out, and what lingers', async () => {
      const { transport, exchanges, inbound } = open();
      const waiting = watch(transport.send(request(1)));
      const answered = watch(transport.send(request(2)));
      const stream = handResponse();
      exchanges[1]?.answer(stream.response);
      stream.push(event(result(2)));
      answered.subscription.unsubscribe();
      await transport.close();
      expect(waiting.error).toBeInstanceOf(TransportClosedError);
      expect([exchanges[0]?.waits, stream.isRead]).toEqual([false, false]);
      expect([inbound.completed, transport.alive]).toEqual([true, false]);
      expect(watch(transport.send(request(3))).error).toBeInstanceOf(TransportClosedError);
      expect(exchanges).toHaveLength(2);
      await transport.close();
    });
  });

  describe('a server that has become one of the old era', () => {
    const refusal = (id: unknown = null) =>
      json({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Bad Request: Server not initialized' } }, 400);

    it('is the end of the wire, and the request was not read', () => {
      const one = open();
      const sent = watch(one.transport.send(request(1, 'tools/call', { name: 'pay' })));
      one.last().answer(refusal());
      expect(sent.error).toBeInstanceOf(UnsentError);
      expect(one.inbound).toMatchObject({ values: [], error: { name: 'HttpError', status: 404 } });
      expect(one.transport.alive).toBe(false);
    });

    it('says so to each request that is out, and one that has begun to be answered is lost', () => {
      const one = open();
      const begun = watch(one.transport.send(request(1)));
      const stream = handResponse();
      one.last().answer(stream.response);
      stream.push(event(progress));
      const first = watch(one.transport.send(request(2)));
      const firstPost = one.last();
      const second = watch(one.transport.send(request(3)));
      firstPost.answer(refusal());
      expect(begun.error).toMatchObject({ name: 'HttpError', status: 404 });
      expect([first.error, second.error]).toEqual([expect.any(UnsentError), undefined]);
      one.last().answer(refusal(3));
      expect(second.error).toBeInstanceOf(UnsentError);
    });

    it('waits for nothing that it may say to the probe', () => {
      const one = open();
      const probe = watch(one.transport.send(request(1, 'server/discover')));
      watch(one.transport.send(request(2)));
      one.last().answer(refusal());
      expect(probe.error).toMatchObject({ name: 'HttpError', status: 404 });
      expect([one.exchanges[0]?.waits, one.inbound.error]).toEqual([false, probe.error]);
    });

    it('waits for nothing that is given up meanwhile, nor longer than half a second for the rest', () => {
      inVirtualTime(({ at }) => {
        const one = open();
        const [first] = [1, 2, 3].map((id) => watch(one.transport.send(request(id))));
        one.exchanges[1]?.answer(refusal());
        first?.subscription.unsubscribe();
        at(499, () => expect(one.inbound.error).toBeUndefined());
        at(501, () => expect(one.inbound.error).toMatchObject({ name: 'HttpError', status: 404 }));
      });
    });

    it('waits for nothing once it is closed', async () => {
      const one = open();
      const [, other] = [1, 2].map((id) => watch(one.transport.send(request(id))));
      one.exchanges[0]?.answer(refusal());
      await one.transport.close();
      expect(other?.error).toBeInstanceOf(TransportClosedError);
      expect([one.inbound.error, one.inbound.completed]).toEqual([undefined, true]);
    });

    it('has answered what it answers meanwhile', () => {
      const one = open();
      watch(one.transport.send(request(1)));
      const slowPost = one.last();
      watch(one.transport.send(request(2)));
      one.last().answer(refusal());
      slowPost.answer(json(result(1)));
      expect(one.inbound.values).toEqual([result(1)]);
      expect(one.inbound.error).toMatchObject({ status: 404 });
    });

    it('is not what a refusal of the probe says, nor any other one', () => {
      const one = open();
      const probe = watch(one.transport.send(request(1, 'server/discover')));
      one.last().answer(refusal());
      expect(probe.completed).toBe(true);
      for (const answer of [madeResponse(404, {}, 'Session not found'), json({ error: 'bad' }, 400)]) {
        const sent = watch(one.transport.send(request(2)));
        one.last().answer(answer);
        expect(sent.error).toBeInstanceOf(HttpError);
      }
      expect([one.transport.alive, one.inbound.error]).toEqual([true, undefined]);
    });
  });
});
