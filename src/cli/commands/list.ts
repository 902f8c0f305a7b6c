import type { Observable } from 'rxjs';
import { describeServer } from '../../config/describe-server.js';
import type { ConfigEntry } from '../../config/read-entry.js';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../../protocol/schemas/index.js';
import { Dialogues } from '../ask/dialogue.js';
import { terminalHooks } from '../ask/hooks.js';
import { choose, isNamedByOption } from '../choose.js';
import { asked, askedAside, connected } from '../connect.js';
import type { Context } from '../context.js';
import { EXIT, type ExitCode, usageError } from '../exit.js';
import { signatureText } from '../input/schema.js';
import { locateConfig, tellProblems } from '../locate.js';
import { unseen } from '../progress.js';
import { openTarget } from '../target.js';
import { oneLine, textOf } from '../text/clean.js';
import { countText } from '../text/measures.js';
import { bold, cyan, dim, type Part, red, yellow } from '../text/paint.js';
import { table } from '../text/table.js';
import { fit, wrap } from '../text/width.js';
import { isTaskOnly, offered } from '../tools.js';

const told = (value: unknown): string => oneLine(textOf(value));

/** The way to a server, without its secrets. */
const wayTo = (entry: ConfigEntry): string => {
  if (entry.state === 'disabled') return 'switched off';
  if (entry.state === 'failed') return entry.reason;
  const server = describeServer(entry.server);
  return server.transport === 'stdio' ? [server.command, ...(server.args ?? [])].join(' ') : server.url;
};

const listServers = async (context: Context): Promise<ExitCode> => {
  const { screen, globals } = context;
  const { entries, file, problems } = await locateConfig(context);
  tellProblems(
    context,
    problems.filter(({ level }) => level !== 'error'),
  );
  if (globals.json) {
    screen.json({
      file,
      servers: entries.map((entry) => ({
        name: entry.key,
        state: entry.state,
        ...(entry.state === 'usable' ? { server: describeServer(entry.server) } : {}),
        ...(entry.state === 'failed' ? { reason: entry.reason } : {}),
      })),
    });
    return EXIT.ok;
  }
  screen.out(dim(`${countText(entries.length, 'server')} in ${file ?? 'the config'}`));
  const rows = entries.map((entry): readonly Part[] => [
    bold(entry.key),
    entry.state === 'usable' ? entry.server.transport : dim(entry.state),
    entry.state === 'failed' ? red(wayTo(entry)) : wayTo(entry),
  ]);
  for (const line of table(rows, screen.columns, 2)) screen.out(...line);
  return EXIT.ok;
};

/** What one server offers. */
interface Offer {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
}

const INDENT = '      ';
/** Longer descriptions are for models, and for `--verbose`. */
const LONGEST = 210;

const show = ({ screen, globals }: Context, { tools, prompts, resources, templates }: Offer, hidden: number): void => {
  const item = (head: readonly Part[], text: string): void => {
    screen.out('  ', ...head);
    if (text === '') return;
    const shown = globals.verbose ? text : fit(text, LONGEST);
    screen.out(INDENT, dim(wrap(shown, screen.columns - INDENT.length, INDENT)));
  };
  const section = (title: string, count: number): void => {
    if (count > 0) screen.out(bold(title));
  };
  section('tools', tools.length);
  for (const tool of tools) {
    const { name, description, inputSchema } = tool;
    const note = isTaskOnly(tool) ? [yellow('  (only as a task: cannot be called)')] : [];
    item([cyan(oneLine(name)), `(${oneLine(signatureText(inputSchema))})`, ...note], told(description));
  }
  if (hidden > 0) screen.out(dim(`  ${countText(hidden, 'tool')} more that the config does not offer`));
  section('prompts', prompts.length);
  for (const { name, description, arguments: args = [] } of prompts) {
    const names = args.map((one) => `${told(one.name)}${one.required === true ? '' : '?'}`);
    item([cyan(oneLine(name)), `(${names.join(', ')})`], told(description));
  }
  section('resources', resources.length);
  for (const { uri, name, description } of resources) {
    item([cyan(oneLine(uri)), `  ${told(name)}`], told(description));
  }
  section('resource templates', templates.length);
  for (const { uriTemplate, name, description } of templates) {
    item([cyan(oneLine(uriTemplate)), `  ${told(name)}`], told(description));
  }
  if ([tools, prompts, resources, templates].every(({ length }) => length === 0) && hidden === 0) {
    screen.out(dim('it offers nothing'));
  }
};

/** `rx-mcp list`: the servers of the config, or what one server offers. */
export const list = async (context: Context, words: readonly string[]): Promise<ExitCode> => {
  const { screen, globals } = context;
  if (words.length === 0 && !isNamedByOption(globals)) return listServers(context);
  const { chosen, rest } = await choose(context, words);
  if (rest[0] !== undefined) throw usageError(`${JSON.stringify(rest[0])} is one argument too many`);
  const dialogues = new Dialogues(context, () => unseen);
  // As `call` does: servers offer more to who can be asked.
  const hooks = terminalHooks(context, chosen.key, dialogues);
  await using target = await openTarget(chosen, context, { client: hooks, dialogues });
  const server = await connected(target, context);
  const { client } = target;
  const all = await asked(client.listTools(), target, context, 'tools/list');
  const tools = offered(all, chosen);
  const { prompts: hasPrompts, resources: hasResources } = server.capabilities;
  // What is not declared is not asked for.
  const warnings: string[] = [];
  const also = async <T>(isThere: boolean, list$: Observable<readonly T[]>, what: string): Promise<readonly T[]> => {
    if (!isThere) return [];
    const list = await askedAside(list$, target, context, what);
    if ('warning' in list) warnings.push(list.warning);
    return 'warning' in list ? [] : list.answer;
  };
  const prompts = await also(hasPrompts !== undefined, client.listPrompts(), 'prompts');
  const resources = await also(hasResources !== undefined, client.listResources(), 'resources');
  const templates = await also(hasResources !== undefined, client.listResourceTemplates(), 'templates');
  const offer = { tools, prompts, resources, templates };
  for (const warning of globals.json ? [] : warnings) screen.err(yellow('warning '), oneLine(warning));
  if (globals.json) {
    screen.json({ name: chosen.key, server, ...offer, ...(warnings.length === 0 ? {} : { warnings }) });
    return EXIT.ok;
  }
  const { info, era, protocolVersion } = server;
  screen.out(
    bold(oneLine(chosen.key)),
    info === undefined ? '' : `  ${told(info.name)} ${told(info.version)}`,
    dim(`  ${protocolVersion} (${era})`),
  );
  show(context, offer, all.length - tools.length);
  return EXIT.ok;
};
