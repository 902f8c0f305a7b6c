import type { ChildProcess } from 'node:child_process';
import { Observable, timer } from 'rxjs';

/** How long a program that opens a browser has to say that it cannot, in ms. */
const SAYS_NO_MS = 1_500;

/**
 * Whether a program that was started to open a browser could: it ended well, or it still runs after a while, being the browser
 * itself. Emits once, and completes; errors with why not: it is not there, or it ended with a code that says so, as `xdg-open` does
 * on a machine without a screen. Unsubscribing leaves the program alone, and so does this process when it ends.
 * @param patienceMs how long is waited for it to say that it cannot, in ms
 */
export const opened = (child: ChildProcess, patienceMs: number = SAYS_NO_MS): Observable<undefined> =>
  new Observable((subscriber) => {
    const done = (): void => {
      subscriber.next(undefined);
      subscriber.complete();
    };
    child.once('spawn', () => {
      child.unref();
      subscriber.add(timer(patienceMs).subscribe({ next: done, error: () => undefined }));
    });
    child.once('exit', (code, signal) => {
      if (code === 0) done();
      else
        subscriber.error(
          new Error(`${child.spawnfile} ended ${signal === null ? `with code ${code}` : `by ${signal}`}`),
        );
    });
    child.on('error', (reason) => {
      subscriber.error(reason);
    });
  });
