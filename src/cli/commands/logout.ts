import { EMPTY } from 'rxjs';
import type { TokenStore } from '../../auth/index.js';
import { ended } from '../connect.js';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit.js';
import { providerFor, userStore } from '../login/provider.js';
import { neededTokensFolder } from '../login/tokens-folder.js';
import { bold } from '../text/paint.js';
import { remote } from './login.js';

/** A store that tells of tokens that are deleted. */
const telling = (store: TokenStore, onDelete: () => void): TokenStore => ({
  get: (key) => store.get(key),
  set: (key, record) => store.set(key, record),
  delete: (key) => {
    if (key.startsWith('tokens ')) onDelete();
    return store.delete(key);
  },
  ...(store.lock === undefined ? undefined : { lock: (key: string) => store.lock?.(key) ?? EMPTY }),
});

/** `rx-mcp logout`: has the tokens for a server revoked, where that can be done, and forgets them. */
export const logout = async (context: Context, words: readonly string[]): Promise<ExitCode> => {
  const { screen, globals } = context;
  neededTokensFolder(context.io);
  const { chosen, server } = await remote(context, words);
  let had = false;
  const store = telling(await userStore(context), () => {
    had = true;
  });
  const provider = await providerFor(server, context, { store });
  await ended(provider.forget(server.url), context, 'logout');
  if (globals.json) screen.json({ status: had ? 'logged-out' : 'not-logged-in', server: server.url });
  else if (had) screen.out('logged out of ', bold(chosen.key));
  else screen.out('you were not logged in to ', bold(chosen.key));
  return EXIT.ok;
};
