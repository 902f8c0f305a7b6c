import { describe, expect, it } from '@jest/globals';
import {
  HttpError,
  NetworkError,
  ProtocolError,
  TransportClosedError,
  UnauthorizedError,
  UnsentError,
} from '../../../src/errors/index.js';
import { LegacyHttpTransport } from '../../../src/transport/http/legacy-transport.js';
import type { HttpParameters } from '../../../src/transport/http/options.js';
import { type At, inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { unrecorded } from '../../support/frames/unrecorded.js';
import { event } from '../../support/http/loopback.js';
import { endingStream, json, madeResponse } from '../../support/http/responses.js';
import { type Exchange, handResponse, scriptedRequester } from '../../support/http/scripted-requester.js';

const RETRY = { attempts: 3, firstDelayMs: 100, maxDelayMs: 1_000 };

const request = (id: number, method = 'x/request') => ({ jsonrpc: '2.0', id, method, params: {} }) as const;
const result = (id: number, value: object = { of: id }) => ({ jsonrpc: '2.0', id, result: value }) as const;
const notice = (n: number) => ({ jsonrpc: '2.0', method: 'notifications/x', params: { n } }) as const;
const INITIALIZE = request(0, 'initialize');
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

const initialized = (session: string | undefined, protocolVersion = '2025-11-25') =>
  json(
    result(0, { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } }),
    200,
    session === undefined ? {} : { 'mcp-session-id': session },
  );

const open = (parameters: Partial<HttpParameters> = {}) => {
  const scripted = scriptedRequester({ retry: RETRY, ...parameters });
  const transport = unrecorded(new LegacyHttpTransport(scripted.requester));
  const inbound = watch(transport.inbound$);
  const warnings = watch(transport.warnings$);
  const send = (message: Parameters<LegacyHttpTransport['send']>[0]) => watch(transport.send(message));
  return { ...scripted, last: scripted.last, transport, inbound, warnings, send };
};

type Opened = ReturnType<typeof open>;

/** A transport whose handshake is over; what it brought is forgotten. */
const handshaken = (
  session: string | undefined = 's1',
  version?: string,
  parameters?: Partial<HttpParameters>,
): Opened => {
  const one = open(parameters);
  one.send(INITIALIZE);
  one.last().answer(initialized(session, version));
  one.send(INITIALIZED);
  one.last().answer(madeResponse(202));
  one.inbound.values.splice(0);
  return one;
};

/** …and whose own stream is refused, so that nothing waits for it. */
const settled = (session?: string, version?: string): Opened => {
  const one = handshaken(session, version);
  one.last('GET').answer(madeResponse(405));
  return one;
};

const field = ({ draft }: Exchange, name: string): string | undefined => draft.headers[name];

const later = (n = 5): Promise<void> => (n === 0 ? Promise.resolve() : Promise.resolve().then(() => later(n - 1)));

