import type { UrlAnswer, UrlQuestion } from '../../protocol/index.js';
import { clean, oneLine, textOf } from '../text/clean.js';
import { bold, cyan, yellow } from '../text/paint.js';
import type { Ask } from './dialogue.js';
import { asker } from './form.js';

/**
 * Asks a person whether a page may be opened: who wants it, why, the whole URL, and its host. Nothing is opened without a
 * yes. A 2025-11-25 server waits for the matter to be done: it is asked for as well.
 * @param open opens the page; resolves with whether it could
 */
export const askUrl =
  (key: string, question: UrlQuestion, open: (url: string) => Promise<boolean>) =>
  async (ask: Ask): Promise<UrlAnswer> => {
    const { params, host, warning } = question;
    ask.say('');
    ask.say(...asker(key, question), ' wants you to visit a page:');
    ask.say(clean(textOf(params.message)));
    ask.say('  ', cyan(oneLine(params.url)));
    ask.say('  host: ', bold(oneLine(host)));
    if (warning !== undefined) ask.say(yellow(`  careful: ${oneLine(warning)}`));
    for (;;) {
      const line = await ask.confirm(bold('Open it in your browser?'), ' [y]es, [d]ecline, [c]ancel: ');
      const word = line?.trim().toLowerCase();
      if (word === undefined || ['c', 'cancel', ':cancel'].includes(word)) return { action: 'cancel' };
      if (['d', 'decline', ':decline', 'n', 'no'].includes(word)) return { action: 'decline' };
      if (word === 'y' || word === 'yes') break;
    }
    if (!(await open(params.url))) ask.say(yellow('No browser could be started: open the page yourself.'));
    if (params.elicitationId === undefined) return { action: 'accept' };
    const done = await ask.line('Press Enter when you are done there: ');
    return { action: 'accept', completed: done !== undefined };
  };
