import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Observable, type Observer } from 'rxjs';

const CLOSED = 'the connection was closed before the body was whole';

/** Where the bytes of a body come from. */
export interface Source {
  readonly pause: () => void;
  readonly resume: () => void;
  /** Nobody wants the rest. */
  readonly hangUp: () => void;
}

const bytesOf = (body: Readable): Observable<Uint8Array> =>
  new Observable((subscriber) => {
    let done = false;
    if (body.destroyed) {
      subscriber.error(body.errored ?? new Error(CLOSED));
      return undefined;
    }
    body.on('data', (chunk: Uint8Array) => {
      subscriber.next(chunk);
    });
    body.on('end', () => {
      done = true;
      subscriber.complete();
    });
    body.on('error', (reason: unknown) => {
      done = true;
      subscriber.error(reason);
    });
    body.on('close', () => {
      if (!done) subscriber.error(new Error(CLOSED));
    });
    return () => {
      if (!done) body.destroy();
    };
  });

const decoded = (body: Readable, encoding: string): Readable => {
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined;
  if (decoder === undefined) return body;
  body.on('error', (reason) => decoder.destroy(reason));
  decoder.on('close', () => body.destroy());
  return body.pipe(decoder);
};

/**
 * A compressed body: nothing compressed is asked for, but a server, or somebody in between, may send it all the same.
 * `undefined` for an encoding that is not known. Its bytes are put into `sink`, and come out of `body$`.
 */
export const encodedBody = (
  encoding: string,
  { pause, resume, hangUp }: Source,
): { readonly sink: Observer<Uint8Array>; readonly body$: Observable<Uint8Array> } | undefined => {
  const raw = new Readable({
    read: resume,
    destroy: (error, done) => {
      hangUp();
      done(error);
    },
  });
  const body = decoded(raw, encoding);
  if (body === raw) return undefined;
  // An error of a body that nobody reads yet, or any longer, would end the process.
  body.on('error', () => undefined);
  return {
    sink: {
      next: (chunk) => {
        if (!raw.push(chunk)) pause();
      },
      error: (reason: Error) => raw.destroy(reason),
      complete: () => raw.push(null),
    },
    body$: bytesOf(body),
  };
};