describe('legacy Streamable HTTP', () => {
  it('is given up by a notice, and mirrors nothing', () => {
    expect(open().transport).toMatchObject({ cancelBy: 'notice', mirrorsHeaders: false, alive: true });
  });

  describe('a session', () => {
    it('is taken from the answer to initialize, and named in everything after it', () => {
      const one = settled('s1');
      one.send(request(1));
      one.send(INITIALIZED);
      expect(one.exchanges.map((exchange) => [exchange.draft.method, field(exchange, 'mcp-session-id')])).toEqual([
        ['POST', undefined],
        ['POST', 's1'],
        ['GET', 's1'],
        ['POST', 's1'],
        ['POST', 's1'],
      ]);
      one.last().answer(madeResponse(202));
    });

    it('is not named in an initialize that renews it, and the new one is taken up', () => {
      const one = settled('s1');
      one.send(INITIALIZE);
      expect(field(one.last(), 'mcp-session-id')).toBeUndefined();
      expect(field(one.last(), 'mcp-protocol-version')).toBeUndefined();
      one.last().answer(initialized('s2'));
      one.send(request(1));
      expect(field(one.last(), 'mcp-session-id')).toBe('s2');
    });

    it('is not taken from a refusal, nor from any other answer', () => {
      const one = open();
      one.send(INITIALIZE);
      one.last().answer(json({}, 400, { 'mcp-session-id': 'evil' }));
      one.send(request(1));
      one.last().answer(json(result(1), 200, { 'mcp-session-id': 'evil' }));
      one.send(request(2));
      expect(field(one.last(), 'mcp-session-id')).toBeUndefined();
    });

    it('is none where it is empty', () => {
      const one = open();
      one.send(INITIALIZE);
      one.last().answer(initialized(''));
      one.send(request(1));
      expect(field(one.last(), 'mcp-session-id')).toBeUndefined();
    });

    it('may be none', () => {
      const one = open();
      one.send(INITIALIZE);
      one.last().answer(initialized(undefined));
      one.send(request(1));
      expect(field(one.last(), 'mcp-session-id')).toBeUndefined();
    });
  });

  describe('the version', () => {
    it.each(['2025-06-18', '2025-11-25'])('that was agreed on is named in everything after: %s', (version) => {
      const one = settled('s1', version);
      one.send(request(1));
      expect(one.exchanges.map((exchange) => field(exchange, 'mcp-protocol-version'))).toEqual([
        undefined,
        version,
        version,
        version,
      ]);
    });

    it('is not named where there was no such header yet', () => {
      const one = settled('s1', '2025-03-26');
      one.send(request(1));
      expect(one.exchanges.map((exchange) => field(exchange, 'mcp-protocol-version'))).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    });
  });

  describe('the server’s own stream', () => {
    it('is asked for once the server is told that the handshake is over, and once only', () => {
      const one = open();
      one.send(INITIALIZE);
      one.last().answer(initialized('s1'));
      one.send(INITIALIZED);
      expect(one.exchanges).toHaveLength(2);
      one.last().answer(madeResponse(202));
      expect(one.exchanges.map(({ draft }) => draft.method)).toEqual(['POST', 'POST', 'GET']);
      expect(one.last().draft.headers).toEqual({
        accept: 'text/event-stream',
        'mcp-session-id': 's1',
        'mcp-protocol-version': '2025-11-25',
      });
      one.last().answer(madeResponse(405));
      one.send(INITIALIZED);
      one.last().answer(madeResponse(202));
      expect(one.exchanges.filter(({ draft }) => draft.method === 'GET')).toHaveLength(1);
    });

    it('is heard beside everything else: notifications, and the server’s own requests', () => {
      const one = handshaken();
      const stream = handResponse();
      one.last('GET').answer(stream.response);
      const ask = { jsonrpc: '2.0', id: 'r1', method: 'roots/list' } as const;
      stream.push(event(notice(1)), event(ask));
      expect(one.inbound.values).toEqual([notice(1), ask]);
    });

    it('may be missing, and nothing is said of it', () => {
      const one = handshaken();
      one.last('GET').answer(madeResponse(405, {}, 'Method Not Allowed'));
      expect([one.warnings.values, one.inbound.error, one.transport.alive]).toEqual([[], undefined, true]);
    });

    it.each([
      ['HTML', madeResponse(200, { 'content-type': 'text/html' }, '<html>')],
      ['JSON', json({})],
      ['a refusal', madeResponse(400, {}, 'Bad Request')],
      ['not found, by a server that answers no GET at all', madeResponse(404, {}, 'Cannot GET /mcp')],
    ])('that cannot be had is one warning, and is not asked for again: %s', (_what, response) => {
      inVirtualTime(({ at }) => {
        const one = handshaken();
        one.last('GET').answer(response);
        at(100_000, () => {
          expect(one.warnings.values).toEqual([expect.stringMatching(/own stream cannot be had/)]);
          expect(one.exchanges.filter(({ draft }) => draft.method === 'GET')).toHaveLength(1);
          expect([one.inbound.error, one.transport.alive]).toEqual([undefined, true]);
        });
      });
    });

    it('that closes is opened again, and quietly', () => {
      inVirtualTime(({ at }) => {
        const one = handshaken();
        const first = handResponse();
        one.last('GET').answer(first.response);
        first.push(event(notice(1), { id: 'e1' }));
        first.end();
        at(200, () => {
          expect(field(one.last('GET'), 'last-event-id')).toBe('e1');
          const second = handResponse();
          one.last('GET').answer(second.response);
          second.push(event(notice(2)));
          expect(one.inbound.values).toEqual([notice(1), notice(2)]);
          expect(one.warnings.values).toEqual([]);
          void one.transport.close();
        });
      });
    });

    it('that breaks again and again is given up with a warning, and the rest goes on', () => {
      inVirtualTime(({ at }) => {
        const one = handshaken();
        one.last('GET').answer(endingStream());
        for (const ms of [150, 400, 900]) at(ms, () => one.last('GET').answer(endingStream()));
        at(100_000, () => {
          expect(one.exchanges.filter(({ draft }) => draft.method === 'GET')).toHaveLength(4);
          expect(one.warnings.values).toHaveLength(1);
          expect(one.transport.alive).toBe(true);
        });
      });
    });

    describe('of a server that cannot be reached', () => {
      const down = (left = false) => new NetworkError('https://mcp.example/mcp', new Error('refused'), left);
      const gets = ({ exchanges }: Opened): number => exchanges.filter(({ draft }) => draft.method === 'GET').length;

      /** A transport whose own stream broke after it had been there; the server is down at these moments. */
      const broken = (at: At, moments: readonly number[], failure = down()): Opened => {
        const one = handshaken();
        const own = handResponse();
        one.last('GET').answer(own.response);
        own.fail(new Error('cut'));
        for (const ms of moments) at(ms, () => one.last('GET').fail(failure));
        return one;
      };

      it.each([false, true])('is the end of the wire, once the tries are used up: left is %p', (left) => {
        inVirtualTime(({ at }) => {
          const one = broken(at, [150, 400, 900], down(left));
          at(899, () => expect([one.inbound.error, one.transport.alive]).toEqual([undefined, true]));
          at(901, () => {
            expect(one.inbound.error).toEqual(down(left));
            expect([one.transport.alive, one.warnings.values, one.warnings.completed]).toEqual([false, [], true]);
            expect(one.send(request(1)).error).toBeInstanceOf(TransportClosedError);
          });
          at(100_000, () => expect(gets(one)).toBe(4));
        });
      });

      it('is so, too, where it was down before there was a stream', () => {
        inVirtualTime(({ at }) => {
          const one = handshaken();
          for (const ms of [0, 150, 400, 900]) at(ms, () => one.last('GET').fail(down()));
          at(901, () => expect([one.inbound.error, one.transport.alive]).toEqual([down(), false]));
        });
      });

      it('is so at once where no retries are wanted', () => {
        const one = handshaken(undefined, undefined, { retry: { attempts: 0 } });
        one.last('GET').fail(down());
        expect([one.inbound.error, one.transport.alive]).toEqual([down(), false]);
      });

      it('is not so where it never was a stream and hangs up on whoever asks: other requests it may answer', () => {
        inVirtualTime(({ at }) => {
          const one = handshaken();
          for (const ms of [0, 150, 400, 900]) at(ms, () => one.last('GET').fail(down(true)));
          at(100_000, () => {
            expect([one.inbound.error, one.transport.alive, gets(one)]).toEqual([undefined, true, 4]);
            expect(one.warnings.values).toEqual([expect.stringMatching(/own stream cannot be had/)]);
          });
        });
      });

      it('is so where the stream came at a later try only', () => {
        inVirtualTime(({ at }) => {
          const one = handshaken();
          one.last('GET').fail(down());
          at(150, () => one.last('GET').answer(endingStream(event(notice(1)))));
          for (const ms of [300, 600, 1_100]) at(ms, () => one.last('GET').fail(down(true)));
          at(1_101, () => expect([one.inbound.error, one.transport.alive]).toEqual([down(true), false]));
        });
      });

      it('is not so while a request is out: it is tried again and again, at the longest delay', () => {
        inVirtualTime(({ at }) => {
          const one = broken(at, [150, 400, 900, 1_950, 2_960]);
          const sent = one.send(request(1));
          at(1_899, () => expect(gets(one)).toBe(4));
          at(1_901, () => expect(gets(one)).toBe(5));
          at(2_961, () => {
            expect([one.transport.alive, one.inbound.error, sent.error]).toEqual([true, undefined, undefined]);
            expect(one.warnings.values).toEqual([]);
          });
          at(3_965, () => {
            const stream = handResponse();
            one.last('GET').answer(stream.response);
            stream.push(event(notice(2)));
            expect(one.inbound.values).toEqual([notice(2)]);
            expect(gets(one)).toBe(7);
          });
          at(10_000, () => {
            expect([one.transport.alive, one.warnings.values, gets(one)]).toEqual([true, [], 7]);
            void one.transport.close();
          });
        });
      });

      it('is so at the next try after the last request was answered or given up', () => {
        inVirtualTime(({ at }) => {
          const one = broken(at, [150, 400, 900, 1_950]);
          const sent = one.send(request(1));
          at(1_000, () => sent.subscription.unsubscribe());
          at(1_949, () => expect(one.transport.alive).toBe(true));
          at(1_951, () => expect([one.inbound.error, one.transport.alive]).toEqual([down(), false]));
        });
      });

      it('is not so where it is refused at last: that is a warning', () => {
        inVirtualTime(({ at }) => {
          const one = broken(at, [150, 400]);
          at(900, () => one.last('GET').answer(madeResponse(503)));
          at(100_000, () => {
            expect([one.inbound.error, one.transport.alive]).toEqual([undefined, true]);
            expect(one.warnings.values).toEqual([expect.stringMatching(/own stream cannot be had/)]);
          });
        });
      });
    });

    it('that is refused later because the session is gone is the end of the wire', () => {
      inVirtualTime(({ at }) => {
        const one = handshaken();
        one.last('GET').answer(endingStream(event(notice(1))));
        at(200, () => {
          one.last('GET').answer(madeResponse(404));
          expect(one.inbound.error).toMatchObject({ name: 'HttpError', status: 404 });
          expect([one.transport.alive, one.warnings.values]).toEqual([false, []]);
        });
      });
    });
  });

  describe('an answer', () => {
    it('in JSON, or a batch of it, is heard and ends the exchange', () => {
      const one = settled();
      const first = one.send(request(1));
      one.last().answer(json(result(1)));
      const second = one.send(request(2));
      one.last().answer(json([notice(1), result(2)]));
      expect(one.inbound.values).toEqual([result(1), notice(1), result(2)]);
      expect([first.completed, second.completed]).toEqual([true, true]);
    });

    it('in a stream is heard behind what comes before it, requests of the server included', () => {
      const one = settled();
      const sent = one.send(request(1));
      const ask = { jsonrpc: '2.0', id: 5, method: 'sampling/createMessage', params: {} } as const;
      one.last().answer(endingStream(event([notice(1), ask]), event(result(1))));
      expect([one.inbound.values, sent.completed]).toEqual([[notice(1), ask, result(1)], true]);
    });

    it('that is lost with a stream without ids is a NetworkError of a request that left', () => {
      const one = settled();
      const ended = one.send(request(1));
      one.last().answer(endingStream(event(notice(1))));
      expect(ended.error).toMatchObject({ name: 'NetworkError', left: true });
      const broken = one.send(request(2));
      const stream = handResponse();
      one.last().answer(stream.response);
      stream.fail(new Error('cut'));
      expect(broken.error).toMatchObject({ name: 'NetworkError', left: true, cause: new Error('cut') });
      expect([one.transport.alive, one.inbound.error]).toEqual([true, undefined]);
    });

    it('that is refused is an invalid message with the error, or an HttpError', () => {
      const one = settled();
      one.send(request(1));
      one.last().answer(json({ jsonrpc: '2.0', id: 'server-error', error: { code: -32_600, message: 'no' } }, 400));
      expect(one.inbound.values).toMatchObject([{ id: 1, error: { code: -32_600 } }]);
      const second = one.send(request(2));
      one.last().answer(madeResponse(500, {}, 'down'));
      expect(second.error).toEqual(new HttpError(500, 'status 500', 'down', undefined, 'https://mcp.example/mcp'));
      expect(one.transport.alive).toBe(true);
    });

    it('to a message that wants none is none: answers and notices are accepted', () => {
      const one = settled();
      const sent = one.send({ jsonrpc: '2.0', id: 5, result: {} });
      one.last().answer(madeResponse(202));
      expect([sent.completed, one.inbound.values]).toEqual([true, []]);
    });
  });

  describe('a stream that can be taken up again', () => {
    it('is, after a break: by GET, from the last event on, in the same session', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        const sent = one.send(request(1));
        const stream = handResponse();
        one.last().answer(stream.response);
        stream.push(event('', { id: 'e0' }), event(notice(1), { id: 'e1' }));
        stream.fail(new Error('cut'));
        at(200, () => {
          expect(one.last().draft).toMatchObject({
            method: 'GET',
            headers: { accept: 'text/event-stream', 'last-event-id': 'e1', 'mcp-session-id': 's1' },
          });
          one.last().answer(endingStream(event(notice(2), { id: 'e2' }), event(result(1), { id: 'e3' })));
          expect(one.inbound.values).toEqual([notice(1), notice(2), result(1)]);
          expect(sent.completed).toBe(true);
        });
      });
    });

    it('is asked for when the server wants it, where it was closed on purpose', () => {
      inVirtualTime(({ at, now }) => {
        const one = settled();
        const sent = one.send(request(1));
        one.last().answer(endingStream(event('', { id: 'e0', retry: 700 })));
        at(699, () => expect(one.last().draft.method).toBe('POST'));
        at(701, () => {
          expect([now(), one.last().draft.method]).toEqual([701, 'GET']);
          one.last().answer(endingStream(event(result(1))));
          expect(sent.completed).toBe(true);
        });
      });
    });

    it('and can no longer be is a NetworkError, after a few tries', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        const sent = one.send(request(1));
        one.last().answer(endingStream(event('', { id: 'e0' })));
        const down = new NetworkError('https://mcp.example/mcp', new Error('refused'), false);
        for (const ms of [150, 400, 900]) at(ms, () => one.last('GET').fail(down));
        at(5_000, () => {
          expect(sent.error).toMatchObject({ name: 'NetworkError', cause: down.cause, left: true });
          expect(one.transport.alive).toBe(true);
        });
      });
    });

    it.each([
      ['a refusal', json({}, 405)],
      ['a page', madeResponse(200, { 'content-type': 'text/html' })],
      ['a failure of the server', madeResponse(503, { 'retry-after': '3600' })],
    ])('and cannot be, for %s, is lost: the request has left', (_, answer) => {
      inVirtualTime(({ at }) => {
        const one = settled();
        const sent = one.send(request(1));
        one.last().answer(endingStream(event('', { id: 'e0' })));
        at(900, () => {
          one.last('GET').answer(answer);
          expect(sent.error).toMatchObject({ name: 'NetworkError', left: true });
          expect((sent.error as Error).cause).toBeInstanceOf(HttpError);
        });
      });
    });

    it('is asked for by the id of its last event in UTF-8, whatever that is made of', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        one.send(request(1));
        one.last().answer(endingStream(event('', { id: 'é件' })));
        at(900, () => {
          expect(Buffer.from(field(one.last('GET'), 'last-event-id') ?? '', 'latin1').toString()).toBe('é件');
        });
      });
    });

    it('in a session that is gone is the end of the wire', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        const sent = one.send(request(1));
        one.last().answer(endingStream(event('', { id: 'e0' })));
        at(200, () => {
          one.last('GET').answer(madeResponse(404));
          expect(sent.error).toMatchObject({ name: 'HttpError', status: 404 });
          expect(one.inbound.error).toMatchObject({ name: 'HttpError', status: 404 });
          expect(one.transport.alive).toBe(false);
        });
      });
    });

    it('is let go with its request', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        const sent = one.send(request(1));
        one.last().answer(endingStream(event('', { id: 'e0' })));
        sent.subscription.unsubscribe();
        at(10_000, () => expect(one.last().draft.method).toBe('POST'));
      });
    });

    it('whose answer has come is not taken up again', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        const sent = one.send(request(1));
        const stream = handResponse();
        one.last().answer(stream.response);
        stream.push(event(result(1), { id: 'e1' }));
        stream.fail(new Error('cut'));
        at(10_000, () => expect([sent.completed, one.last().draft.method]).toEqual([true, 'POST']));
      });
    });
  });

  describe('a session that the server has forgotten', () => {
    const NO_SESSION = {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_000, message: 'Bad Request: No valid session ID' },
    };
    const NOT_STARTED = { ...NO_SESSION, error: { code: -32_000, message: 'Bad Request: Server not initialized' } };

    it.each([
      ['404', madeResponse(404, {}, 'Session not found')],
      ['404 with an error of the protocol', json({ ...NO_SESSION, id: 'server-error' }, 404)],
      ['400 with an error that says so', json(NO_SESSION, 400)],
      ['400 with an error of a server that has just started', json(NOT_STARTED, 400)],
      ['400 with words that say so', madeResponse(400, {}, 'no such session')],
    ])('is the end of the wire: told by %s', (_how, response) => {
      const one = settled();
      const begun = one.send(request(1));
      const stream = handResponse();
      one.last().answer(stream.response);
      stream.push(event(notice(1)));
      const sent = one.send(request(2));
      one.last().answer(response);
      // It was refused unread, while the other one was begun.
      expect(sent.error).toBeInstanceOf(UnsentError);
      expect(begun.error).toMatchObject({ name: 'HttpError', status: 404 });
      expect(one.inbound.error).toMatchObject({ name: 'HttpError', status: 404 });
      expect([one.inbound.values, one.transport.alive, stream.isRead]).toEqual([[notice(1)], false, false]);
      expect(one.send(request(3)).error).toBeInstanceOf(TransportClosedError);
    });

    it('is told in a sentence with the endpoint, and not in a body that the server never sent', () => {
      const one = settled();
      one.send(request(1));
      one.last().answer(json(NO_SESSION, 400));
      expect(one.inbound.error).toMatchObject({
        url: 'https://mcp.example/mcp',
        body: '',
        message:
          'https://mcp.example/mcp answered 404 Not Found: ' +
          'the server has forgotten the session: Bad Request: No valid session ID',
      });
    });

    it('lets the other requests hear, too, that they were refused unread; one that was not is answered', () => {
      const one = settled();
      const sent = [1, 2, 3, 4].map((id) => one.send(request(id)));
      const [first, second, third, fourth] = one.exchanges.slice(-4);
      first?.answer(madeResponse(404));
      expect([one.transport.alive, one.inbound.error]).toEqual([false, undefined]);
      expect(one.send(request(5)).error).toBeInstanceOf(TransportClosedError);
      second?.answer(json(result(2)));
      third?.answer(json(NO_SESSION, 400));
      expect(one.inbound.error).toBeUndefined();
      sent[3]?.subscription.unsubscribe();
      expect(fourth?.waits).toBe(false);
      expect(sent.map(({ error, completed }) => (completed ? 'complete' : error))).toEqual([
        expect.any(UnsentError),
        'complete',
        expect.any(UnsentError),
        undefined,
      ]);
      expect(one.inbound.values).toEqual([result(2)]);
      expect(one.inbound.error).toMatchObject({ name: 'HttpError', status: 404 });
    });

    it('waits for what else the server has to say no longer than half a second', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        const [, other] = [one.send(request(1)), one.send(request(2))];
        one.exchanges.at(-2)?.answer(madeResponse(404));
        at(499, () => expect([other.error, one.inbound.error]).toEqual([undefined, undefined]));
        at(501, () => {
          expect(other.error).toMatchObject({ name: 'HttpError', status: 404 });
          expect(one.inbound.error).toMatchObject({ name: 'HttpError', status: 404 });
        });
      });
    });

    it('waits for nothing once it is closed', async () => {
      const one = settled();
      const [, other] = [one.send(request(1)), one.send(request(2))];
      one.exchanges.at(-2)?.answer(madeResponse(404));
      await one.transport.close();
      expect(other.error).toBeInstanceOf(TransportClosedError);
      expect([one.inbound.error, one.inbound.completed]).toEqual([undefined, true]);
    });

    it('is not what any other 400 means', () => {
      const one = settled();
      const sent = one.send(request(1));
      one.last().answer(json({ ...NO_SESSION, error: { code: -32_602, message: 'Invalid arguments' } }, 400));
      expect([sent.completed, one.transport.alive]).toEqual([true, true]);
      expect(one.inbound.values).toMatchObject([{ id: 1, error: new ProtocolError(-32_602, 'Invalid arguments') }]);
    });

    it('is not what a 404 means where there is none', () => {
      const one = settled(undefined);
      const [session] = one.exchanges.map((exchange) => field(exchange, 'mcp-session-id'));
      expect(session).toBeUndefined();
      const bare = open();
      const sent = bare.send(request(1));
      bare.last().answer(madeResponse(404));
      expect(sent.error).toMatchObject({ name: 'HttpError', status: 404 });
      expect(bare.transport.alive).toBe(true);
    });

    it.each([
      ['JSON', json(result(1))],
      ['a stream', endingStream(event(result(1)))],
    ])('has answered what it answers meanwhile, by %s', (_, answer) => {
      const one = settled();
      one.send(request(1));
      const slowPost = one.last();
      one.send(request(2));
      one.last().answer(madeResponse(404));
      slowPost.answer(answer);
      expect(one.inbound.values).toEqual([result(1)]);
      expect(one.inbound.error).toMatchObject({ status: 404 });
    });

    it('does not take what was kept back behind the handshake with it: that has never left', () => {
      const one = open();
      one.send(INITIALIZE);
      one.last().answer(initialized('s1'));
      const notice = one.send(INITIALIZED);
      const held = one.send(request(1));
      const posts = one.exchanges.length;
      one.last().answer(madeResponse(404));
      expect([notice.error, held.error]).toEqual([expect.any(UnsentError), expect.any(UnsentError)]);
      expect(held.error).toMatchObject({
        message: expect.stringMatching(/the session ended before this was sent/),
        cause: (notice.error as UnsentError).cause,
      });
      expect([one.exchanges.length, one.transport.alive]).toEqual([posts, false]);
    });

    it('is not what a refused answer or notice means that speaks of sessions, in other words than 404', () => {
      const one = settled();
      const call = one.send(request(1));
      const refused = one.send({ jsonrpc: '2.0', id: 'e1', result: {} });
      one
        .last()
        .answer(json({ jsonrpc: '2.0', id: null, error: { code: -1, message: 'unknown session-scoped id' } }, 400));
      expect(refused.error).toBeDefined();
      expect([call.error, one.transport.alive, one.inbound.error]).toEqual([undefined, true, undefined]);
    });

    it('waits for nothing that it may say to initialize', () => {
      const one = settled();
      const first = one.send(INITIALIZE);
      one.send(request(1));
      one.last().answer(madeResponse(404));
      expect(first.error).toMatchObject({ name: 'HttpError', status: 404 });
      expect(one.inbound.error).toBe(first.error);
    });

    it('is not what a 404 to initialize means', () => {
      const one = settled();
      const sent = one.send(INITIALIZE);
      one.last().answer(madeResponse(404));
      expect(sent.error).toBeInstanceOf(HttpError);
      expect([one.transport.alive, one.inbound.error]).toEqual([true, undefined]);
    });
  });

  describe('a request', () => {
    const down = new NetworkError('https://mcp.example/mcp', new Error('refused'), false);
    const wanted = new UnauthorizedError('Bearer', 'https://mcp.example/mcp');

    it.each([down, wanted])('that fails before its answer began fails with what it failed with: %p', (reason) => {
      const one = settled();
      const sent = one.send(request(1));
      one.last().fail(reason);
      expect([sent.error, sent.completed]).toEqual([reason, false]);
      expect(one.transport.alive).toBe(true);
    });

    it.each([
      ['the answer to another one', result(2)],
      ['a request of the server with its id', { jsonrpc: '2.0', id: 1, method: 'ping' }],
      ['a notice', notice(1)],
    ])('is not answered by %s', (_what, message) => {
      const one = settled();
      const sent = one.send(request(1));
      one.last().answer(endingStream(event(message)));
      expect(one.inbound.values).toEqual([message]);
      expect(sent.error).toMatchObject({ name: 'NetworkError', left: true });
    });

    it('agrees on no version, whatever its answer names', () => {
      const one = settled();
      one.send(request(1));
      one.last().answer(json(result(1, { protocolVersion: '2025-06-18' })));
      one.send(request(2));
      expect(field(one.last(), 'mcp-protocol-version')).toBe('2025-11-25');
    });
  });

  describe('the channel of a message', () => {
    it('is the request on the stream of whose answer it came, and none for what came on the server’s own stream', () => {
      const one = handshaken();
      const own = handResponse();
      one.last('GET').answer(own.response);
      own.push(event(notice(1)));
      one.send(request(1));
      const question = { jsonrpc: '2.0', id: 9, method: 'roots/list' };
      one.last().answer(endingStream(event(notice(2)), event(question)));
      expect(one.inbound.values).toEqual([notice(1), notice(2), question]);
      expect(one.inbound.values.map((message) => one.transport.channelOf(message))).toEqual([undefined, 1, 1]);
      own.end();
      void one.transport.close();
    });
  });

  describe('a request for which somebody may be asked for an authorization', () => {
    it('is a call, with the stream of its answer; and no notice, no answer, no stream of the server’s own', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        one.send(request(1));
        one.last('POST').answer(endingStream(event('', { id: 'e0' })));
        at(900, () => {
          one.last('GET').answer(endingStream(event(result(1))));
          watch(one.transport.send(request(2), { background: true }));
          one.send({ jsonrpc: '2.0', id: 5, result: {} });
          void one.transport.close();
          expect(one.exchanges.map(({ draft, concern }) => [draft.method, concern])).toEqual([
            ['POST', 'call'],
            ['POST', 'background'],
            ['GET', 'background'],
            ['POST', 'call'],
            ['GET', 'call'],
            ['POST', 'background'],
            ['POST', 'background'],
            ['DELETE', 'goodbye'],
          ]);
        });
      });
    });
  });

  describe('an authorization that is wanted', () => {
    const wanted = () => new UnauthorizedError('Bearer', 'https://mcp.example/mcp');
    const gets = ({ exchanges }: Opened): number => exchanges.filter(({ draft }) => draft.method === 'GET').length;

    it('for the server’s own stream is a warning, and it is opened once a call was begun with a new one', () => {
      const one = handshaken();
      one.last('GET').fail(wanted());
      expect(one.warnings.values).toEqual([expect.stringMatching(/own stream cannot be had.*authorization/)]);
      one.send(request(1));
      one.last().answer(json(result(1)));
      expect(gets(one)).toBe(1);
      one.renew();
      one.send({ jsonrpc: '2.0', id: 5, result: {} });
      one.last().answer(madeResponse(202));
      one.send(request(2));
      one.last().fail(new HttpError(500, '', ''));
      one.send(request(2));
      one.last().answer(json({ jsonrpc: '2.0', id: 2, error: { code: -32_600, message: 'no' } }, 400));
      expect(gets(one)).toBe(1);
      one.send(request(3));
      one.last().answer(json(result(3)));
      expect(gets(one)).toBe(2);
      const own = handResponse();
      one.last('GET').answer(own.response);
      one.renew();
      one.send(request(4));
      one.last().answer(json(result(4)));
      own.push(event(notice(1)));
      expect([gets(one), one.inbound.values.at(-1)]).toEqual([2, notice(1)]);
      void one.transport.close();
    });

    it('for the server’s own stream may be wanted again, and each new one is tried once', () => {
      const one = handshaken();
      for (let n = 1; n <= 3; n += 1) {
        one.last('GET').fail(wanted());
        one.renew();
        one.send(request(n));
        one.last('POST').answer(json(result(n)));
        expect(gets(one)).toBe(n + 1);
      }
      expect(one.warnings.values).toHaveLength(3);
    });

    it('does not help a stream that could not be had for another reason', () => {
      const one = handshaken();
      one.last('GET').answer(madeResponse(400));
      one.renew();
      one.send(request(1));
      one.last().answer(json(result(1)));
      expect(gets(one)).toBe(1);
    });

    it('for the notice that ends the handshake is left to the next call, which has it sent again before itself', () => {
      const one = open();
      one.send(INITIALIZE);
      one.last().answer(initialized('s1'));
      const sent = one.send(INITIALIZED);
      one.last().fail(wanted());
      expect([sent.completed, sent.error, one.exchanges.length]).toEqual([true, undefined, 2]);
      one.send(request(1));
      expect([one.last().message, one.last().concern]).toEqual([INITIALIZED, 'call']);
      const accepted = madeResponse(202);
      one.last().answer(accepted);
      expect(accepted.discarded).toBe(true);
      expect(one.exchanges.slice(2).map(({ draft, message }) => [draft.method, message])).toEqual([
        ['POST', INITIALIZED],
        ['GET', {}],
        ['POST', request(1)],
      ]);
    });
  });

  describe('the notice that ends the handshake', () => {
    it('keeps nothing back any longer once it has failed', () => {
      const one = open();
      one.send(INITIALIZE);
      one.last().answer(initialized('s1'));
      const sent = one.send(INITIALIZED);
      one.send(request(1));
      expect(one.exchanges).toHaveLength(2);
      one.last().answer(madeResponse(500));
      expect(sent.error).toMatchObject({ name: 'HttpError', status: 500 });
      expect(one.last().message).toEqual(request(1));
    });

    it('keeps nothing back any longer once the server’s own stream is there, or cannot be had', () => {
      for (const answer of [handResponse().response, madeResponse(405)]) {
        const one = handshaken();
        one.send(request(1));
        expect(one.last().draft.method).toBe('GET');
        one.last().answer(answer);
        expect(one.last('POST').message).toEqual(request(1));
        void one.transport.close();
      }
    });

    it('keeps nothing back any longer once the server’s own stream has failed', () => {
      const one = handshaken();
      one.send(request(1));
      one.last('GET').fail(new NetworkError('https://mcp.example/mcp', new Error('cut'), true));
      expect(one.last().message).toEqual(request(1));
      void one.transport.close();
    });
  });

  describe('unsubscribing', () => {
    it('from a notice lets it end by itself, for a second', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        one.send(notice(1)).subscription.unsubscribe();
        at(999, () => expect(one.last().waits).toBe(true));
        at(1_001, () => expect(one.last().waits).toBe(false));
      });
    });

    it('hangs up before the answer, and leaves the others alone', () => {
      const one = settled();
      const [first, second] = [one.send(request(1)), one.send(request(2))];
      const streams = [handResponse(), handResponse()];
      one.exchanges.at(-2)?.answer(streams[0]!.response);
      one.exchanges.at(-1)?.answer(streams[1]!.response);
      first.subscription.unsubscribe();
      expect(streams.map(({ isRead }) => isRead)).toEqual([false, true]);
      streams[1]?.push(event(result(2)));
      streams[1]?.end();
      expect(second.completed).toBe(true);
    });

    it('lets an answered exchange end by itself, for a second', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        const sent = one.send(request(1));
        const stream = handResponse();
        one.last().answer(stream.response);
        stream.push(event(result(1)));
        sent.subscription.unsubscribe();
        at(999, () => expect(stream.isRead).toBe(true));
        at(1_001, () => expect(stream.isRead).toBe(false));
      });
    });
  });

  describe('close()', () => {
    it('ends everything, tells the server, and resolves when it has heard', async () => {
      const one = handshaken();
      const own = handResponse();
      one.last('GET').answer(own.response);
      const waiting = one.send(request(1));
      let closed = false;
      const closing = one.transport.close().then(() => {
        closed = true;
      });
      expect(waiting.error).toBeInstanceOf(TransportClosedError);
      expect([own.isRead, one.transport.alive, one.inbound.completed, one.warnings.completed]).toEqual([
        false,
        false,
        true,
        true,
      ]);
      expect(one.last().draft).toMatchObject({
        method: 'DELETE',
        headers: { 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-11-25' },
      });
      await later();
      expect(closed).toBe(false);
      const response = madeResponse(200);
      one.last().answer(response);
      await closing;
      expect(response.discarded).toBe(true);
      await one.transport.close();
      expect(one.exchanges.filter(({ draft }) => draft.method === 'DELETE')).toHaveLength(1);
    });

    it.each([
      ['is refused', (exchange: Exchange) => exchange.answer(madeResponse(405))],
      ['fails', (exchange: Exchange) => exchange.fail(new NetworkError('https://mcp.example/mcp', 'gone', false))],
    ])('resolves where the goodbye %s', async (_how, end) => {
      const one = settled();
      const closing = one.transport.close();
      end(one.last('DELETE'));
      await expect(closing).resolves.toBeUndefined();
    });

    it('waits no longer than a second for the goodbye', () => {
      inVirtualTime(({ at }) => {
        const one = settled();
        void one.transport.close();
        at(999, () => expect(one.last('DELETE').waits).toBe(true));
        at(1_001, () => expect(one.last('DELETE').waits).toBe(false));
      });
    });

    it('says no goodbye where there is no session, or none any longer', async () => {
      const bare = open();
      await bare.transport.close();
      expect(bare.exchanges).toEqual([]);
      const one = settled();
      one.send(request(1));
      one.last().answer(madeResponse(404));
      await one.transport.close();
      expect(one.exchanges.map(({ draft }) => draft.method)).not.toContain('DELETE');
    });
  });
});
