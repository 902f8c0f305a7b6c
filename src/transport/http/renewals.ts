import { concatMap, defer, finalize, map, type Observable, of, share, AsyncSubject, tap } from 'rxjs';
import type { AuthChallenge } from './options.js';

/** What is asked of the caller's provider. */
export interface Asking {
  readonly token: () => Observable<string | undefined>;
  readonly renew: (challenge: AuthChallenge) => Observable<boolean>;
}

const keyOf = ({ status, challenge, token }: AuthChallenge, isBackground: boolean): string =>
  JSON.stringify([status, challenge, token, isBackground]);

/**
 * Renews the authorization of requests that were refused: once for all that were refused alike at the same time, and not
 * at all for one that comes late, with a token that has been replaced since.
 */
export class Renewals {
  readonly #under = new Map<string, Observable<boolean>>();
  /** The token that was replaced last. */
  #replaced: { readonly token: string | undefined } | undefined;

  /**
   * Emits once whether there is a new token, and completes; errors with what the provider raised.
   * @param isBackground whether no person may be asked: who may have one asked does not wait for that
   */
  renewed(challenge: AuthChallenge, asking: Asking, isBackground = false): Observable<boolean> {
    return defer(() => {
      const key = keyOf(challenge, isBackground);
      const running = this.#under.get(key);
      if (running !== undefined) return running;
      const { token } = challenge;
      const isLate$ =
        this.#replaced?.token === token && this.#replaced !== undefined
          ? asking.token().pipe(map((now) => now !== token))
          : of(false);
      const renewal$ = isLate$.pipe(
        concatMap((isLate) => (isLate ? of(true) : asking.renew(challenge))),
        tap((isNew) => {
          if (isNew) this.#replaced = { token };
        }),
        finalize(() => this.#under.delete(key)),
        share({ connector: () => new AsyncSubject(), resetOnRefCountZero: true }),
      );
      this.#under.set(key, renewal$);
      return renewal$;
    });
  }
}
