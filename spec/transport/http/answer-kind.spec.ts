import { describe, expect, it } from '@jest/globals';
import { isSuccess, mediaTypeOf } from '../../../src/transport/http/answer-kind.js';
import { madeResponse } from '../../support/http/responses.js';

describe('the media type of a response', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=UTF-8', 'application/json'],
    [' text/event-stream ;x=y', 'text/event-stream'],
    ['', ''],
  ])('is told without case and parameters: %j', (value, type) => {
    expect(mediaTypeOf(madeResponse(200, { 'content-type': value }))).toBe(type);
  });

  it('is nothing where it is not said', () => {
    expect(mediaTypeOf(madeResponse(200))).toBe('');
  });
});

it.each([
  [199, false],
  [200, true],
  [202, true],
  [299, true],
  [300, false],
  [404, false],
])('a status of %i is a success: %p', (status, expected) => {
  expect(isSuccess(madeResponse(status))).toBe(expected);
});
