import type { ClientOptions } from '../../client/index.js';
import type { Context } from '../context.js';
import type { Dialogues } from './dialogue.js';
import { askForm } from './form.js';
import { openBrowser } from './open-browser.js';
import { askUrl } from './url.js';

/**
 * What answers a server's questions: the person at the terminal, one question at a time. Nothing where there is none, so
 * that servers know that nobody can be asked. Models and directories are never offered: this is no agent.
 * @param dialogues those that all questions of this command share
 */
export const terminalHooks = (
  context: Context,
  key: string,
  dialogues: Dialogues,
): Pick<ClientOptions, 'onElicit' | 'onElicitUrl'> => {
  if (!context.screen.interactive) return {};
  return {
    onElicit: (question) => dialogues.hold(askForm(key, question)),
    onElicitUrl: (question) => dialogues.hold(askUrl(key, question, (url) => openBrowser(url, context.io))),
  };
};
