import { Dialogues } from '../ask/dialogue.js';
import { terminalHooks } from '../ask/hooks.js';
import { choose } from '../choose.js';
import { callBound } from '../clocks.js';
import { asked, connected } from '../connect.js';
import type { Context } from '../context.js';
import { EXIT, type ExitCode, usageError } from '../exit.js';
import { unseen } from '../progress.js';
import { openTarget } from '../target.js';
import { contentsParts } from '../text/content.js';

/** `rx-mcp read`: reads a resource and prints its contents. */
export const read = async (context: Context, words: readonly string[]): Promise<ExitCode> => {
  const { screen, globals } = context;
  const { chosen, rest } = await choose(context, words);
  const [uri, ...more] = rest;
  if (uri === undefined) throw usageError('which resource? give its URI: rx-mcp list <server> shows those there are');
  if (more.length > 0) throw usageError(`${JSON.stringify(more[0])} is one argument too many: give one URI`);
  const dialogues = new Dialogues(context, () => unseen);
  const client = terminalHooks(context, chosen.key, dialogues);
  await using target = await openTarget(chosen, context, { client, dialogues });
  await connected(target, context);
  const result = await asked(
    target.client.readResource(uri, callBound(chosen, context)),
    target,
    context,
    'resources/read',
  );
  if (globals.json) screen.json(result);
  else screen.write(...result.contents.flatMap(contentsParts));
  return EXIT.ok;
};
