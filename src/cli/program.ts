import { Command, Option, type OptionValues } from 'commander';
import { VERSION } from '../client/version.js';
import { LOG_LEVELS, type LogLevel } from '../session/index.js';
import type { Context } from './context.js';
import { type ExitCode, usageError } from './exit.js';
import { helpBelow } from './help.js';
import type { RawGlobals } from './options.js';
import { instead } from '../jsonrpc/suggest.js';

/** Runs a command: gives it what it works with, and takes how it ended. */
export type Runner = (options: RawGlobals, work: (context: Context) => Promise<ExitCode>) => Promise<void>;

/** One of the commands. */
type Work<Flags> = (context: Context, words: readonly string[], flags: Flags) => Promise<ExitCode>;

const gather = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

const logLevel = (what: string): Option => new Option('--log-level <level>', what).choices([...LOG_LEVELS]);

/** The command line: its commands and options, and their help. Each command is loaded when it is run. */
export const programOf = (
  run: Runner,
  output: { readonly out: (text: string) => void; readonly err: (text: string) => void },
): Command => {
  const program = new Command('rx-mcp')
    .description(
      'Looks at servers of the Model Context Protocol, calls their tools, and finds out what is wrong with them.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('-c, --config <file>', 'the config with the servers')
    .option('--stdio <command>', 'start this server; quotes work as in a shell, but none is run')
    .option('--url <url>', 'the server behind this URL')
    .option('--header <line>', 'send this with every request to --url, as "Name: value"; may be repeated', gather)
    .option('--json', 'write JSON, for programs')
    .option('--timeout <seconds>', 'how long to wait for an answer')
    .option('--no-color', 'write no colours; neither with NO_COLOR set')
    .option('-v, --verbose', 'also show stderr, warnings, logs and progress of the server')
    .showSuggestionAfterError()
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (one) => `${one.name()} ${one.usage().replace(/^\[options\] ?/, '')}`,
    })
    .configureOutput({ writeOut: output.out, writeErr: output.err, outputError: (text, write) => write(text) })
    .exitOverride()
    .addHelpText('after', helpBelow(''));

  const command = (name: string, words: string, description: string): Command =>
    program.command(`${name} ${words}`).description(description).addHelpText('after', helpBelow(name));

  const running =
    <Flags extends OptionValues>(load: () => Promise<Work<Flags>>) =>
    async (words: readonly string[], flags: Flags, self: Command): Promise<void> => {
      await run(self.optsWithGlobals<RawGlobals & OptionValues>(), async (context) =>
        (await load())(context, words, flags),
      );
    };

  command('doctor', '[words...]', 'examine every server of the config, or those that are named')
    .usage('[options] [server ...]')
    .action(running(async () => (await import('./commands/doctor.js')).doctor));
  command('list', '[words...]', 'list the servers of the config, or what one of them offers')
    .usage('[options] [server]')
    .action(running(async () => (await import('./commands/list.js')).list));
  command('call', '[words...]', 'call a tool and print its result')
    .usage('[options] <server> <tool> [name=value ...]')
    .option('--args <json>', 'the arguments as a JSON object; name=value goes over them')
    .addOption(logLevel('ask for logs of this severity and worse'))
    .action(running(async () => (await import('./commands/call.js')).call));
  command('read', '[words...]', 'read a resource and print it')
    .usage('[options] <server> <uri>')
    .action(running(async () => (await import('./commands/read.js')).read));
  command('prompt', '[words...]', 'have a prompt filled in and print its messages')
    .usage('[options] <server> <name> [name=value ...]')
    .action(running(async () => (await import('./commands/prompt.js')).prompt));
  command('watch', '[words...]', 'tell what happens at a server, a line each: logs, changes, notifications')
    .usage('[options] <server>')
    .addOption(logLevel('ask for logs of this severity and worse').default('info' satisfies LogLevel))
    .action(running(async () => (await import('./commands/watch.js')).watch));
  command('inspect', '[words...]', 'show every frame between a server and its client')
    .usage('[options] <server> [name=value ...]')
    .option('--call <tool>', 'call this tool as well, with the arguments that follow')
    .option('--args <json>', 'its arguments as a JSON object')
    .option('--once', 'end after that, and not by Ctrl-C', false)
    .addOption(logLevel('ask for logs of this severity and worse'))
    .action(running(async () => (await import('./commands/inspect.js')).inspect));
  command('login', '[words...]', 'log in to a server behind a URL, with a browser, and keep the tokens')
    .usage('[options] <server>')
    .action(running(async () => (await import('./commands/login.js')).login));
  command('logout', '[words...]', 'have the tokens for a server revoked, and forget them')
    .usage('[options] <server>')
    .action(running(async () => (await import('./commands/logout.js')).logout));
  program
    .command('help [command]')
    .description('print the help of a command')
    .action((name: string | undefined) => {
      const one = name === undefined ? program : program.commands.find((other) => other.name() === name);
      if (one !== undefined) return one.help();
      const names = program.commands.map((other) => other.name());
      throw usageError(`there is no command ${JSON.stringify(name)}${instead(name ?? '', names)}`);
    });
  return program;
};
