import { takeUntil } from 'rxjs';
import type { LogLevel } from '../../session/index.js';
import { choose } from '../choose.js';
import { connected } from '../connect.js';
import type { Context } from '../context.js';
import { EXIT, type ExitCode, usageError } from '../exit.js';
import { aborted } from '../aborted.js';
import { openTarget } from '../target.js';
import { clockText } from '../text/measures.js';
import { dim } from '../text/paint.js';
import { happeningsOf, kindPart, now } from './happenings.js';

/** `rx-mcp watch`: tells what happens at a server, a line each, until it is ended. */
export const watch = async (
  context: Context,
  words: readonly string[],
  { logLevel }: { readonly logLevel: LogLevel },
): Promise<ExitCode> => {
  const { screen, globals, signal } = context;
  const { chosen, rest } = await choose(context, words);
  if (rest[0] !== undefined) throw usageError(`${JSON.stringify(rest[0])} is one argument too many`);
  await using target = await openTarget(chosen, context, { client: { logLevel }, follows: false });
  const told = happeningsOf(target.client, chosen)
    .pipe(takeUntil(aborted(signal)))
    .forEach(({ kind, facts, parts }) => {
      const at = now();
      if (globals.json) screen.json({ at: new Date(at).toISOString(), kind, ...facts });
      else screen.out(dim(clockText(at)), ' ', kindPart(kind), ' ', ...parts);
    });
  await connected(target, context);
  await told;
  return EXIT.ok;
};
