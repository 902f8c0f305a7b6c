import { describe, expect, it } from '@jest/globals';
import { NEVER, Subject } from 'rxjs';
import {
  HttpError,
  InvalidMessageError,
  MessageTooLargeError,
  NetworkError,
  ProtocolError,
} from '../../../src/errors/index.js';
import type { Outbound } from '../../../src/jsonrpc/index.js';
import type { HttpParameters } from '../../../src/transport/http/options.js';
import { answerParts, brokenOff, concernOf, type Part } from '../../../src/transport/http/answer.js';
import { streamParts } from '../../../src/transport/http/event-stream.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { event } from '../../support/http/loopback.js';
import { breaking, bytes, checked, endingStream, json, madeResponse } from '../../support/http/responses.js';

const REQUEST = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'a' } } as const;
const ENDPOINT = 'https://mcp.example/mcp';
const NOTICE: Outbound = { jsonrpc: '2.0', method: 'notifications/initialized' };
const ANSWER: Outbound = { jsonrpc: '2.0', id: 7, result: {} };

const result = { jsonrpc: '2.0', id: 7, result: { ok: true } };
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
const failure = (id?: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'no', data: { why: 1 } } });

const answer = (
  response: ReturnType<typeof madeResponse>,
  message: Outbound = REQUEST,
  parameters: Partial<HttpParameters> = {},
) => watch(answerParts(response, message, checked(parameters), 0));

const messages = (response: ReturnType<typeof madeResponse>): unknown => {
  const seen = answer(response);
  expect([seen.error, seen.completed]).toEqual([undefined, true]);
  return seen.values.map(({ message }) => message);
};

describe('a message goes out', () => {
  it.each([
    ['for a call', REQUEST, undefined, 'call'],
    ['for a call', REQUEST, { background: false }, 'call'],
    ['in the background', REQUEST, { background: true }, 'background'],
    ['in the background', NOTICE, undefined, 'background'],
    ['in the background', ANSWER, undefined, 'background'],
  ] as const)('%s: %j, with the hints %j', (_what, message, hints, concern) => {
    expect(concernOf(message, hints)).toBe(concern);
  });
});

describe('an exchange that failed', () => {
  const refusal = new HttpError(503, '', '');
  const unsent = new NetworkError(ENDPOINT, new Error('refused'), false);
  const cut = new NetworkError(ENDPOINT, new Error('reset'), true);

  it.each([refusal, unsent, cut, new InvalidMessageError('tools/call', 7, 'no')])(
    'fails with the error it has, before its answer began: %p',
    (reason) => {
      expect(brokenOff(checked({}), reason)).toBe(reason);
    },
  );

  it.each([cut, new InvalidMessageError('tools/call', 7, 'no'), new MessageTooLargeError(2, 1)])(
    'fails with what is wrong with its answer, once that began: %p',
    (reason) => {
      expect(brokenOff(checked({}), reason, true)).toBe(reason);
    },
  );

  it.each<readonly [unknown, unknown]>([
    [refusal, refusal],
    [unsent, unsent.cause],
    [new Error('reset'), new Error('reset')],
  ])('has lost an answer that began, by whatever else happens: %p', (reason, cause) => {
    const error = brokenOff(checked({}), reason, true);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ left: true, cause });
  });

  it('is a NetworkError, after it had left, where the reason is none of ours', () => {
    expect(brokenOff(checked({}), 'reset')).toMatchObject({ name: 'NetworkError', left: true, cause: 'reset' });
  });
});

