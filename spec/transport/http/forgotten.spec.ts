import { describe, expect, it } from '@jest/globals';
import { concat, of, throwError } from 'rxjs';
import { HttpError, NetworkError, ProtocolError, UnsentError } from '../../../src/errors/index.js';
import type { Part } from '../../../src/transport/http/answer.js';
import { isForgetting } from '../../../src/transport/http/forgotten.js';
import { unlessForgotten } from '../../../src/transport/http/unless-forgotten.js';
import { watch } from '../../support/client/watch.js';

const http = (status: number, body = ''): HttpError => new HttpError(status, '', body);
const protocol = (message: string, status: number, id: unknown = null, code = -32_000): ProtocolError =>
  new ProtocolError(
    code,
    message,
    undefined,
    http(status, JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })),
  );
const named = { id: 1, era: 'legacy', session: true } as const;
const unnamed = { ...named, session: false };
const modern = { ...unnamed, era: 'modern' } as const;

describe('a refusal', () => {
  it.each([
    http(404),
    http(404, 'Not Found'),
    protocol('Session not found', 404),
    protocol('Session not found', 404, 'server-error'),
    protocol('whatever it says', 404),
    protocol('Bad Request: No valid session ID provided', 400),
    protocol('Bad Request: Server not initialized', 400),
    http(400, 'Mcp-Session-Id is unknown'),
  ])('says that the session is forgotten: %p', (reason) => {
    expect(isForgetting(reason, named)).toBe(true);
  });

  it.each([
    'Bad Request: No valid session ID provided',
    'Session not found',
    'session not found or expired.',
    'Invalid or missing session ID',
    'Mcp-Session-Id header is required',
    'Unknown session: 5f0c1b1e-77aa-4f5e-8a43-0a1a64f2fd0e',
    'Server not initialized',
  ])('says so under the id of the request in a few words alone: %p', (message) => {
    for (const status of [400, 404]) expect(isForgetting(protocol(message, status, 1), named)).toBe(true);
  });

  it.each([
    ['the browser session of this user crashed after the payment', 400],
    ['file not found after 3 were deleted', 404],
    ['session not found: the payment was made all the same', 404],
    ['unknown session of parliament', 400],
  ] as const)('is an answer under the id of the request in all other words: %p', (message, status) => {
    expect(isForgetting(protocol(message, status, 1), named)).toBe(false);
  });

  it('says that the server has no sessions any longer, by what only modern ones say', () => {
    for (const code of [-32_020, -32_021, -32_022])
      for (const refused of [named, unnamed])
        expect(isForgetting(protocol('no', 400, refused.id, code), refused)).toBe(true);
    expect(isForgetting(protocol('Unsupported protocol version', 400, null, -32_022), modern)).toBe(false);
  });

  it.each([
    'Bad Request: Server not initialized',
    'Bad Request: Unsupported protocol version: 2026-07-28',
    'Mcp-Session-Id header is required',
  ])('says that the server is of the old era now: %p', (message) => {
    expect(isForgetting(protocol(message, 400), modern)).toBe(true);
    expect(isForgetting(protocol(message, 404), modern)).toBe(false);
  });

  it.each([
    [404, 'Not Found', true],
    [400, '<html>your session cookie</html>', false],
    [400, 'unknown session-scoped id', false],
  ] as const)('of what wants no answer says so by 404 alone: %p %p', (status, body, isGone) => {
    const notice = { era: 'legacy', session: true } as const;
    expect(isForgetting(http(status, body), notice)).toBe(isGone);
    expect(isForgetting(http(status, body), { ...notice, isMessage: false })).toBe(true);
  });

  it('is read whatever white space is around it', () => {
    const body = `\n ${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_022, message: 'no' } })}\n`;
    expect(isForgetting(http(400, body), named)).toBe(true);
    expect(isForgetting(protocol('  Session not found\n', 400, 1), named)).toBe(true);
  });

  it.each(['{"jsonrpc":"2.0","id":1,"result":{"a":"session"}}', '{"jsonrpc":"2.0","method":"session"}', '{"session"'])(
    'whose body is no error says by its words what it says: %s',
    (body) => {
      expect(isForgetting(http(400, body), named)).toBe(true);
      expect(isForgetting(http(404, body), unnamed)).toBe(false);
    },
  );

  it('of a stream is one by its status, whatever the error in it is called', () => {
    const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -1, message: 'whatever' } });
    const stream = { era: 'legacy', session: true, isMessage: false } as const;
    expect([isForgetting(http(404, body), stream), isForgetting(http(400, body), stream)]).toEqual([true, false]);
  });

  it('by 404 says nothing of a session to a request that named none', () => {
    expect([isForgetting(http(404), unnamed), isForgetting(http(404), modern)]).toEqual([false, false]);
  });

  it.each([
    http(400),
    http(400, 'Bad Request'),
    http(405, 'no sessions here'),
    http(500, 'session store is down'),
    http(401, 'session'),
    protocol('Invalid params', 400),
    http(400, '{"jsonrpc":'),
    new ProtocolError(-32_000, 'Session not found'),
    new NetworkError('https://mcp.example', new Error('session'), true),
    undefined,
  ])('says nothing of the kind: %p', (reason) => {
    expect(isForgetting(reason, named)).toBe(false);
  });
});

describe('the answer to a request with a session', () => {
  const part: Part = { message: { jsonrpc: '2.0', id: 1, result: {} } };
  const refused = (error: ProtocolError): Part => ({ message: { invalid: 'HTTP 400', excerpt: '', id: 1, error } });

  it('is handed on as it is', () => {
    const mark: Part = { eventId: 'a' };
    const other = refused(protocol('Invalid params', 400));
    expect(watch(of(mark, part, other).pipe(unlessForgotten(named))).values).toEqual([mark, part, other]);
    const cut = new NetworkError('https://mcp.example', new Error('cut'), true);
    expect(watch(throwError(() => cut).pipe(unlessForgotten(named))).error).toBe(cut);
  });

  it('that says that the session is forgotten was not read: in a body, or without one', () => {
    const inBody = watch(of(refused(protocol('Session not found', 404))).pipe(unlessForgotten(named)));
    expect([inBody.values, inBody.error]).toEqual([[], expect.any(UnsentError)]);
    expect(String(inBody.error)).toMatch(/Session not found/);
    const bare = watch(
      concat(
        of(part),
        throwError(() => http(404)),
      ).pipe(unlessForgotten(named)),
    );
    expect([bare.values, bare.error]).toEqual([[part], expect.any(UnsentError)]);
  });
});

it.each([
  [named, 'the server has forgotten the session: Server not initialized'],
  [modern, 'the server has forgotten what was agreed: Server not initialized'],
])('a request that was not read says what was forgotten, and by which words: %j', (refused, message) => {
  const reason = protocol('Server not initialized', 400);
  const { error } = watch(throwError(() => reason).pipe(unlessForgotten(refused)));
  expect(error).toMatchObject({ message: expect.stringContaining(message), cause: reason });
});
