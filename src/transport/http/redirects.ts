import { HttpError } from '../../errors/index.js';
import type { HttpRequest, HttpResponse } from './engine.js';
import type { CheckedHttp } from './parameters.js';

/** The statuses that say: the same request, elsewhere. A 303 says another one. RFC 9110, section 15.4. */
const MOVED: ReadonlySet<number> = new Set([301, 302, 307, 308]);

const refusal = ({ status, statusText }: HttpResponse, why: string): HttpError =>
  new HttpError(status, statusText, why);

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
  if (status === 0) return refusal(response, 'a redirect, which cannot be followed from a browser');
  if (status < 300 || status > 399 || status === 304) return undefined;
  const location = response.header('location');
  if (!MOVED.has(status) || location === undefined || !URL.canParse(location, request.url)) {
    return refusal(response, 'a redirect that cannot be followed');
  }
  const target = new URL(location, request.url);
  if (redirects === 'error') return refusal(response, 'redirects are not followed');
  if (target.origin !== new URL(request.url).origin)
    return refusal(response, `a redirect to another origin, ${target.origin}`);
  if (left === 0) return refusal(response, 'too many redirects');
  return target.href;
};
