import { Observable, takeUntil, timer } from 'rxjs';
import { MessageTooLargeError } from '../../errors/index.js';
import { join } from '../framing/join.js';
import type { HttpResponse } from './engine.js';

/** It keeps nothing from one body to the next. */
const UTF_8 = new TextDecoder('utf-8');

/** Most bodies come in one piece, which need not be copied. */
const wholeOf = (chunks: readonly Uint8Array[], length: number): Uint8Array => {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : join(chunks, length);
};

/** Emits the whole body as text, read as UTF-8 whatever its charset says, and completes; errors as `onExcess` decides. */
const read = (response: HttpResponse, maxBytes: number, excess: 'cut' | 'error'): Observable<string> =>
  new Observable((subscriber) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = (): void => {
      subscriber.next(UTF_8.decode(wholeOf(chunks, length)));
      subscriber.complete();
    };
    return response.body$.subscribe({
      next: (chunk) => {
        if (length + chunk.length > maxBytes) {
          if (excess === 'error') subscriber.error(new MessageTooLargeError(length + chunk.length, maxBytes));
          else {
            chunks.push(chunk.subarray(0, maxBytes - length));
            length = maxBytes;
            finish();
          }
          return;
        }
        chunks.push(chunk);
        length += chunk.length;
      },
      error: (reason: unknown) => {
        subscriber.error(reason);
      },
      complete: finish,
    });
  });

/** The whole body; one larger than `maxBytes` errors with `MessageTooLargeError`. */
export const wholeBody = (response: HttpResponse, maxBytes: number): Observable<string> =>
  read(response, maxBytes, 'error');

/** The body, or as much of it as `maxBytes` hold and as comes within `maxMs`. */
export const bodyText = ({ body$, ...head }: HttpResponse, maxBytes: number, maxMs: number): Observable<string> =>
  read({ ...head, body$: body$.pipe(takeUntil(timer(maxMs))) }, maxBytes, 'cut');
