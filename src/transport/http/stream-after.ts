import { defer, type Observable } from 'rxjs';
import type { HttpResponse } from './engine.js';
import { byteString } from './header-value.js';
import type { LegacySession } from './legacy-session.js';
import type { Concern, Requester } from './requester.js';

/** By whom a stream is asked for, and in which session. */
export interface Asking {
  readonly requester: Requester;
  readonly session: LegacySession;
}

/** Asks for what comes on a stream after an event, or from now on: by GET, with the id of the event to go on behind. */
export const streamAfter = (
  lastEventId: string | undefined,
  { requester, session }: Asking,
  concern: Concern,
): Observable<HttpResponse> =>
  defer(() => {
    const { 'content-type': _, ...headers } = session.headers(undefined);
    const mark = lastEventId === undefined ? undefined : { 'last-event-id': byteString(lastEventId) };
    return requester.send({ method: 'GET', headers: { ...headers, accept: 'text/event-stream', ...mark } }, concern);
  });
