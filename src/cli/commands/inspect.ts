import { filter, firstValueFrom, map, race } from 'rxjs';
import type { ConnectionState } from '../../client/index.js';
import { isInvalid } from '../../jsonrpc/index.js';
import type { WireFrame } from '../../session/index.js';
import { aborted } from '../aborted.js';
import { Dialogues } from '../ask/dialogue.js';
import { terminalHooks } from '../ask/hooks.js';
import { choose } from '../choose.js';
import { asked, connected } from '../connect.js';
import type { CallFlags, Context } from '../context.js';
import { CommandError, EXIT, type ExitCode, usageError } from '../exit.js';
import { unseen } from '../progress.js';
import { openTarget } from '../target.js';
import { jsonText } from '../text/clean.js';
import { clockText } from '../text/measures.js';
import { cyan, dim, green, red } from '../text/paint.js';
import { callTool, readCall, type TypedCall } from './call.js';

/** How it is with a connection that nobody lost. */
const ENDED: Pick<ConnectionState, 'error'> = {};

/** What is to happen beside the handshake and the lists. */
export interface InspectFlags extends CallFlags {
  /** The tool to call. */
  readonly call?: string | undefined;
  /** Whether it ends by itself. */
  readonly once: boolean;
}

const show = ({ screen, globals }: Context, { direction, message, at }: WireFrame): void => {
  const invalid = 'invalid' in message && isInvalid(message);
  const what = invalid ? { invalid: message.invalid, excerpt: message.excerpt } : message;
  if (globals.json) {
    screen.json({ at: new Date(at).toISOString(), direction, ...(invalid ? what : { message: what }) });
    return;
  }
  const arrow = invalid ? red('<?') : direction === 'in' ? green('<-') : cyan('->');
  screen.out(dim(clockText(at)), ' ', arrow, ' ', jsonText(what));
};

const typedCall = (words: readonly string[], { call, args }: InspectFlags): TypedCall | undefined => {
  if (call !== undefined) return readCall([call, ...words], args);
  if (words[0] !== undefined) throw usageError(`${JSON.stringify(words[0])} is one argument too many`);
  if (args !== undefined) throw usageError('--args goes with --call');
  return undefined;
};

/** `rx-mcp inspect`: shows every frame, both ways: of the handshake, of the lists, of one call, and of what follows. */
export const inspect = async (context: Context, words: readonly string[], flags: InspectFlags): Promise<ExitCode> => {
  const { screen, signal } = context;
  const { chosen, rest } = await choose(context, words);
  const typed = typedCall(rest, flags);
  const dialogues = new Dialogues(context, () => unseen);
  // As `call` does: servers offer more to who can be asked.
  const hooks = terminalHooks(context, chosen.key, dialogues);
  await using target = await openTarget(chosen, context, { client: { ...hooks, logLevel: flags.logLevel }, dialogues });
  const { client } = target;
  client.wire$.subscribe({ next: (frame) => show(context, frame), error: () => undefined });
  const server = await connected(target, context);
  let failed = false;
  const lists = [
    ['tools/list', client.listTools(), server.capabilities.tools],
    ['prompts/list', client.listPrompts(), server.capabilities.prompts],
    ['resources/list', client.listResources(), server.capabilities.resources],
    ['resources/templates/list', client.listResourceTemplates(), server.capabilities.resources],
  ] as const;
  const step = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (signal.aborted) throw error;
      // The frames say it all; what follows is to be seen as well.
      failed = true;
      screen.err(red('failed: '), chosen.redact(error instanceof Error ? error.message : String(error)));
      return undefined;
    }
  };
  for (const [what, list$, capability] of lists) {
    if (capability !== undefined) await step(asked<readonly unknown[]>(list$, target, context, what));
  }
  if (typed !== undefined) {
    const result = await step(callTool(target, context, typed, unseen));
    if (result?.isError === true) failed = true;
  }
  if (!flags.once) {
    const lost$ = client.state$.pipe(filter(({ status }) => status === 'failed'));
    const { error } = await firstValueFrom(race(lost$, aborted(signal).pipe(map(() => ENDED))));
    // Nobody would open it again, and there would be nothing more to see.
    if (error !== undefined) throw new CommandError(EXIT.failed, chosen.redact(error.message), undefined, error);
  }
  return failed ? EXIT.failed : EXIT.ok;
};
