import { map, type Observable, throwError } from 'rxjs';
import { excerptOf, HttpError, ProtocolError, UnauthorizedError } from '../../errors/index.js';
import { isInvalid, parseInbound, type RequestId } from '../../jsonrpc/index.js';
import type { Part } from './answer.js';
import type { HttpResponse } from './engine.js';
import { httpErrorOf } from './http-error-of.js';
import { withoutSecrets } from './secrets.js';
import { withoutQuery } from './without-query.js';

export { checkForgotten } from './forgotten.js';
export { redirected } from './redirects.js';

/** Errors with the refusal a response is. */
export const refused = (response: HttpResponse, now: number): Observable<never> =>
  httpErrorOf(response, now).pipe(
    map((error) => {
      throw error;
    }),
  );

/** Errors with the want of an authorization that a response tells of. */
export const unauthorized = (response: HttpResponse): Observable<never> => {
  const challenge = response.header('www-authenticate');
  response.discard();
  // A server may say again what it was sent.
  const told = challenge === undefined ? undefined : withoutSecrets(challenge, response);
  return throwError(() => new UnauthorizedError(told, withoutQuery(response.url)));
};

/**
 * The refusal of a message: the JSON-RPC error that its body is, with the `HttpError` for its cause; where it is none, and
 * where the message wants no answer, that is the error.
 */
export const refusalParts = (
  response: HttpResponse,
  type: string,
  id: RequestId | undefined,
  now: number,
): Observable<Part> =>
  httpErrorOf(response, now).pipe(
    map((error): Part => {
      const [refusal] = /json$/.test(type) || error.body.startsWith('{') ? parseInbound(error.body) : [];
      if (refusal === undefined || isInvalid(refusal) || !('error' in refusal)) throw error;
      const { code, message: text, data } = refusal.error;
      const failure = new ProtocolError(code, text, data, error);
      if (id === undefined) throw failure;
      return { message: { invalid: `HTTP ${error.status}`, excerpt: '', id, error: failure } };
    }),
  );

/** What a body is called in an error. */
const bodyOf = (type: string, response: HttpResponse): string =>
  type === '' ? 'a body without a media type' : `a body of type ${excerptOf(withoutSecrets(type, response))}`;

/** Errors with what a response is in place of the event stream that was asked for. */
export const noStream = (type: string, response: HttpResponse): Observable<never> => {
  const { status, statusText, url } = response;
  response.discard();
  const why = `no event stream, but ${bodyOf(type, response)}`;
  return throwError(() => new HttpError(status, statusText, '', undefined, withoutQuery(url), why));
};

/** Why an answer of that type cannot be read. */
export const unreadable = (type: string, response: HttpResponse): string =>
  `${bodyOf(type, response)}, from ${withoutQuery(response.url)}: is the url that of an MCP endpoint?`;
