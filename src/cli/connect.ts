import { lastValueFrom, type Observable } from 'rxjs';
import { CancelledError, messageOf } from '../errors/index.js';
import { isInvalid } from '../jsonrpc/index.js';
import type { ServerDescription } from '../protocol/index.js';
import { abortWith } from '../rx/index.js';
import { loginLine } from './authorize.js';
import type { Context } from './context.js';
import { diagnose } from './diagnose.js';
import { CommandError, EXIT } from './exit.js';
import type { Target } from './target.js';

/** The last value of a stream. Rejects with its error, and with a `CancelledError` where the command is to end. */
export const ended = <T>(source$: Observable<T>, { signal }: Context, what: string): Promise<T> =>
  lastValueFrom(source$.pipe(abortWith(signal, (reason) => new CancelledError(what, undefined, reason))));

/** The beginning of the first thing on a server's stdout that is no message, once there was one. */
export const watchJunk = ({ client }: Pick<Target, 'client'>): (() => string | undefined) => {
  let junk: string | undefined;
  client.wire$.subscribe({
    next: ({ direction, message }) => {
      if (direction === 'in' && 'invalid' in message && isInvalid(message)) junk ??= message.excerpt.slice(0, 80);
    },
    error: () => undefined,
  });
  return () => junk;
};

/** Connects, and says what is known of the server. Rejects with a {@link CommandError} that says what is wrong. */
export const connected = async (target: Target, context: Context): Promise<ServerDescription> => {
  const { chosen, client } = target;
  const junk = watchJunk(target);
  try {
    return await ended(client.server(), context, 'connecting');
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { problem, remedy } = diagnose(error, {
      server: chosen.server,
      stderrTail: target.stderrTail,
      junk: junk(),
      login: loginLine(chosen),
    });
    throw new CommandError(
      EXIT.unreachable,
      chosen.redact(`could not connect to ${JSON.stringify(chosen.key)}: ${problem}`),
      remedy,
      error,
    );
  }
};

/** Asks a server that is connected. Rejects with a {@link CommandError} that names the server. */
export const asked = async <T>(source$: Observable<T>, target: Target, context: Context, what: string): Promise<T> => {
  try {
    return await ended(source$, context, what);
  } catch (error) {
    if (context.signal.aborted || error instanceof CommandError) throw error;
    const { key, redact } = target.chosen;
    throw new CommandError(EXIT.failed, redact(`${JSON.stringify(key)}: ${messageOf(error)}`), undefined, error);
  }
};
