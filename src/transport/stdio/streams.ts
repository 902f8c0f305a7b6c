import { Observable, defer, fromEvent, map, merge, of, take } from 'rxjs';
import type { Readable } from 'node:stream';

/**
 * A stream's chunks, synchronously as they come. Completes when it has ended or was closed, by an error too: whoever
 * destroys a stream knows why. Subscribing makes it flow.
 */
export const bytesOf = (stream: Readable): Observable<Uint8Array> =>
  new Observable((subscriber) => {
    const next = (chunk: Uint8Array): void => subscriber.next(chunk);
    const complete = (): void => subscriber.complete();
    stream.on('data', next).on('end', complete).on('close', complete);
    subscriber.add(() => stream.off('data', next).off('end', complete).off('close', complete));
  });

/** Emits once and completes when a stream has ended or was closed; at once where it has. */
export const endOf = (stream: Readable): Observable<void> =>
  defer(() =>
    stream.readableEnded || stream.closed
      ? of(undefined)
      : merge(fromEvent(stream, 'end'), fromEvent(stream, 'close')).pipe(
          take(1),
          map(() => undefined),
        ),
  );
