import { catchError, concatMap, EMPTY, Observable, ReplaySubject, Subject, takeUntil, tap } from 'rxjs';

const turns = new Subject<Observable<unknown>>();
turns.pipe(concatMap((turn$) => turn$)).subscribe({ error: (reason: unknown) => console.error(reason) });

/** Puts one after another what would else be shown at the same time; whoever is unsubscribed loses its turn. */
export const inTurn = <T>(source$: Observable<T>): Observable<T> =>
  new Observable((subscriber) => {
    // Whoever leaves before its turn has left all the same when that comes.
    const left = new ReplaySubject<void>(1);
    const turn$ = source$.pipe(
      tap(subscriber),
      catchError(() => EMPTY),
      takeUntil(left),
    );
    turns.next(turn$);
    return () => left.next();
  });
