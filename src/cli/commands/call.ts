import { tap } from 'rxjs';
import { InputRefusedError, messageOf } from '../../errors/index.js';
import type { CallToolResult } from '../../protocol/schemas/index.js';
import { Dialogues } from '../ask/dialogue.js';
import { terminalHooks } from '../ask/hooks.js';
import { choose } from '../choose.js';
import { tellTimeout } from '../../config/managed/calls.js';
import { callBound } from '../clocks.js';
import { asked, connected } from '../connect.js';
import type { CallFlags, Context } from '../context.js';
import { CommandError, EXIT, type ExitCode, usageError } from '../exit.js';
import { type Pair, readArgs, readPair } from '../input/pairs.js';
import { toolArguments } from '../input/tool-arguments.js';
import { logParts } from '../lines.js';
import { type Live, openProgress, unseen } from '../progress.js';
import { openTarget, type Target } from '../target.js';
import { resultParts } from '../text/content.js';
import { bold, red, yellow } from '../text/paint.js';
import { findTool } from '../tools.js';

/** A call as it was typed. */
export interface TypedCall {
  readonly name: string;
  readonly pairs: readonly Pair[];
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

/** Reads what was typed behind the server. Throws a usage error. */
export const readCall = ([name, ...words]: readonly string[], args: string | undefined): TypedCall => {
  if (name === undefined) throw usageError('which tool? rx-mcp list <server> shows those there are');
  return { name, pairs: words.map(readPair), args: args === undefined ? undefined : readArgs(args) };
};

/** Calls a tool of a server that is connected, and shows what happens meanwhile. */
export const callTool = async (
  target: Target,
  context: Context,
  typed: TypedCall,
  live: Live,
): Promise<CallToolResult> => {
  const { chosen, client } = target;
  const tools = await asked(client.knownTools(), target, context, 'tools/list');
  const tool = findTool(tools, typed.name, chosen);
  const args = toolArguments(tool, typed.pairs, typed.args);
  const events$ = client.callTool(tool.name, args, { observe: 'events', ...callBound(chosen, context) }).pipe(
    tellTimeout(),
    tap((event) => {
      if (event.kind === 'progress') live.show(event);
      if (event.kind === 'log' && tellsLogs(context)) context.screen.err(...logParts(event, chosen.redact));
    }),
  );
  const last = await asked(events$, target, context, 'tools/call');
  return last.kind === 'result' ? last.result : { content: [] };
};

/** Logs are for a person who waits, or who asked for them. */
const tellsLogs = ({ screen, globals }: Context): boolean => screen.live || globals.verbose;

const MENTIONS_QUESTIONS = /elicit/i;

/** Whether a failure comes from there being nobody to ask. */
const wantedToAsk = (reason: unknown): boolean => {
  if (reason instanceof InputRefusedError) return true;
  if (reason instanceof Error) return MENTIONS_QUESTIONS.test(reason.message) || wantedToAsk(reason.cause);
  return false;
};

const NOBODY_TO_ASK = 'the server may want to ask something: for that, stdin and stderr must be a terminal';

const show = (result: CallToolResult, name: string, { screen, globals }: Context): ExitCode => {
  const failed = result.isError === true;
  if (globals.json) screen.json(result);
  else if (failed) {
    const text = resultParts(result.content, result.structuredContent);
    screen.err(red('failed: '), `the tool ${JSON.stringify(name)} says:`);
    screen.err(...text);
    const asks = result.content.some((block) => block.type === 'text' && MENTIONS_QUESTIONS.test(block.text));
    if (!screen.interactive && asks) screen.err(yellow('note: '), NOBODY_TO_ASK);
  } else screen.write(...resultParts(result.content, result.structuredContent));
  return failed ? EXIT.failed : EXIT.ok;
};

/** `rx-mcp call`: calls a tool and prints its result. */
export const call = async (context: Context, words: readonly string[], flags: CallFlags): Promise<ExitCode> => {
  const { screen, io, globals } = context;
  const { chosen, rest } = await choose(context, words);
  const typed = readCall(rest, flags.args);
  let live: Live = unseen;
  const logLevel = flags.logLevel ?? (tellsLogs(context) ? 'info' : undefined);
  const dialogues = new Dialogues(context, () => live);
  await using target = await openTarget(chosen, context, {
    client: { ...terminalHooks(context, chosen.key, dialogues), logLevel },
    dialogues,
  });
  try {
    await connected(target, context);
    if (screen.live) live = await openProgress(io, screen, typed.name);
    else if (globals.verbose) live = lines(context);
    return show(await callTool(target, context, typed, live).finally(() => live.stop()), typed.name, context);
  } catch (error) {
    if (screen.interactive || context.signal.aborted || !wantedToAsk(error)) throw error;
    const exitCode = error instanceof CommandError ? error.exitCode : EXIT.failed;
    throw new CommandError(exitCode, messageOf(error), NOBODY_TO_ASK, error);
  }
};

/** Progress as lines: for a log. */
const lines = ({ screen }: Context): Live => ({
  ...unseen,
  show: ({ progress, total, message }) => {
    screen.err(
      bold('progress '),
      `${progress}${total === undefined ? '' : ` of ${total}`}`,
      message === undefined ? '' : `  ${message}`,
    );
  },
});
