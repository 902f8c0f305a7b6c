import { lastValueFrom, type Observable } from 'rxjs';
import { reasonOf } from '../config/fields.js';
import { CancelledError, messageOf, OptionError, ProtocolError } from '../errors/index.js';
import { isInvalid } from '../jsonrpc/index.js';
import type { ServerDescription } from '../protocol/index.js';
import { abortWith } from '../rx/index.js';
import type { Context } from './context.js';
import { diagnose, wantsLogin } from './diagnose.js';
import { CommandError, EXIT, usageError } from './exit.js';
import { loginLine } from './login/login-line.js';
import type { Target } from './target.js';

/** The last value of a stream. Rejects with its error, and with a `CancelledError` where the command is to end. */
export const ended = <T>(source$: Observable<T>, { signal }: Context, what: string): Promise<T> =>
  lastValueFrom(source$.pipe(abortWith(signal, (reason) => new CancelledError(what, undefined, reason))));

/** The beginning of the first thing on a server's stdout that is no message, once there was one. */
export const watchJunk = ({ client, chosen }: Pick<Target, 'client' | 'chosen'>): (() => string | undefined) => {
  let junk: string | undefined;
  client.wire$.subscribe({
    next: ({ direction, message }) => {
      if (direction === 'in' && 'invalid' in message && isInvalid(message))
        junk ??= chosen.redact(message.excerpt).slice(0, 80);
    },
    error: () => undefined,
  });
  return () => junk;
};

/** Why a server cannot be used, and what to do. */
export const unreachable = (
  error: unknown,
  { chosen, stderrTail }: Target,
  { globals }: Context,
  junk?: string,
): CommandError => {
  const login = loginLine(chosen, globals);
  const { problem, remedy } = diagnose(error, { server: chosen.server, stderrTail, junk, login });
  const message = chosen.redact(`could not connect to ${JSON.stringify(chosen.key)}: ${problem}`);
  return new CommandError(EXIT.unreachable, message, remedy, error);
};

/** Connects, and says what is known of the server. Rejects with a {@link CommandError} that says what is wrong. */
export const connected = async (target: Target, context: Context): Promise<ServerDescription> => {
  const { client } = target;
  const junk = watchJunk(target);
  try {
    return await ended(client.server(), context, 'connecting');
  } catch (error) {
    if (context.signal.aborted) throw error;
    throw unreachable(error, target, context, junk());
  }
};

/** Asks a server that is connected. Rejects with a {@link CommandError} that names the server. */
export const asked = async <T>(source$: Observable<T>, target: Target, context: Context, what: string): Promise<T> => {
  try {
    return await ended(source$, context, what);
  } catch (error) {
    if (context.signal.aborted || error instanceof CommandError) throw error;
    if (wantsLogin(error)) throw unreachable(error, target, context);
    const { key, redact } = target.chosen;
    // What the client does not even send was typed so.
    if (error instanceof OptionError) throw usageError(redact(`${error.option}: ${reasonOf(error)}`));
    throw new CommandError(EXIT.failed, redact(`${JSON.stringify(key)}: ${messageOf(error)}`), undefined, error);
  }
};

/**
 * Asks for a list that a server may do without: one that it refuses, as servers do that declare more than they have, is a
 * warning, and costs nothing else. Rejects as {@link asked} for all that says more than that.
 */
export const askedAside = async <T>(
  list$: Observable<T>,
  target: Target,
  context: Context,
  what: string,
): Promise<{ readonly answer: T } | { readonly warning: string }> => {
  try {
    return { answer: await asked(list$, target, context, `${what}/list`) };
  } catch (error) {
    const cause = error instanceof CommandError ? error.cause : error;
    if (!(cause instanceof ProtocolError)) throw error;
    return { warning: target.chosen.redact(`its ${what} could not be listed: ${messageOf(cause)}`) };
  }
};
