import { describe, expect, it } from '@jest/globals';
import { HttpError } from '../../../src/errors/index.js';
import { httpErrorOf } from '../../../src/transport/http/http-error-of.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { breaking, madeResponse, openStream } from '../../support/http/responses.js';

describe('a refusal as an error', () => {
  const errorOf = (response: Parameters<typeof httpErrorOf>[0]): unknown => watch(httpErrorOf(response, 10_000)).values;

  it('has the status, its words and the body', () => {
    expect(errorOf(madeResponse(503, {}, 'later'))).toEqual([
      new HttpError(503, 'status 503', 'later', undefined, 'https://mcp.example/mcp'),
    ]);
  });

  it('keeps the beginning of a body that is long', () => {
    const [error] = errorOf(madeResponse(500, {}, 'x'.repeat(100_000))) as [HttpError];
    expect(error.body).toHaveLength(65_536);
  });

  it('has of a body without an end what comes within a second', () => {
    inVirtualTime(({ at }) => {
      const seen = watch(httpErrorOf(openStream('{"jsonrpc":"2.0"}'), 0));
      at(999, () => expect(seen.values).toEqual([]));
      at(1_000, () => expect(seen.values).toMatchObject([{ body: '{"jsonrpc":"2.0"}' }]));
    });
  });

  it('has no body where that breaks', () => {
    expect(errorOf(madeResponse(500, {}, breaking(new Error('cut'), 'half')))).toEqual([
      new HttpError(500, 'status 500', '', undefined, 'https://mcp.example/mcp'),
    ]);
  });

  it.each([
    ['3', 3_000],
    ['0', 0],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 1970 00:00:15 GMT', 5_000],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 0],
    ['soon', undefined],
    ['1970-01-01T00:00:15Z', undefined],
    ['15 Jan 1970', undefined],
    ['M1 1970', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['', undefined],
  ])('knows how long to wait: %j', (value, retryAfterMs) => {
    expect(errorOf(madeResponse(429, { 'retry-after': value }))).toMatchObject([{ retryAfterMs }]);
  });
});
