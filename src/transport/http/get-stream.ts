import { type Observable, of } from 'rxjs';
import { isSuccess, mediaTypeOf } from './answer-kind.js';
import type { HttpResponse } from './engine.js';
import { overRefusals } from './refused.js';

/** The response of a GET, if it is the event stream that was asked for; else errors with an `HttpError`. */
export const eventStream = (response: HttpResponse, now: number): Observable<HttpResponse> => {
  if (!isSuccess(response)) return overRefusals(response, ({ refused }) => refused(response, now));
  const type = mediaTypeOf(response);
  if (type === 'text/event-stream') return of(response);
  return overRefusals(response, ({ noStream }) => noStream(type, response));
};
