import {
  catchError,
  defer,
  filter,
  identity,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  type Subscription,
  tap,
} from 'rxjs';
import type { RawNotification } from '../../session/index.js';

/** Where a list comes from that is read when somebody first wants it. */
export interface SideListTerms<T> {
  /** Reads it. */
  readonly read: () => Observable<readonly T[]>;
  /** The same, live: by being looked at it has the server tell of changes, in either era. */
  readonly live$: Observable<readonly T[]>;
  readonly notifications$: Observable<RawNotification>;
  /** The notice that it has changed. */
  readonly changed: string;
  /** What is in it for others. */
  readonly keeps: (entry: T) => boolean;
  /** Takes out of an entry what only the host may say. Default: nothing. */
  readonly strip?: ((entry: T) => T) | undefined;
}

/** A list of a server's that is read on first use, and anew after each change. One that cannot be read is empty. */
export class SideList<T> {
  readonly #terms: SideListTerms<T>;
  #following: Subscription | undefined;
  #isClosed = false;
  #entries: readonly T[] | undefined;
  /** How often it has changed: what was being read meanwhile is not kept. */
  #changes = 0;

  /** @param terms where it comes from */
  constructor(terms: SideListTerms<T>) {
    this.#terms = terms;
  }

  /** What was read last, if it still holds. */
  get known(): readonly T[] {
    return this.#entries ?? [];
  }

  /** Emits the list once and completes; never errors. */
  read(): Observable<readonly T[]> {
    return defer(() => {
      this.#follow();
      if (this.#entries !== undefined) return of(this.#entries);
      const since = this.#changes;
      return defer(() => this.#terms.read()).pipe(
        map((entries) => this.#kept(entries)),
        tap((entries) => {
          if (since === this.#changes) this.#entries = entries;
        }),
        // It is not remembered: the next who asks may have more luck.
        catchError(() => of([])),
      );
    });
  }

  /** Lets go of what it follows. */
  close(): void {
    this.#isClosed = true;
    this.#following?.unsubscribe();
  }

  #kept(entries: readonly T[]): readonly T[] {
    const { keeps, strip = identity } = this.#terms;
    return entries.filter((entry) => keeps(entry)).map((entry) => strip(entry));
  }

  #follow(): void {
    // What it follows may have failed.
    if (this.#isClosed || this.#following?.closed === false) return;
    const { live$, notifications$, changed } = this.#terms;
    const dropped$ = notifications$.pipe(
      filter(({ method }) => method === changed),
      tap(() => {
        this.#changes += 1;
        this.#entries = undefined;
      }),
      ignoreElements(),
    );
    this.#following = merge(dropped$, live$).subscribe({
      next: (entries) => {
        this.#entries = this.#kept(entries);
      },
      error: () => undefined,
    });
  }
}
