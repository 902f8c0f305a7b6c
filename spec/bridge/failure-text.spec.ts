import { describe, expect, it } from '@jest/globals';
import { failureText } from '../../src/bridge/failure-text.js';
import {
  HttpError,
  NetworkError,
  OutcomeUnknownError,
  ServerGoneError,
  TimeoutError,
  TransportClosedError,
  UnauthorizedError,
  UnsentError,
} from '../../src/errors/index.js';

const MAY_HAVE_RUN = 'the tool may have run all the same: check before you call it again';
const TRY_AGAIN = 'not available at the moment: go on without it, or try again later';

const answered = (status: number): HttpError => new HttpError(status, '', '');

describe('what a model is told of a call without an answer', () => {
  it.each([
    ['whose outcome is unknown', new OutcomeUnknownError('tools/call', 1)],
    ['that was out when the connection was closed', new TransportClosedError()],
    ['that a gateway lost', answered(502)],
    ['that a gateway waited for too long', answered(504)],
    ['on which the server broke', answered(500)],
  ])('%s: that the tool may have run', (_what, reason) => {
    expect(failureText(reason)).toContain(MAY_HAVE_RUN);
  });

  it.each([
    ['that was not sent', new UnsentError('the client is closed')],
    ['that could be repeated', new ServerGoneError(1, null, 'x', 'a secret')],
    ['that a server was too busy for', answered(503)],
    ['that a server cannot do at all', answered(501)],
    ['that a server refused', answered(404)],
    ['that a server refused with the last number there is for that', answered(499)],
    ['that found no way', new NetworkError('http://h', new Error('ECONNREFUSED'), false)],
  ])('%s: that it may be tried again', (_what, reason) => {
    expect(failureText(reason)).toContain(TRY_AGAIN);
    expect(failureText(reason)).not.toContain('secret');
  });

  it('that was out of time: how long it had, and whether it went out at all', () => {
    expect(failureText(new TimeoutError('tools/call', 1, 1_500))).toBe(
      `TimeoutError: the tool did not answer within 1.5 s, and ${MAY_HAVE_RUN.replace('the tool ', '')}`,
    );
    expect(failureText(new TimeoutError('tools/call', undefined, 1_500))).toBe(
      'TimeoutError: the server of this tool could not be reached in time, and the tool did not run',
    );
  });

  it('that wants authorization: who can give it', () => {
    const reason = Object.create(UnauthorizedError.prototype) as UnauthorizedError;
    Object.assign(reason, { name: 'UnauthorizedError', message: 'a secret' });
    expect(failureText(reason)).toBe(
      'UnauthorizedError: the server of this tool wants authorization, which only the user can give',
    );
  });

  it('that met a bug: its words', () => {
    expect(failureText(new TypeError('no such member'))).toBe('Error: no such member');
    expect(failureText('text')).toBe('Error: text');
  });
});
