import { CancelledError } from '../../errors/index.js';
import { oneLine } from '../text/clean.js';
import { bold, cyan, yellow } from '../text/paint.js';
import type { Ask } from './dialogue.js';

/** Where an authorization is given. */
export interface Page {
  readonly url: string;
  readonly host: string;
}

/**
 * Asks a person whether the page where a server's authorization is given may be opened: the whole URL, and its host. Nothing
 * is opened without a yes; without one it rejects with a `CancelledError`.
 * @param open opens the page; resolves with whether it could
 */
export const askConsent =
  (key: string, { url, host }: Page, open: (url: string) => Promise<boolean>) =>
  async (ask: Ask): Promise<undefined> => {
    ask.say(bold(oneLine(key)), ' wants you to log in:');
    ask.say('  ', cyan(oneLine(url)));
    ask.say('  host: ', bold(oneLine(host)));
    for (;;) {
      const line = await ask.line(bold('Open it in your browser?'), ' [y]es, [c]ancel: ');
      const word = line?.trim().toLowerCase();
      if (word === 'y' || word === 'yes') break;
      if (word === undefined || ['c', 'cancel', 'n', 'no'].includes(word)) throw new CancelledError('login', undefined);
    }
    if (await open(url)) ask.say('Go on in your browser; this waits for you.');
    else ask.say(yellow('No browser could be started: open the page yourself; this waits for you.'));
    return undefined;
  };
