import { Injectable, type OnDestroy } from '@angular/core';
import { of, type Observable, shareReplay, Subject, switchMap } from 'rxjs';
import { bake, type Baking, IDLE, tools$ } from '../bakery.js';

/** What the components of the application share: one client, and the one call that it makes at a time. */
@Injectable({ providedIn: 'root' })
export class BakeryService implements OnDestroy {
  readonly #wishes = new Subject<number>();

  /** The names of the tools: now, and after every change. */
  readonly tools$: Observable<readonly string[]> = tools$;

  /**
   * How far the last wish has come. Each takes the place of the one before, whose call is thereby cancelled. However many
   * templates show it, there is one call; it ends with the last of them.
   */
  readonly baking$: Observable<Baking> = this.#wishes.pipe(
    switchMap((loaves) => (loaves > 0 ? bake(loaves) : of(IDLE))),
    shareReplay({ bufferSize: 1, refCount: true }),
  );

  /** Wishes for so many loaves; none stops the baking. */
  wish(loaves: number): void {
    this.#wishes.next(loaves);
  }

  ngOnDestroy(): void {
    // The client is not closed: it is the page's, and another application on it may go on with it.
    this.#wishes.complete();
  }
}
