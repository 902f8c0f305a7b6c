import { AsyncSubject, BehaviorSubject, EMPTY, filter, Observable, of, switchMap, take } from 'rxjs';
import type { Life } from '../protocol/index.js';

/**
 * One opening of a connection, for everybody who waits for it. None of them can end it; but where the wire waits for a person,
 * and nobody waits for the wire any longer, that person is asked in vain.
 */
export class Opening {
  readonly #outcome = new AsyncSubject<Life>();
  readonly #deserted = new BehaviorSubject(false);
  #waiting = 0;

  /** Emits the life once it is there, and completes; errors with why there is none. */
  readonly life$: Observable<Life> = new Observable((subscriber) => {
    this.#waiting += 1;
    this.#deserted.next(false);
    subscriber.add(() => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#deserted.next(true);
    });
    subscriber.add(this.#outcome.subscribe(subscriber));
  });

  /** Emits once, and completes, when all who waited have left and the wire waits for a person. */
  vain(waits$: Observable<boolean> = of(false)): Observable<unknown> {
    return waits$.pipe(
      switchMap((waits) => (waits ? this.#deserted : EMPTY)),
      filter((isDeserted) => isDeserted),
      take(1),
    );
  }

  /** There it is. */
  ready(life: Life): void {
    this.#outcome.next(life);
    this.#outcome.complete();
  }

  /** There is none. */
  fail(reason: unknown): void {
    this.#outcome.error(reason);
  }
}
