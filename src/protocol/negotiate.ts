import { catchError, defer, map, type Observable, of, switchMap, tap, throwError } from 'rxjs';
import { UnsupportedVersionError } from '../errors/index.js';
import { firstWithin } from '../rx/index.js';
import type { Session } from '../session/index.js';
import type { WireForm } from '../transport/index.js';
import type { Agreement } from './agreement.js';
import { initialize } from './handshake.js';
import { initializeOr, openInPlace, type ProbeTerms } from './in-place.js';
import { type Life, lifeOf, type Negotiate, type Negotiation, type NegotiationTerms, type Open } from './life.js';
import { negotiateHttp } from './negotiate-http.js';
import { discoverOnly } from './settle.js';
import type { Era } from './versions.js';

/** How much longer than the probe's budget a server known to be modern may take: it may only be slow to start. */
const KNOWN_MODERN_PATIENCE = 4;

/** Negotiates over any wire. See {@link Negotiation}. */
export class Negotiator implements Negotiation {
  readonly #open: Open;
  readonly #terms: NegotiationTerms;
  /** A verdict reached only after a death: too weak to tell others of. */
  #own: Era | undefined;

  constructor(open: Open, terms: NegotiationTerms) {
    this.#open = open;
    this.#terms = terms;
  }

  get own(): Era | undefined {
    return this.#own;
  }

  /** A death during the probe is never the verdict: a second process is started and asked the old way. */
  open(): Observable<Life> {
    const { era, cache, key, forms } = this.#terms;
    if (forms) return negotiateHttp(this.#open, this.#terms);
    if (era === 'legacy') return this.#life('legacy', (session) => initialize(session, this.#terms.identity));
    if (era === 'modern') {
      return this.#life('modern', (session) => {
        session.answers = false;
        return discoverOnly(session, this.#terms);
      });
    }
    return defer(() => {
      if (this.#own !== undefined) return of(this.#own);
      return key === undefined ? of(undefined) : cache.get(key).pipe(map((verdict) => verdict?.era));
    }).pipe(switchMap((known) => (known === 'legacy' ? this.#knownLegacy() : this.#probe(known === 'modern'))));
  }

  #life(form: WireForm | undefined, agree: (session: Session) => Observable<Agreement>): Observable<Life> {
    return lifeOf(this.#open, form, agree);
  }

  /** As `#life`, but a wire that died before it was ready leads to `next`, where there may be a second one. */
  #lifeOr(
    agree: (session: Session) => Observable<Agreement>,
    next: (reason: unknown) => Observable<Life>,
  ): Observable<Life> {
    return defer(() => {
      let last: Session | undefined;
      return this.#life(undefined, (session) => {
        last = session;
        return agree(session);
      }).pipe(
        catchError((reason: unknown) =>
          last?.lost === true && this.#terms.reopens ? next(reason) : throwError(() => reason),
        ),
      );
    });
  }

  #probe(knownModern: boolean): Observable<Life> {
    const terms = knownModern
      ? { ...this.#terms, probeTimeoutMs: this.#terms.probeTimeoutMs * KNOWN_MODERN_PATIENCE }
      : this.#terms;
    return this.#lifeOr(
      (session) => this.#openInPlace(session, terms),
      () => this.#afterDeath(),
    );
  }

  #openInPlace(session: Session, terms: ProbeTerms): Observable<Agreement> {
    return openInPlace(session, terms).pipe(
      tap(({ server }) => {
        this.#remember(server.era);
      }),
    );
  }

  #afterDeath(): Observable<Life> {
    return this.#life(undefined, (session) => this.#initializeOrDiscover(session)).pipe(
      tap(({ agreement }) => {
        this.#own = agreement.server.era;
      }),
    );
  }

  #knownLegacy(): Observable<Life> {
    const diedOfProbe = this.#own !== undefined;
    return this.#lifeOr(
      (session) =>
        this.#initializeOrDiscover(session).pipe(
          tap({
            next: ({ server }) => {
              if (server.era === 'legacy') return;
              this.#forget();
              this.#remember(server.era);
            },
            error: () => {
              if (!session.lost) this.#forget();
            },
          }),
        ),
      () => {
        this.#forget();
        return diedOfProbe
          ? this.#afterDeath()
          : this.#life(undefined, (session) => this.#openInPlace(session, this.#terms));
      },
    );
  }

  #initializeOrDiscover(session: Session): Observable<Agreement> {
    return initializeOr(session, this.#terms, (reason) => this.#discoverOr(session, reason));
  }

  /** `server/discover` after `initialize` was refused; if it is no use either, the refusal is the better reason. */
  #discoverOr(session: Session, refusal: unknown): Observable<Agreement> {
    if (refusal instanceof UnsupportedVersionError) return throwError(() => refusal);
    return discoverOnly(session, this.#terms).pipe(
      firstWithin(this.#terms.probeTimeoutMs, undefined, () => refusal),
      catchError((reason: unknown) => throwError(() => (session.end === undefined ? refusal : reason))),
    );
  }

  #remember(era: Era): void {
    const { cache, key } = this.#terms;
    if (key !== undefined) cache.set(key, { era });
  }

  #forget(): void {
    this.#own = undefined;
    const { cache, key } = this.#terms;
    if (key !== undefined) cache.delete(key);
  }
}

/** Negotiates over any wire, and knows of the forms of HTTP as well. */
export const negotiate: Negotiate = (open, terms) => new Negotiator(open, terms);
