import { map, type Observable, switchMap, throwIfEmpty } from 'rxjs';
import { TransportError } from '../errors/index.js';
import type { Session } from '../session/index.js';
import type { RetryTerms, WireForm } from '../transport/index.js';
import type { Agreement } from './agreement.js';
import type { EraCache } from './era-cache.js';
import type { ProbeTerms } from './in-place.js';
import type { Era } from './versions.js';

/** What a negotiation goes by. */
export interface NegotiationTerms extends ProbeTerms {
  readonly era: Era | 'auto';
  readonly cache: EraCache;
  /** The server's name in the cache; without one nothing is remembered. */
  readonly key: string | undefined;
  /** Whether the wire may be opened a second time. */
  readonly reopens: boolean;
  /** Whether the wire has a form for each era: HTTP. */
  readonly forms: boolean;
  /** How a server that is too busy to be opened is tried again. Without it it is not. */
  readonly retry?: RetryTerms | undefined;
  /** Whether the wire waits for somebody outside of the conversation: that is no silence of the server's. */
  readonly waits$?: Observable<boolean> | undefined;
}

/** A connection that is ready for use. */
export interface Life {
  readonly session: Session;
  readonly agreement: Agreement;
}

/** Opens one life of the wire: emits its session once, closes it when unsubscribed. */
export type Open = (form?: WireForm) => Observable<Session>;

/** The negotiation of one client, over as many lives of its wire as it takes. */
export interface Negotiation {
  /** The era, where it is known to this negotiation alone: another one would have to find it out again. */
  readonly own: Era | undefined;
  /**
   * Cold. Emits one life, ready for use, and then holds it until it is unsubscribed. Errors with
   * `UnsupportedVersionError`, with what the server answered to `initialize`, or with what ended the wire.
   */
  open(): Observable<Life>;
}

/** Begins the negotiation of one client; nothing is opened by that. Which wires it can negotiate over is its own matter. */
export type Negotiate = (open: Open, terms: NegotiationTerms) => Negotiation;

/** Opens a wire in one form and agrees on it: emits the life once it is ready, and holds it until it is unsubscribed. */
export const lifeOf = (
  open: Open,
  form: WireForm | undefined,
  agree: (session: Session) => Observable<Agreement>,
): Observable<Life> =>
  open(form).pipe(
    throwIfEmpty(() => new TransportError(new Error('the connector completed without a transport'))),
    switchMap((session) =>
      agree(session).pipe(
        map((agreement) => {
          session.answers = agreement.server.era === 'legacy';
          return { session, agreement };
        }),
      ),
    ),
  );
