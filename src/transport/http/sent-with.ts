import type { HttpResponse } from './engine.js';

/** What went out with the request that each response answers. */
const sent = new WeakMap<HttpResponse, Readonly<Record<string, string>>>();

/** Notes what went out with the request that a response answers. */
export const noteSent = (response: HttpResponse, fields: Readonly<Record<string, string>>): void => {
  sent.set(response, fields);
};

/** What went out with it, where that was noted. */
export const sentWith = (response: HttpResponse): Readonly<Record<string, string>> | undefined => sent.get(response);
