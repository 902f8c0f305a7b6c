import type { AuthorizationState, OAuthProvider } from '../../auth/index.js';
import type { HttpServerConfig } from '../../config/server-config.js';
import { answerOf } from '../../rx/index.js';
import { type Chosen, choose } from '../choose.js';
import { connected, ended, unreachable } from '../connect.js';
import type { Context } from '../context.js';
import { wantsLogin } from '../diagnose.js';
import { EXIT, type ExitCode, configError, usageError } from '../exit.js';
import { mayLogIn } from '../login/login-line.js';
import { stateFacts, stateParts } from '../login/states.js';
import { neededTokensFolder } from '../login/tokens-folder.js';
import { openTarget, type Target } from '../target.js';
import { bold } from '../text/paint.js';

/** The server behind a URL that the user named. Rejects with a usage or config error where it is none. */
export const remote = async (
  context: Context,
  words: readonly string[],
): Promise<{ readonly chosen: Chosen; readonly server: HttpServerConfig }> => {
  const { chosen, rest } = await choose(context, words);
  if (rest[0] !== undefined) throw usageError(`${JSON.stringify(rest[0])} is one argument too many`);
  const { key, server } = chosen;
  if (server.transport === 'stdio')
    throw usageError(`${JSON.stringify(key)} needs no login: it is started on this machine, and is not behind a URL`);
  return { chosen, server };
};

/** What a login came to. */
type Outcome = 'authorized' | 'already-authorized' | 'not-needed';

/**
 * Uses a server, so that it says whether it wants an authorization: then somebody is asked for it, and what was
 * refused is sent again. One that has refused nothing may protect its calls alone, and then says where it is authorized.
 */
const loggedIn = async (
  target: Target,
  provider: OAuthProvider,
  url: string,
  context: Context,
  isDone: () => boolean,
): Promise<Outcome> => {
  const { capabilities } = await connected(target, context);
  try {
    if (capabilities.tools !== undefined) await ended(target.client.listTools(), context, 'tools/list');
  } catch (error) {
    if (context.signal.aborted) throw error;
    if (wantsLogin(error)) throw unreachable(error, target, context);
    // What else is wrong with it is none of a login's business.
  }
  if (isDone()) return 'authorized';
  const at = new URL(url);
  at.hash = '';
  const request = { url: at.href, target: at.href, method: 'POST' } as const;
  const token = await ended(
    answerOf(() => provider.token(request)),
    context,
    'login',
  );
  if (token !== undefined) return 'already-authorized';
  const { publishesMetadata } = await import('../login/provider.js');
  if (!(await ended(publishesMetadata(url, context.signal), context, 'login'))) return 'not-needed';
  try {
    await ended(provider.authorize(url), context, 'login');
  } catch (error) {
    throw context.signal.aborted ? error : unreachable(error, target, context);
  }
  return 'authorized';
};

/** `rx-mcp login`: has somebody log in to a server behind a URL, and keeps the tokens. */
export const login = async (context: Context, words: readonly string[]): Promise<ExitCode> => {
  const { screen, globals, io } = context;
  const folder = neededTokensFolder(io);
  const { chosen, server } = await remote(context, words);
  const { url } = server;
  if (!mayLogIn(server)) {
    const error = chosen.fromConfig ? configError : usageError;
    throw error(
      `${JSON.stringify(chosen.key)} has the header Authorization, which goes before a login`,
      'take that header out to log in',
    );
  }
  let isDone = false;
  const onState = (state: AuthorizationState): void => {
    if (state.status === 'authorized') isDone = true;
    if (globals.json) screen.json(stateFacts(state));
    else screen.err(...stateParts(state));
  };
  await using target = await openTarget(chosen, context, { asks: true, onState });
  const { provider } = target;
  if (provider === undefined) throw new TypeError('a server behind a URL has a provider');
  const outcome = await loggedIn(target, provider, url, context, () => isDone);
  if (globals.json) {
    // The last state has said it.
    if (outcome !== 'authorized') screen.json({ status: outcome, server: url });
  } else if (outcome === 'authorized')
    screen.out('logged in to ', bold(chosen.key), '; the tokens are kept in ', folder);
  else if (outcome === 'not-needed') screen.out(bold(chosen.key), ' needs no login');
  else screen.out('already logged in to ', bold(chosen.key), '; to be somebody else, log out first');
  return EXIT.ok;
};
