import type { AuthorizationRequest } from '../../auth/index.js';
import { AuthorizationError } from '../../auth/authorization-error.js';
import { oneLine } from '../text/clean.js';
import { bold, cyan, dim, yellow } from '../text/paint.js';
import type { Ask } from './dialogue.js';

/**
 * Asks a person whether the page on which they log in may be opened: for which server, the whole URL, and its host; opens it
 * after a yes, and waits with them. It does not resolve: whoever gets the answer takes it away. Rejects with an
 * `AuthorizationError` where they do not want to. Where no browser can be opened, they are told to do it themselves.
 * @param open opens the page; resolves with whether it could
 */
export const askConsent =
  (key: string, { url, host }: Pick<AuthorizationRequest, 'url' | 'host'>, open: (url: string) => Promise<boolean>) =>
  async (ask: Ask): Promise<never> => {
    ask.say('');
    ask.say(bold(oneLine(key)), ' wants you to log in:');
    ask.say('  ', cyan(oneLine(url)));
    ask.say('  host: ', bold(oneLine(host)));
    for (;;) {
      const line = await ask.confirm(bold('Open it in your browser?'), ' [y]es, [n]o: ');
      const word = line?.trim().toLowerCase();
      if (word === undefined || ['n', 'no', 'd', 'decline', 'c', 'cancel', ':decline', ':cancel'].includes(word))
        throw new AuthorizationError('denied', 'you did not want to log in');
      if (word === 'y' || word === 'yes') break;
    }
    if (!(await open(url))) ask.say(yellow('No browser could be started: open the page yourself.'));
    // The terminal is read meanwhile: Ctrl-C is lost where it comes while a terminal is handed back.
    while ((await ask.line(dim('Waiting until you are done there; Ctrl-C gives up. '))) !== undefined);
    throw new AuthorizationError('cancelled', 'you did not wait for it');
  };
