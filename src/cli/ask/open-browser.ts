import { spawn } from 'node:child_process';
import { catchError, firstValueFrom, map, of } from 'rxjs';
import { opened } from '../../auth/node/opened.js';
import type { Io } from '../io.js';

/** The program that opens a URL, and what comes before the URL. None of them is a shell. */
export const opener = (platform: string): readonly [command: string, ...args: string[]] => {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return platform === 'darwin' ? ['open'] : ['xdg-open'];
};

/**
 * Opens a page in the browser of the user, by a program that gets its URL as an argument. Resolves with whether that
 * could be done; never rejects. Only `https:` and `http:` are opened.
 */
export const openBrowser = (url: string, { env, platform }: Pick<Io, 'env' | 'platform'>): Promise<boolean> => {
  if (!URL.canParse(url)) return Promise.resolve(false);
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return Promise.resolve(false);
  const [command, ...args] = opener(platform);
  return firstValueFrom(
    // As it is read by a browser: without anything that another program might read in another way. It may outlive this command.
    opened(spawn(command, [...args, href], { env, stdio: 'ignore', detached: true, shell: false })).pipe(
      map(() => true),
      catchError(() => of(false)),
    ),
  );
};
