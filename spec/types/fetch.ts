// What a user has at hand to send requests with fits the `fetch` option. `npm run typecheck` checks this file under the
// project's settings; `fetch.spec.ts` also under those of users.
import { Agent, fetch as undiciFetch, Headers as UndiciHeaders } from 'undici';
import { type FetchLike, type HeadersOption, type HttpOptions } from '../../src/index.js';

const url = 'https://mcp.example/mcp';
const dispatcher = new Agent();

/** Each way there is to fill the option. */
export const fits: readonly HttpOptions[] = [
  { url, fetch: globalThis.fetch },
  { url, fetch: undiciFetch },
  { url, fetch: (input, init) => globalThis.fetch(input, init) },
  { url, fetch: (input, init) => undiciFetch(input, { ...init, dispatcher }) },
  { url, fetch: async (input, init) => await undiciFetch(input, { ...init, dispatcher }) },
  {
    url,
    fetch: (input, { headers, ...init }) => globalThis.fetch(input, { ...init, headers: { ...headers, a: 'b' } }),
  },
  { url, fetch: async () => new Response('{}', { status: 404 }) },
];

/** A function that is no such thing. */
// @ts-expect-error a text is no response
export const misfit: FetchLike = () => Promise.resolve('text');

/** Each way there is to give headers. */
export const headers: readonly HeadersOption[] = [
  { a: 'b' },
  new Headers({ a: 'b' }),
  new UndiciHeaders({ a: 'b' }),
  () => new Headers({ a: 'b' }),
  async () => new Headers({ a: 'b' }),
];

/** What would be sent as nothing. */
// @ts-expect-error a Map has its fields elsewhere
export const map: HeadersOption = new Map([['a', 'b']]);
