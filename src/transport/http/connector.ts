import { Observable } from 'rxjs';
import type { Connector, Transport, WireForm } from '../transport.js';
import { LegacyHttpTransport } from './legacy-transport.js';
import { ModernHttpTransport } from './modern-transport.js';
import type { HttpParameters } from './options.js';
import { checkHttp } from './parameters.js';
import { Requester } from './requester.js';
import { SseTransport } from './sse-transport.js';
import { withoutQuery } from './without-query.js';

/** A transport that is open as soon as it is made, and closed when it is unsubscribed. */
const opened = (create: () => Transport): Observable<Transport> =>
  new Observable((subscriber) => {
    const transport = create();
    subscriber.next(transport);
    return () => {
      transport.close().catch(() => undefined);
    };
  });

/**
 * A connector to a server over HTTP, in the form that is asked for: modern (the default), legacy, or HTTP+SSE. The first
 * two are open at once, since each message is a request of its own; the last when the server has named its endpoint.
 * Throws `OptionError`.
 */
export const httpConnector = (parameters: HttpParameters): Connector => {
  const requester = new Requester(checkHttp(parameters));
  const connector = (form: WireForm = 'modern'): Observable<Transport> => {
    if (form === 'modern') return opened(() => new ModernHttpTransport(requester));
    if (form === 'legacy') return opened(() => new LegacyHttpTransport(requester));
    return new Observable((subscriber) =>
      SseTransport.open(
        requester,
        (transport) => {
          subscriber.next(transport);
        },
        (reason) => {
          subscriber.error(reason);
        },
      ),
    );
  };
  return Object.assign(connector, {
    identity: withoutQuery(requester.http.url),
    address: requester.http.url,
    forms: true,
    retry: requester.http.retry,
    waits$: requester.waits$,
  });
};