describe('an answer in JSON', () => {
  it('is its message', () => {
    expect(messages(json(result))).toEqual([result]);
  });

  it.each(['application/json; charset=latin1', 'APPLICATION/JSON', 'application/vnd.mcp+json'])(
    'may be called %s',
    (type) => {
      expect(messages(json(result, 200, { 'content-type': type }))).toEqual([result]);
    },
  );

  it('may be a batch, with other messages in it', () => {
    expect(messages(json([progress, result]))).toEqual([progress, result]);
  });

  it('is an error without an id, beside a request of the server that has the id of ours', () => {
    const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
    expect(messages(json([ping, failure()]))).toEqual([ping, failure(7)]);
  });

  it('may stand between what is none: that is nobody’s', () => {
    expect(messages(json([5, {}, { jsonrpc: '2.0', id: null, error: { code: -1, message: 'x' } }, result]))).toEqual([
      expect.objectContaining({ invalid: 'not a JSON-RPC message' }),
      expect.objectContaining({ invalid: expect.any(String) }),
      expect.objectContaining({ error: { code: -1, message: 'x' } }),
      result,
    ]);
  });

  it('leaves what stands beside it without an id', () => {
    const odd = [5, {}, { jsonrpc: '2.0', id: null, error: { code: -1, message: 'x' } }];
    const seen = answer(json([...odd, result]));
    expect(seen.values.map(({ message }) => (message as { id?: unknown }).id)).toEqual([
      undefined,
      undefined,
      undefined,
      7,
    ]);
  });

  it('is no error of another request in a batch, and nothing invalid under another id', () => {
    for (const body of [[progress, failure(8)], [{ jsonrpc: '2.0', id: 9 }]]) {
      const seen = answer(json(body.length === 1 ? body[0] : body));
      expect(seen.values.at(-1)?.message).toMatchObject({ id: body.length === 1 ? 9 : 8 });
      expect(seen.error).toMatchObject({ name: 'InvalidMessageError', reason: 'a body in which the answer is not' });
    }
  });

  it.each([undefined, null, 'server-error', 8])('that is an error is that of its request, with the id %p', (id) => {
    expect(messages(json(failure(id)))).toEqual([{ ...failure(7) }]);
  });

  it.each([
    ['no JSON', '{"jsonrpc"'],
    ['no message', '42'],
    ['neither result nor error', '{"jsonrpc":"2.0","id":7}'],
    ['neither, under another id', '{"jsonrpc":"2.0"}'],
  ])('that is %s is an invalid answer to its request', (_what, body) => {
    expect(messages(madeResponse(200, { 'content-type': 'application/json' }, body))).toMatchObject([
      { invalid: expect.any(String), id: 7 },
    ]);
  });

  it.each([
    ['of another request', [{ ...result, id: 8 }]],
    ['of an id of another type', [{ ...result, id: '7' }]],
    ['only a notification', [progress]],
  ])('that is %s is handed on, and an error', (_what, body) => {
    const seen = answer(json(body.length === 1 ? body[0] : body));
    expect(seen.values.map(({ message }) => message)).toEqual(body);
    expect(seen.error).toBeInstanceOf(InvalidMessageError);
  });

  it.each(['', '  \n'])('that is empty is an error: %j', (body) => {
    const seen = answer(madeResponse(200, { 'content-type': 'application/json' }, body));
    expect(seen.error).toMatchObject({
      name: 'InvalidMessageError',
      method: 'tools/call',
      id: 7,
      reason: 'an empty body',
    });
  });

  it('that is too large is an error', () => {
    const seen = answer(json({ ...result, result: 'x'.repeat(100) }), REQUEST, { maxMessageBytes: 100 });
    expect(seen.error).toBeInstanceOf(MessageTooLargeError);
  });

  it('that breaks is the error that broke it', () => {
    const reason = new Error('cut');
    const response = madeResponse(200, { 'content-type': 'application/json' }, breaking(reason, '{"json'));
    expect(answer(response).error).toBe(reason);
  });
});

describe('an answer that is none', () => {
  it.each([
    ['HTML', 200, 'text/html; charset=utf-8'],
    ['text', 200, 'text/plain'],
    ['of no type', 200, undefined],
    ['an acceptance', 202, undefined],
    ['an acceptance with a body', 202, 'application/json'],
    ['nothing', 204, undefined],
    ['nothing, which calls itself a stream', 204, 'text/event-stream'],
  ])('is an error at once, and let go: %s', (_what, status, type) => {
    const response = madeResponse(status, type === undefined ? {} : { 'content-type': type }, NEVER);
    const seen = answer(response);
    expect(seen.error).toMatchObject({ name: 'InvalidMessageError', method: 'tools/call', id: 7 });
    expect(response.discarded).toBe(true);
  });

  it.each([202, 204])('says with which status nothing came: %d', (status) => {
    expect(answer(madeResponse(status)).error).toMatchObject({
      reason: `the server answered ${String(status)}, and no answer`,
    });
  });

  it.each([
    ['text/html; charset=utf-8', 'a body of type text/html'],
    ['text/plain', 'a body of type text/plain'],
    ['', 'a body without a media type'],
  ])('says where it came from, and asks whether that was meant: %j', (type, what) => {
    const seen = answer(madeResponse(200, { 'content-type': type }, NEVER));
    expect(seen.error).toMatchObject({
      reason: `${what}, from https://mcp.example/mcp: is the url that of an MCP endpoint?`,
    });
  });
});

