import { describe, expect, it } from '@jest/globals';
import { eventStream } from '../../../src/transport/http/get-stream.js';
import { watch } from '../../support/client/watch.js';
import { madeResponse } from '../../support/http/responses.js';

describe('a stream that was asked for', () => {
  it.each([
    ['text/html', 'a body of type text/html'],
    ['', 'a body without a media type'],
  ])('and is none says what it is instead: %j', (type, what) => {
    const response = madeResponse(200, { 'content-type': type }, 'a page');
    const { error } = watch(eventStream(response, 0));
    expect(error).toMatchObject({
      name: 'HttpError',
      status: 200,
      url: 'https://mcp.example/mcp',
      body: '',
      message: `https://mcp.example/mcp answered 200 status 200: no event stream, but ${what}`,
    });
    expect(response.discarded).toBe(true);
  });
});
