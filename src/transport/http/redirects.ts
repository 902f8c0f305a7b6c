import { HttpError } from '../../errors/index.js';
import type { HttpRequest, HttpResponse } from './engine.js';
import type { CheckedHttp } from './parameters.js';
import { withoutSecrets } from './secrets.js';
import { withoutQuery } from './without-query.js';

/** The statuses that say: the same request, elsewhere. A 303 says another one. RFC 9110, section 15.4. */
const MOVED: ReadonlySet<number> = new Set([301, 302, 307, 308]);

const refusal = (response: HttpResponse, { headers }: HttpRequest, why: string): HttpError => {
  const { status, statusText, url } = response;
  const told = (text: string): string => withoutSecrets(text, response, headers);
  return new HttpError(status, told(statusText), '', undefined, withoutQuery(url), told(why));
};

/**
 * Where a response sends its request: a URL of the same origin; `undefined` if it is no redirect; an error if the
 * redirect is not followed. Nothing is ever sent to another origin, so no credential can cross one.
 */
export const redirected = (
  request: HttpRequest,
  response: HttpResponse,
  { redirects }: CheckedHttp,
  left: number,
): string | HttpError | undefined => {
  const { status } = response;
  // A browser hides where a redirect leads to.
  if (status === 0) return refusal(response, request, 'a redirect, which cannot be followed from a browser');
  if (status < 300 || status > 399 || status === 304) return undefined;
  const location = response.header('location');
  if (!MOVED.has(status) || location === undefined || !URL.canParse(location, request.url)) {
    return refusal(response, request, 'a redirect that cannot be followed');
  }
  const target = new URL(location, request.url);
  // What has no origin is no place to give as url.
  const place = target.origin === 'null' ? target.protocol : withoutQuery(target.href);
  const isElsewhere = target.origin !== new URL(request.url).origin;
  const remedy = target.origin === 'null' ? '' : ': give that as url';
  if (isElsewhere) return refusal(response, request, `a redirect to another origin, ${place}${remedy}`);
  if (redirects === 'error')
    return refusal(response, request, `a redirect to ${place}, and redirects are not followed${remedy}`);
  if (left === 0) return refusal(response, request, 'too many redirects');
  // Credentials are the caller's to give, not the server's.
  target.username = '';
  target.password = '';
  return target.href;
};
