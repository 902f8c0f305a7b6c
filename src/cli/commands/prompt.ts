import { Dialogues } from '../ask/dialogue.js';
import { terminalHooks } from '../ask/hooks.js';
import { choose } from '../choose.js';
import { callBound } from '../clocks.js';
import { asked, connected } from '../connect.js';
import type { Context } from '../context.js';
import { EXIT, type ExitCode, usageError } from '../exit.js';
import { readPair } from '../input/pairs.js';
import { promptArguments } from '../input/prompt-arguments.js';
import { unseen } from '../progress.js';
import { openTarget } from '../target.js';
import { promptParts } from '../text/content.js';
import { instead } from '../../jsonrpc/suggest.js';

/** `rx-mcp prompt`: has a prompt filled in and prints its messages. */
export const prompt = async (context: Context, words: readonly string[]): Promise<ExitCode> => {
  const { screen, globals } = context;
  const { chosen, rest } = await choose(context, words);
  const [name, ...typed] = rest;
  if (name === undefined) throw usageError('which prompt? rx-mcp list <server> shows those there are');
  const pairs = typed.map(readPair);
  const dialogues = new Dialogues(context, () => unseen);
  const client = terminalHooks(context, chosen.key, dialogues);
  await using target = await openTarget(chosen, context, { client, dialogues });
  await connected(target, context);
  const prompts = await asked(target.client.listPrompts(), target, context, 'prompts/list');
  const found = prompts.find((one) => one.name === name);
  if (found === undefined) {
    const names = prompts.map((one) => one.name);
    throw usageError(`${JSON.stringify(chosen.key)} has no prompt ${JSON.stringify(name)}${instead(name, names)}`);
  }
  const args = promptArguments(found, pairs);
  const given = Object.keys(args).length === 0 ? undefined : args;
  const result = await asked(
    target.client.getPrompt(name, given, callBound(chosen, context)),
    target,
    context,
    'prompts/get',
  );
  if (globals.json) screen.json(result);
  else screen.write(...promptParts(result));
  return EXIT.ok;
};
