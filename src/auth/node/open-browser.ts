import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { platform } from 'node:process';
import { catchError, defer, type Observable, throwError } from 'rxjs';
import { messageOf } from '../../errors/index.js';
import { AuthorizationError } from '../authorization-error.js';
import { isLoopback } from '../places.js';
import { opened } from './opened.js';

/** There is no program that opens a browser: somebody may do it by hand. */
export class NoBrowser extends AuthorizationError {}

/** The program that opens a URL, with what comes before it. None of them is a shell, and none hands the URL to one. */
const openerFor = (system: string): readonly [command: string, ...args: string[]] => {
  if (system === 'darwin') return ['open'];
  if (system === 'win32')
    return [
      join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'rundll32.exe'),
      'url.dll,FileProtocolHandler',
    ];
  return ['xdg-open'];
};

/** How a program is started. */
export type Spawn = (command: string, args: readonly string[]) => ReturnType<typeof spawn>;

const detached: Spawn = (command, args) => spawn(command, args, { stdio: 'ignore', detached: true, shell: false });

/** As {@link openBrowser}, on a system of that name. */
export const openOn = (system: string, start: Spawn, url: string | URL, patienceMs?: number): Observable<undefined> =>
  defer(() => {
    const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
    const isFit = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed));
    if (parsed === undefined || !isFit) {
      return throwError(() => new AuthorizationError('url', 'only https URLs are opened, and http on loopback'));
    }
    const [command, ...args] = openerFor(system);
    // As the parser writes it, so that there is no space or quote in it, and nothing that looks like an option.
    return opened(start(command, [...args, parsed.href]), patienceMs).pipe(
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
export const openBrowser = (url: string | URL): Observable<undefined> => openOn(platform, detached, url);
