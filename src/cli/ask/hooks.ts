import type { ClientOptions } from '../../client/index.js';
import type { Context } from '../context.js';
import type { Live } from '../progress.js';
import { Dialogues } from './dialogue.js';
import { askForm } from './form.js';
import { openBrowser } from './open-browser.js';
import { askUrl } from './url.js';

/**
 * What answers a server's questions: the person at the terminal, one question at a time. Nothing where there is none, so
 * that servers know that nobody can be asked. Models and directories are never offered: this is no agent.
 * @param live what is shown beneath, at the time of a question
 */
export const terminalHooks = (
  context: Context,
  key: string,
  live: () => Live,
): Pick<ClientOptions, 'onElicit' | 'onElicitUrl'> => {
  if (!context.screen.interactive) return {};
  const dialogues = new Dialogues(context, live);
  return {
    onElicit: (question) => dialogues.hold(askForm(key, question)),
    onElicitUrl: (question) => dialogues.hold(askUrl(key, question, (url) => openBrowser(url, context.io))),
  };
};
