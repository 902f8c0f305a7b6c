import type { AuthorizationRequest } from '../../../src/auth/index.js';

/** Somebody who agrees at once, with a browser that shows nothing. */
export const openHeadless = async ({ url }: Pick<AuthorizationRequest, 'url'>): Promise<URL> => {
  const response = await fetch(url, { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '', url);
};

/** Where nobody listens: the answer is read before it would get there. */
export const REDIRECT = 'http://127.0.0.1:7777/callback';
