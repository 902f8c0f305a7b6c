import { posix, win32 } from 'node:path';
import { defer, type Observable } from 'rxjs';
import type { AuthorizationRequest, OAuthProvider } from '../auth/index.js';
import { VERSION } from '../client/version.js';
import { askConsent } from './ask/consent.js';
import { Dialogues } from './ask/dialogue.js';
import { openBrowser } from './ask/open-browser.js';
import type { Chosen } from './choose.js';
import type { Context } from './context.js';
import type { Io } from './io.js';
import { unseen } from './progress.js';
import { cyan } from './text/paint.js';

const some = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** Where the tokens of a user are kept: where `RX_MCP_TOKENS` says, else where programs keep what is a user's own. */
export const tokensFolder = ({ env, home, platform }: Pick<Io, 'env' | 'home' | 'platform'>): string => {
  const own = some(env['RX_MCP_TOKENS']);
  if (own !== undefined) return own;
  if (platform === 'win32') {
    return win32.join(some(env['LOCALAPPDATA']) ?? win32.join(home, 'AppData', 'Local'), 'rx-mcp', 'tokens');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'rx-mcp', 'tokens');
  return posix.join(some(env['XDG_DATA_HOME']) ?? posix.join(home, '.local', 'share'), 'rx-mcp', 'tokens');
};

/** Whether the user has given a server its authorization himself: then nobody asks for another one. */
export const isAuthorizedByHand = ({ server }: Chosen): boolean =>
  server.transport !== 'stdio' &&
  Object.keys(server.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');

/** What is to be typed to log in to a server; `undefined` where there is nothing to log in to. */
export const loginLine = (chosen: Chosen): string | undefined => {
  const { key, server, fromConfig } = chosen;
  if (server.transport === 'stdio' || isAuthorizedByHand(chosen)) return undefined;
  return fromConfig ? `rx-mcp login ${key}` : `rx-mcp login --url ${server.url}`;
};

/** Shows a person where the authorization is given: after consent in the browser, or where nobody can be asked as a line. */
const shower = (
  context: Context,
  { key }: Chosen,
): ((url: string, request: AuthorizationRequest) => Observable<unknown>) => {
  const { screen, io } = context;
  const dialogues = new Dialogues(context, () => unseen);
  return (url, { host }) => {
    if (screen.interactive) return dialogues.hold(askConsent(key, { url, host }, (page) => openBrowser(page, io)));
    return defer(() => {
      screen.err('open this page to authorize at ', host, ':');
      screen.err('  ', cyan(url));
      return [];
    });
  };
};

/**
 * Gives the requests to a server behind a URL the tokens that were kept for it, and refreshes them. Loaded when there is such
 * a server.
 * @param asks whether somebody is asked where there are none
 */
export const authorizationOf = async (chosen: Chosen, context: Context, asks: boolean): Promise<OAuthProvider> => {
  const [{ oauth }, { fileTokenStore, loopbackRedirect }] = await Promise.all([
    import('../auth/index.js'),
    import('../auth/node/index.js'),
  ]);
  const store = fileTokenStore({ directory: tokensFolder(context.io) });
  const clientMetadata = { client_name: 'rx-mcp', software_id: 'rx-mcp', software_version: VERSION };
  const { redirectUri, open } = loopbackRedirect({ open: shower(context, chosen) });
  return oauth({ store, clientMetadata, redirectUri, ...(asks ? { open } : {}) });
};
