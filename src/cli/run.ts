import type { Writable } from 'node:stream';
import { CommanderError } from 'commander';
import { messageOf } from '../errors/index.js';
import type { Context } from './context.js';
import { CommandError, EXIT, type ExitCode, usageError } from './exit.js';
import type { Io } from './io.js';
import { type RawGlobals, readGlobals } from './options.js';
import { programOf } from './program.js';
import { Screen } from './screen.js';
import { clean } from './text/clean.js';
import { bold, cyan, type Part, red } from './text/paint.js';

/** How a stream says that nobody reads it any more; on Windows as the end of a file. */
const UNREAD: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EOF', 'ECONNRESET']);

const BY_SIGNAL = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;

/** What ends a command before it has done its work. */
interface Ending {
  readonly signal: AbortSignal;
  /** How it ends then. */
  readonly exitCode: () => ExitCode | undefined;
  readonly interrupt: () => void;
  readonly release: () => void;
}

/** Listens to signals, and to whether anybody reads what is written. The second signal ends the process at once. */
const endingOf = (io: Io): Ending => {
  const controller = new AbortController();
  let exitCode: ExitCode | undefined;
  const end = (code: ExitCode): void => {
    if (exitCode !== undefined) return;
    exitCode = code;
    controller.abort();
  };
  const onSignal = (signal: keyof typeof BY_SIGNAL): void => {
    if (exitCode !== undefined) io.exitNow(BY_SIGNAL[signal]);
    end(BY_SIGNAL[signal]);
  };
  const signals = io.signals$.subscribe({ next: onSignal, error: () => undefined });
  const onBroken = (error: NodeJS.ErrnoException): void => {
    // Whoever read has seen enough: `rx-mcp list | head`.
    end(UNREAD.has(error.code) ? EXIT.ok : EXIT.failed);
  };
  // Nobody is left to tell.
  const onUnheard = (): void => undefined;
  io.stdout.on('error', onBroken);
  io.stderr.on('error', onUnheard);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    interrupt: () => {
      onSignal('SIGINT');
    },
    release: () => {
      signals.unsubscribe();
    },
  };
};

const tellFailure = (error: unknown, screen: Screen, json: boolean): ExitCode => {
  const known = error instanceof CommandError ? error : undefined;
  const exitCode = known?.exitCode ?? EXIT.failed;
  const [message, remedy] = [messageOf(error), known?.remedy];
  if (json) {
    const cause = known?.cause ?? error;
    const name = cause instanceof Error ? cause.name : 'Error';
    screen.json({ error: { name, message, remedy, exitCode } });
    return exitCode;
  }
  const told: Part[] = [red('error: '), message];
  screen.err(...told);
  for (const line of remedy === undefined ? [] : clean(remedy).split('\n')) screen.err(cyan('  '), line);
  return exitCode;
};

/** Resolves when all that was written has left, or cannot. */
const written = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    // Its error, if there is one, is told beforehand to whoever listens.
    else stream.write('', () => resolve());
  });

/** A mistake on the command line that its parser found, in the words of this command. */
const parserError = ({ code, message }: CommanderError): CommandError => {
  if (code === 'commander.help') return usageError('which command?', 'rx-mcp --help shows those there are');
  const [what = '', ...more] = message.replace(/^error: /, '').split('\n');
  return usageError(what, more.length === 0 ? undefined : more.join(' '));
};

/**
 * Runs the command with these arguments, and resolves with how it ended, when everything that it opened is closed. Never
 * rejects.
 */
export const run = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const ending = endingOf(io);
  // Options are read by then; until then a mistake in them is told in plain words.
  let screen = new Screen(io, { colour: !args.includes('--no-color') });
  let json = args.includes('--json');
  let exitCode: ExitCode = EXIT.ok;

  const runner = async (raw: RawGlobals, work: (context: Context) => Promise<ExitCode>): Promise<void> => {
    const globals = readGlobals(raw);
    screen = new Screen(io, { colour: raw.color !== false });
    json = globals.json;
    exitCode = await work({ io, screen, globals, signal: ending.signal, interrupt: ending.interrupt });
  };

  const program = programOf(runner, {
    out: (text) => io.stdout.write(text),
    // For a program it is told as an error like any other.
    err: (text) => json || io.stderr.write(text),
  });
  try {
    if (args.length === 0) {
      program.outputHelp({ error: true });
      return EXIT.usage;
    }
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const endedBy = ending.exitCode();
    if (endedBy !== undefined) {
      if (endedBy >= EXIT.interrupted && !json) screen.err(bold('cancelled'));
    } else if (error instanceof CommanderError) {
      if (error.exitCode === 0) exitCode = EXIT.ok;
      else if (json) exitCode = tellFailure(parserError(error), screen, json);
      // It has said what is wrong by itself.
      else exitCode = EXIT.usage;
    } else exitCode = tellFailure(error, screen, json);
  } finally {
    ending.release();
  }
  await written(io.stdout);
  const unwritten: NodeJS.ErrnoException | null = io.stdout.errored;
  if (unwritten !== null && !UNREAD.has(unwritten.code)) {
    screen.err(red('error: '), `the results could not be written: ${unwritten.message}`);
    return EXIT.failed;
  }
  return ending.exitCode() ?? exitCode;
};
