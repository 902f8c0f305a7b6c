import { describe, expect, it } from '@jest/globals';
import { HttpError, NetworkError, ProtocolError, refusalOf, UnauthorizedError } from '../../src/errors/index.js';

describe('NetworkError', () => {
  it('says where to, why, and whether the request may have arrived', () => {
    const cause = new Error('connect ECONNREFUSED');
    const error = new NetworkError('https://example.com/mcp', cause, true);
    expect(error).toMatchObject({ url: 'https://example.com/mcp', left: true });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('the connection to https://example.com/mcp broke: connect ECONNREFUSED');
  });

  it('does not say of a server that was reached that it was not', () => {
    const cause = new Error('other side closed');
    expect(new NetworkError('https://example.com/mcp', cause, false).message).toBe(
      'https://example.com/mcp could not be reached: other side closed',
    );
    expect(new NetworkError('https://example.com/mcp', cause, true).message).toBe(
      'the connection to https://example.com/mcp broke: other side closed',
    );
  });

  it('leaves open what went wrong where a browser does not say', () => {
    expect(new NetworkError('https://x', new TypeError('Failed to fetch'), true).message).toBe(
      'https://x could not be reached, or the connection to it broke: Failed to fetch',
    );
  });

  it.each([
    ['801C22BEEF7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/ssl3_record.c:350:\n'],
    ['801C22BEEF7F0000:error:0A00010B:SSL routines::wrong version number:../deps/ssl3_record.c:350:\n'],
    ['\nwrong version number\r\n'],
  ])('keeps what its engine adds for nobody to read out of its message: %j', (noise) => {
    const [plain, wrapped] = [new Error(noise), new Error('fetch failed', { cause: new Error(noise) })];
    expect(new NetworkError('https://x', plain, false).message).toBe(
      'https://x could not be reached: wrong version number',
    );
    expect(new NetworkError('https://x', wrapped, false).message).toBe(
      'https://x could not be reached: fetch failed (wrong version number)',
    );
    expect(new NetworkError('https://x', plain, false).cause).toBe(plain);
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

  it('says who answered, where that is known', () => {
    const error = new HttpError(429, 'Too Many Requests', 'slow down', 3_000, 'https://example.com/mcp');
    expect(error.url).toBe('https://example.com/mcp');
    expect(error.message).toBe('https://example.com/mcp answered 429 Too Many Requests');
    expect(new HttpError(500, '', '').url).toBeUndefined();
  });

  it('says what is wrong with an answer whose status does not say it, and leaves the body what it was', () => {
    const error = new HttpError(200, 'OK', '', undefined, 'https://example.com/mcp', 'no event stream');
    expect([error.message, error.body]).toEqual(['https://example.com/mcp answered 200 OK: no event stream', '']);
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
    expect(new UnauthorizedError(undefined).url).toBeUndefined();
  });

  it('says who wants it, where that is known', () => {
    const error = new UnauthorizedError('Bearer', 'https://example.com/mcp');
    expect(error.url).toBe('https://example.com/mcp');
    expect(error.message).toBe('https://example.com/mcp wants authorization: Bearer');
  });
});