describe('an answer in a stream', () => {
  it('is its events in order, and completes with it', () => {
    expect(messages(endingStream(event(progress), event(result)))).toEqual([progress, result]);
  });

  it('tells ids and delays with the messages they come with', () => {
    const response = endingStream(event('', { id: 'a', retry: 250 }), event([progress, result], { id: 'b' }));
    expect(answer(response).values).toEqual([
      { message: undefined, retryMs: 250 },
      { eventId: 'a' },
      { message: progress },
      { message: result, eventId: 'b' },
    ]);
  });

  it('passes over events of other types', () => {
    expect(messages(endingStream(event(progress, { type: 'ping' }), event(result, { type: 'message' })))).toEqual([
      undefined,
      result,
    ]);
  });

  it('takes an error without an id for that of its request', () => {
    expect(messages(endingStream(event(failure(null))))).toEqual([failure(7)]);
    expect(messages(endingStream(event(failure(8)), event(result)))).toEqual([failure(8), result]);
  });

  it('hands on what is no message in its place', () => {
    expect(messages(endingStream(event('hello'), event(result)))).toMatchObject([{ invalid: 'not JSON' }, result]);
  });

  it('is bounded, each event for itself', () => {
    const seen = answer(endingStream(event('x'.repeat(101)), event(progress)), REQUEST, { maxMessageBytes: 100 });
    expect([seen.values, seen.error]).toEqual([
      [{ message: expect.objectContaining({ error: new MessageTooLargeError(101, 100) }) }, { message: progress }],
      undefined,
    ]);
  });
});

describe('a stream', () => {
  it('may be silent for ever', () => {
    inVirtualTime(({ at }) => {
      const seen = watch(streamParts(madeResponse(200, {}, NEVER), checked()));
      at(10_000_000, () => expect(seen.error).toBeUndefined());
    });
  });

  it('that is silent for longer than it may be is an error; a comment is a sign of life', () => {
    inVirtualTime(({ at }) => {
      const bytes$ = new Subject<Uint8Array>();
      const seen = watch(streamParts(madeResponse(200, {}, bytes$), checked({ keepAliveMs: 100 })));
      at(90, () => bytes$.next(bytes(': ping\n')));
      at(189, () => expect(seen.error).toBeUndefined());
      at(191, () => {
        expect(seen.error).toEqual(new Error('silent for longer than keepAliveMs (100 ms)'));
        expect(bytes$.observed).toBe(false);
      });
    });
  });
});

describe('a refusal', () => {
  it('is an HttpError with its body, and with how long to wait', () => {
    const seen = answer(madeResponse(503, { 'retry-after': '2' }, 'later'));
    expect(seen.error).toEqual(new HttpError(503, 'status 503', 'later', 2_000, ENDPOINT));
  });

  it.each([undefined, null, 7, 8, 'server-error'])(
    'whose body is an error of the protocol is that error, of its request: id %p',
    (id) => {
      const seen = answer(json(failure(id), 400));
      const [part] = seen.values as [Part];
      expect(part.message).toMatchObject({ invalid: 'HTTP 400', id: 7 });
      const { error } = part.message as { error?: unknown };
      expect(error).toBeInstanceOf(ProtocolError);
      expect(error).toMatchObject({ code: -32_000, message: 'no', data: { why: 1 } });
      expect((error as ProtocolError).cause).toMatchObject({ name: 'HttpError', status: 400 });
      expect(seen.completed).toBe(true);
    },
  );

  it('may say so without a media type', () => {
    const seen = answer(madeResponse(404, {}, JSON.stringify(failure(7))));
    expect(seen.values).toMatchObject([{ message: { id: 7, error: { code: -32_000 } } }]);
  });

  it.each([
    ['JSON of another kind', '{"error":"gone"}'],
    ['a result', JSON.stringify(result)],
    ['a notification', JSON.stringify(progress)],
    ['HTML', '<html>'],
    ['nothing', ''],
  ])('whose body is %s is an HttpError', (_what, body) => {
    const seen = answer(madeResponse(400, { 'content-type': 'application/json' }, body));
    expect(seen.error).toMatchObject({ name: 'HttpError', status: 400, body });
  });
});

describe('what answers a message that is no request', () => {
  it.each([NOTICE, ANSWER])('is nothing, whatever it is: %j', (message) => {
    for (const response of [madeResponse(202), json(result), endingStream(event(result)), madeResponse(200)]) {
      const seen = answer(response, message);
      expect([seen.values, seen.completed, response.discarded]).toEqual([[], true, true]);
    }
  });

  it('is an error where it is refused: with the error in the body, if there is one', () => {
    expect(answer(madeResponse(500, {}, 'down'), NOTICE).error).toEqual(
      new HttpError(500, 'status 500', 'down', undefined, ENDPOINT),
    );
    expect(answer(json(failure(7), 400), NOTICE).error).toMatchObject({ name: 'ProtocolError', code: -32_000 });
  });
});
