import { useEffect, useState } from 'react';
import type { Observable } from 'rxjs';

/** The latest value of an Observable. Another one takes its place; an error goes to the nearest error boundary. */
export const useObservable = <T>(source$: Observable<T>, initial: T): T => {
  const [value, setValue] = useState(initial);
  useEffect(() => {
    const subscription = source$.subscribe({
      next: (next) => setValue(() => next),
      error: (reason: unknown) =>
        setValue(() => {
          throw reason;
        }),
    });
    return () => subscription.unsubscribe();
  }, [source$]);
  return value;
};
