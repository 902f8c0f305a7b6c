import { map, type Observable } from 'rxjs';
import { messageOf } from '../errors/index.js';
import type { CallOptions } from './call-options.js';
import { listen, type ListenEvent, type SubscriptionFilter } from './listen.js';
import { Listening } from './listening.js';
import { live, type LiveTerms } from './live.js';
import type { ClientParts } from './parts.js';
import { type Want } from './wants.js';
import { nameOf } from './want-terms.js';

/** What is live of one client. Loaded, and made, when something is followed first. */
export class Following {
  readonly #parts: ClientParts;
  readonly #listening: Listening;

  constructor(parts: ClientParts) {
    const { connection, channels, settings, reads } = parts;
    this.#parts = parts;
    this.#listening = new Listening(connection, channels, settings.requestTimeoutMs, (want) => {
      reads.renew(want);
    });
  }

  /** See `McpClient.listen`. */
  listen(filter: SubscriptionFilter, options: CallOptions | undefined): Observable<ListenEvent> {
    const { requests, settings } = this.#parts;
    return listen(requests, filter, options, settings.requestTimeoutMs);
  }

  /** A value that follows its server. See {@link live}. */
  live<T>(want: Want, terms: Pick<LiveTerms<T>, 'read' | 'instead' | 'essence'>): Observable<T> {
    const { channels, closed$, connection } = this.#parts;
    const value$ = live<T>({
      ...terms,
      signals$: this.#listening.watch(want),
      closed$,
      isClosed: () => connection.closed,
      warn: (reason) => {
        const why = messageOf(reason);
        channels.warn('list-failed', `${nameOf(want)} could not be read: ${why}`, reason);
      },
    });
    // Each who looks gets a list of his own: what one does to it is nothing to the others.
    return value$.pipe(map((value) => (Array.isArray(value) ? ([...(value as unknown[])] as T) : value)));
  }
}
