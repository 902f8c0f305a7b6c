import { type MonoTypeOperatorFunction, Observable } from 'rxjs';

/**
 * Makes an operator that mirrors its source, for sources of which each is subscribed to where another ends. One that is
 * subscribed to inside the subscribing of another begins right after that has returned, and not within: a chain of any
 * length takes no more stack than a single one. Otherwise it begins at once. What is unsubscribed before its turn never
 * begins.
 */
export const inTurn = <T>(): MonoTypeOperatorFunction<T> => {
  const waiting: (() => void)[] = [];
  let busy = false;
  return (source) =>
    new Observable<T>((subscriber) => {
      waiting.push(() => {
        if (!subscriber.closed) source.subscribe(subscriber);
      });
      if (busy) return;
      busy = true;
      try {
        for (let begin = waiting.shift(); begin !== undefined; begin = waiting.shift()) begin();
      } finally {
        busy = false;
      }
    });
};
