import { from, map, type Observable, of } from 'rxjs';
import type { HttpEngine } from './engine.js';
import { fetchEngine } from './fetch-engine.js';
import type { FetchLike } from './fetch-like.js';

/** The engine of requests: on the caller's own `fetch`, or the platform's, which is loaded on first use. Cold; emits once. */
export const chooseEngine = (fetch: FetchLike | undefined): Observable<HttpEngine> =>
  fetch === undefined
    ? from(import('#http-engine')).pipe(map(({ createEngine }) => createEngine()))
    : of(fetchEngine(fetch));
