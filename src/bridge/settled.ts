import { Observable, Subject, takeUntil } from 'rxjs';
import type { Happened } from './backend.js';
import { type CallOutcome, failedBy } from './outcome.js';

/**
 * What happens to so many calls, so that each has exactly one outcome, and nothing after it. Emits what `run$` does but for
 * that, and completes as soon as each call has its outcome, or with `run$`: then the others have `unanswered`. Never errors:
 * an error of `run$` is the outcome of the calls that have none. One pass, for a batch may have many calls.
 */
export const settled = (size: number, run$: Observable<Happened>, unanswered: CallOutcome): Observable<Happened> =>
  new Observable((subscriber) => {
    const open = new Set<number>();
    for (let slot = 0; slot < size; slot += 1) open.add(slot);
    const end = (outcome: CallOutcome): void => {
      for (const slot of open) subscriber.next({ slot, value: { kind: 'outcome', outcome } });
      subscriber.complete();
    };
    if (size === 0) {
      subscriber.complete();
      return undefined;
    }
    // Whoever leaves may do so inside the subscribing, when there is nothing yet to unsubscribe from.
    const left$ = new Subject<void>();
    subscriber.add(() => {
      left$.next();
    });
    return run$.pipe(takeUntil(left$)).subscribe({
      next: (happened) => {
        if (!open.has(happened.slot)) return;
        if (happened.value.kind === 'outcome') open.delete(happened.slot);
        subscriber.next(happened);
        if (open.size === 0) subscriber.complete();
      },
      error: (reason: unknown) => {
        end(failedBy(reason));
      },
      complete: () => {
        end(unanswered);
      },
    });
  });
