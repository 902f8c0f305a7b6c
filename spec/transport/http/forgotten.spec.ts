import { describe, expect, it } from '@jest/globals';
import { concat, of, throwError } from 'rxjs';
import { HttpError, NetworkError, ProtocolError, UnsentError } from '../../../src/errors/index.js';
import type { Part } from '../../../src/transport/http/answer.js';
import { isForgetting, unlessForgotten } from '../../../src/transport/http/forgotten.js';
import { watch } from '../../support/client/watch.js';

const http = (status: number, body = ''): HttpError => new HttpError(status, '', body);
const protocol = (message: string, status: number): ProtocolError =>
  new ProtocolError(-32_000, message, undefined, http(status, JSON.stringify({ error: { message } })));

describe('a refusal', () => {
  it.each([
    http(404),
    http(404, 'Not Found'),
    protocol('Session not found', 404),
    protocol('Bad Request: No valid session ID provided', 400),
    protocol('Bad Request: Server not initialized', 400),
    http(400, 'Mcp-Session-Id is unknown'),
  ])('says that the session is forgotten: %p', (reason) => {
    expect(isForgetting(reason)).toBe(true);
  });

  it.each([
    http(400),
    http(400, 'Bad Request'),
    http(405, 'no sessions here'),
    http(500, 'session store is down'),
    http(401, 'session'),
    protocol('Invalid params', 400),
    new ProtocolError(-32_000, 'Session not found'),
    new NetworkError('https://mcp.example', new Error('session'), true),
    undefined,
  ])('says nothing of the kind: %p', (reason) => {
    expect(isForgetting(reason)).toBe(false);
  });
});

describe('the answer to a request with a session', () => {
  const part: Part = { message: { jsonrpc: '2.0', id: 1, result: {} } };
  const refused = (error: ProtocolError): Part => ({ message: { invalid: 'HTTP 400', excerpt: '', id: 1, error } });

  it('is handed on as it is', () => {
    const mark: Part = { eventId: 'a' };
    const other = refused(protocol('Invalid params', 400));
    expect(watch(of(mark, part, other).pipe(unlessForgotten)).values).toEqual([mark, part, other]);
    const cut = new NetworkError('https://mcp.example', new Error('cut'), true);
    expect(watch(throwError(() => cut).pipe(unlessForgotten)).error).toBe(cut);
  });

  it('that says that the session is forgotten was not read: in a body, or without one', () => {
    const inBody = watch(of(refused(protocol('Session not found', 404))).pipe(unlessForgotten));
    expect([inBody.values, inBody.error]).toEqual([[], expect.any(UnsentError)]);
    expect(String(inBody.error)).toMatch(/Session not found/);
    const bare = watch(
      concat(
        of(part),
        throwError(() => http(404)),
      ).pipe(unlessForgotten),
    );
    expect([bare.values, bare.error]).toEqual([[part], expect.any(UnsentError)]);
  });
});
