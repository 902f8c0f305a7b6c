import { env, platform } from 'node:process';
import { catchError, defer, type Observable, throwError } from 'rxjs';
import { messageOf } from '../../errors/index.js';
import { AuthorizationError } from '../authorization-error.js';
import { isLoopback } from '../places.js';
import { type Desktop, openUrl } from './opener.js';

/** There is no program that opens a browser: somebody may do it by hand. */
export class NoBrowser extends AuthorizationError {}

/** As {@link openBrowser}, elsewhere. */
export const openOn = (desktop: Desktop, url: string | URL): Observable<undefined> =>
  defer(() => {
    const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
    const isFit = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed));
    if (parsed === undefined || !isFit) {
      return throwError(() => new AuthorizationError('url', 'only https URLs are opened, and http on loopback'));
    }
    return openUrl(parsed, desktop).pipe(
      catchError((reason: unknown) => {
        const message = `no browser can be opened here (${messageOf(reason)}): open the URL yourself, which is the url of the state authorizing (states$)`;
        return throwError(() => new NoBrowser('denied', message));
      }),
    );
  });

/**
 * Opens a URL in the browser of the person at this machine. Cold: emits once when the program that does it has ended well, or
 * still runs after a second and a half, and completes. Errors with an `AuthorizationError` where there is no such program, it
 * says that it cannot, or the URL is none for a browser: only https is, and http on loopback.
 */
export const openBrowser = (url: string | URL): Observable<undefined> => openOn({ system: platform, env }, url);
