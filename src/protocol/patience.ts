import type { Observable } from 'rxjs';
import { refusalOf } from '../errors/index.js';
import { Backoff } from '../rx/index.js';
import type { RetryTerms } from '../transport/index.js';

/** Statuses of a server, or of somebody before it, that has too much to do. RFC 9110, section 15.6; RFC 6585, section 4. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Nothing is tried again. */
export const NO_RETRY: RetryTerms = { attempts: 0, firstMs: 0, maxMs: 0 };

/** How one request, or one opening, bears with a server that is too busy. Only for what is safe to repeat. */
export class Patience {
  readonly #terms: RetryTerms;
  readonly #backoff: Backoff;

  constructor(terms: RetryTerms) {
    this.#terms = terms;
    this.#backoff = new Backoff(terms);
  }

  /**
   * When to try again, if `reason` says that the server is busy, wants no longer a wait than is allowed (RFC 9110, section
   * 10.2.3), and there are tries left.
   */
  after(reason: unknown): Observable<unknown> | undefined {
    const { attempts, maxMs } = this.#terms;
    const { status, retryAfterMs = 0 } = refusalOf(reason) ?? {};
    if (status === undefined || !BUSY.has(status)) return undefined;
    if (this.#backoff.tries >= attempts || retryAfterMs > maxMs) return undefined;
    return this.#backoff.next(retryAfterMs);
  }
}
