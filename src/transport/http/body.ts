import { Observable } from 'rxjs';
import { MessageTooLargeError } from '../../errors/index.js';
import type { HttpResponse } from './engine.js';

const join = (chunks: readonly Uint8Array[], length: number): Uint8Array => {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
};

/** Emits the whole body as text, read as UTF-8 whatever its charset says, and completes; errors as `onExcess` decides. */
const read = (response: HttpResponse, maxBytes: number, excess: 'cut' | 'error'): Observable<string> =>
  new Observable((subscriber) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = (): void => {
      subscriber.next(new TextDecoder('utf-8').decode(join(chunks, length)));
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

/** The body, or as much of it as `maxBytes` hold. */
export const bodyText = (response: HttpResponse, maxBytes: number): Observable<string> =>
  read(response, maxBytes, 'cut');
