import { describe, expect, it } from '@jest/globals';
import { HttpError, NetworkError, ProtocolError, refusalOf, UnauthorizedError } from '../../src/errors/index.js';

describe('NetworkError', () => {
  it('says where to, why, and whether the request may have arrived', () => {
    const cause = new Error('connect ECONNREFUSED');
    const error = new NetworkError('https://example.com/mcp', cause, true);
    expect(error).toMatchObject({ url: 'https://example.com/mcp', left: true });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('https://example.com/mcp could not be reached: connect ECONNREFUSED');
  });

  it.each([
    ['fetch failed (getaddrinfo ENOTFOUND)', new Error('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') })],
    ['ECONNRESET', Object.assign(new Error(''), { code: 'ECONNRESET' })],
    ['TypeError', new TypeError('')],
    ['a text', 'a text'],
    ['something that cannot be written out', Object.create(null)],
  ])('finds the reason where the engine hides it: %s', (reason, cause) => {
    expect(new NetworkError('https://example.com', cause, false).message).toBe(
      `https://example.com could not be reached: ${reason}`,
    );
  });
});

describe('HttpError', () => {
  it('has the status, its words, the body, and how long to wait', () => {
    const error = new HttpError(429, 'Too Many Requests', 'slow down', 3_000);
    expect(error).toMatchObject({
      status: 429,
      statusText: 'Too Many Requests',
      body: 'slow down',
      retryAfterMs: 3_000,
    });
    expect(error.message).toBe('the server answered 429 Too Many Requests');
    expect(new HttpError(500, '', '').message).toBe('the server answered 500');
  });
});

describe('refusalOf()', () => {
  const refusal = new HttpError(400, 'Bad Request', '{}');

  it('is the refusal itself, or the one a JSON-RPC error came with', () => {
    expect(refusalOf(refusal)).toBe(refusal);
    expect(refusalOf(new ProtocolError(-32_600, 'no', undefined, refusal))).toBe(refusal);
  });

  it.each([
    [undefined],
    ['a text'],
    [new Error('no', { cause: refusal })],
    [new ProtocolError(-32_600, 'no', undefined)],
    [new UnauthorizedError(undefined)],
  ])('is nothing where there is none: %p', (reason) => {
    expect(refusalOf(reason)).toBeUndefined();
  });
});

describe('UnauthorizedError', () => {
  it('has the challenge, where there was one', () => {
    expect(new UnauthorizedError('Bearer realm="x"')).toMatchObject({
      challenge: 'Bearer realm="x"',
      message: 'the server wants authorization: Bearer realm="x"',
    });
    expect(new UnauthorizedError(undefined).message).toBe('the server wants authorization');
  });
});
