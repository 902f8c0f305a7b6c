import { tap } from 'rxjs';
import type { AuthorizationState } from '../../auth/index.js';
import { messageOf, UnauthorizedError } from '../../errors/index.js';
import { authorizationOf, isAuthorizedByHand, tokensFolder } from '../authorize.js';
import { type Chosen, choose } from '../choose.js';
import { connected, ended } from '../connect.js';
import type { Context } from '../context.js';
import { CommandError, EXIT, type ExitCode, usageError } from '../exit.js';
import { openTarget } from '../target.js';
import { bold } from '../text/paint.js';

/** The server behind a URL that the user named; nothing else may be typed. */
const remote = async (context: Context, words: readonly string[]): Promise<{ chosen: Chosen; url: string }> => {
  const { chosen, rest } = await choose(context, words);
  const [more] = rest;
  if (more !== undefined) throw usageError(`${JSON.stringify(more)} is one argument too many`);
  const { key, server } = chosen;
  if (server.transport === 'stdio') {
    throw usageError(`${JSON.stringify(key)} is started here: only servers behind URLs are logged in to`);
  }
  if (isAuthorizedByHand(chosen)) {
    throw usageError(
      `${JSON.stringify(key)} has its authorization in a header`,
      'take the header Authorization away to log in instead',
    );
  }
  return { chosen, url: server.url };
};

const STEPS: Readonly<Record<AuthorizationState['status'], string>> = {
  discovering: 'finding out where to log in',
  registering: 'registering this program',
  authorizing: 'waiting for you',
  exchanging: 'fetching the tokens',
  refreshing: 'refreshing the tokens',
  authorized: 'logged in',
  failed: 'failed',
};

const show = (state: AuthorizationState, { screen, globals }: Context): void => {
  if (globals.json) {
    screen.json(state.status === 'failed' ? { ...state, error: state.error.message } : state);
    return;
  }
  const where = 'issuer' in state ? ` (${state.issuer})` : '';
  // What failed is told at the end.
  if (state.status !== 'failed') screen.err(STEPS[state.status], where);
};

/** Whether a server wants an authorization at all. Rejects where it cannot be reached. */
const wantsAuthorization = async (chosen: Chosen, context: Context): Promise<boolean> => {
  await using target = await openTarget(chosen, context, { authorizes: false });
  try {
    await connected(target, context);
    return false;
  } catch (error) {
    if (error instanceof CommandError && error.cause instanceof UnauthorizedError) return true;
    throw error;
  }
};

/** `rx-mcp login`: has a person give the authorization for a server, and keeps the tokens. */
export const login = async (context: Context, words: readonly string[]): Promise<ExitCode> => {
  const { screen, globals, io } = context;
  const { chosen, url } = await remote(context, words);
  if (!(await wantsAuthorization(chosen, context))) {
    if (globals.json) screen.json({ status: 'not needed', server: url });
    else screen.out(bold(chosen.key), ' needs no login');
    return EXIT.ok;
  }
  const provider = await authorizationOf(chosen, context, true);
  const states$ = provider.authorize(url).pipe(
    tap((state) => {
      show(state, context);
    }),
  );
  try {
    await ended(states$, context, 'login');
  } catch (error) {
    if (context.signal.aborted) throw error;
    throw new CommandError(EXIT.unreachable, chosen.redact(messageOf(error)), undefined, error);
  }
  if (!globals.json) screen.out('logged in to ', bold(chosen.key), '; the tokens are in ', tokensFolder(io));
  return EXIT.ok;
};

/** `rx-mcp logout`: has the tokens for a server revoked, and forgets them. */
export const logout = async (context: Context, words: readonly string[]): Promise<ExitCode> => {
  const { screen, globals } = context;
  const { chosen, url } = await remote(context, words);
  const provider = await authorizationOf(chosen, context, false);
  await ended(provider.forget(url), context, 'logout');
  if (globals.json) screen.json({ status: 'logged out', server: url });
  else screen.out('logged out of ', bold(chosen.key));
  return EXIT.ok;
};
