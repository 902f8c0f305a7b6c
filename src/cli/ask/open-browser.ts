import { catchError, firstValueFrom, map, of } from 'rxjs';
import { openUrl } from '../../auth/node/opener.js';
import type { Io } from '../io.js';

/**
 * Opens a page in the browser of the user, by a program that gets its URL as an argument. Resolves with whether that
 * could be done; never rejects. Only `https:` and `http:` are opened.
 */
export const openBrowser = (url: string, { env, platform }: Pick<Io, 'env' | 'platform'>): Promise<boolean> => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') return Promise.resolve(false);
  return firstValueFrom(
    openUrl(parsed, { system: platform, env }).pipe(
      map(() => true),
      catchError(() => of(false)),
    ),
  );
};
