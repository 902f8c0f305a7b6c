import { Observable } from 'rxjs';
import { type Part, part } from '../../rx/index.js';
import { type HearFields, SENT_FIELDS } from '../sent-fields.js';
import type { Connector, Transport, WireForm } from '../transport.js';
import { ModernHttpTransport } from './modern-transport.js';
import type { HttpParameters } from './options.js';
import { checkHttp } from './parameters.js';
import { Requester } from './requester.js';
import { withoutQuery } from './without-query.js';

/** What servers before 2026-07-28 speak. */
export const olderForms: Part<typeof import('./older-forms.js')> = /* @__PURE__ */ part(
  () => import('./older-forms.js'),
);

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
  const letHear = (hear: HearFields): void => {
    requester.letHear(hear);
  };
  const telling = <T extends Transport>(transport: T): T => Object.assign(transport, { [SENT_FIELDS]: letHear });
  const connector = (form: WireForm = 'modern'): Observable<Transport> => {
    if (form === 'modern') return opened(() => telling(new ModernHttpTransport(requester)));
    return olderForms.use(({ LegacyHttpTransport, SseTransport }) =>
      form === 'legacy'
        ? opened(() => telling(new LegacyHttpTransport(requester)))
        : new Observable((subscriber) =>
            SseTransport.open(
              requester,
              (transport) => {
                subscriber.next(telling(transport));
              },
              (reason) => {
                subscriber.error(reason);
              },
            ),
          ),
    );
  };
  return Object.assign(connector, {
    identity: withoutQuery(requester.http.url),
    address: requester.http.url,
    credentials: () => requester.credentials.fields,
    forms: true,
    retry: requester.http.retry,
    waits$: requester.waits$,
    [SENT_FIELDS]: letHear,
  });
};
