import { describe, expect, it } from '@jest/globals';
import { HttpError } from '../../../src/errors/index.js';
import { LegacySession } from '../../../src/transport/http/legacy-session.js';
import { madeResponse } from '../../support/http/responses.js';

const begun = (id?: string): LegacySession => {
  const session = new LegacySession();
  session.begin(madeResponse(200, id === undefined ? {} : { 'mcp-session-id': id }));
  return session;
};

const answer = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result }) as never;

describe('the session of a legacy server', () => {
  it('is named in all that follows, but for an initialize that renews it', () => {
    const session = begun('s1');
    expect([session.exists, session.headers('ping')['mcp-session-id']]).toEqual([true, 's1']);
    expect(session.headers(undefined)['mcp-session-id']).toBe('s1');
    expect(session.headers('initialize')).toEqual({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
  });

  it('brings no field where there is neither a session nor a version', () => {
    expect(Object.keys(begun().headers('ping'))).toEqual(['content-type', 'accept']);
  });

  it('is forgotten, too, where a stream is refused in words that say so', () => {
    const odd = new HttpError(400, 'Bad Request', 'no such session');
    expect([begun('s1').isForgotten(odd), begun().isForgotten(odd)]).toEqual([true, false]);
  });

  it.each([undefined, ''])('is none where it is called %p', (id) => {
    expect([begun(id).exists, begun(id).headers('ping')['mcp-session-id']]).toEqual([false, undefined]);
  });

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', undefined],
    ['x', undefined],
    ['9999', undefined],
    ['x2025-11-25', undefined],
    ['2025-11-25x', undefined],
    [['2025-11-25'], undefined],
    [5, undefined],
  ])('has the version that was agreed on, where that goes into a field: %p', (protocolVersion, field) => {
    const session = begun('s1');
    session.agree(answer({ protocolVersion }));
    expect(session.headers('ping')['mcp-protocol-version']).toBe(field);
    session.agree(answer(null));
    expect(session.headers('ping')['mcp-protocol-version']).toBe(field);
    expect(session.headers('initialize')['mcp-protocol-version']).toBeUndefined();
  });

  it('is forgotten where a stream is refused for it, and never where there is none', () => {
    const gone = new HttpError(404, 'Not Found', '');
    expect([begun('s1').isForgotten(gone), begun().isForgotten(gone)]).toEqual([true, false]);
    expect(begun('s1').isForgotten(new HttpError(500, '', ''))).toBe(false);
  });
});
