import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export interface Wanted {
  readonly era: 'auto' | 'modern' | 'legacy';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** True where the server is not the demo's own. */
  readonly guest: boolean;
}

const own = {
  command: process.execPath,
  args: ['--import', 'tsx', fileURLToPath(new URL('server.ts', import.meta.url))],
  cwd: fileURLToPath(new URL('../..', import.meta.url)), // where `tsx` is installed
  guest: false,
};

/** Reads `[--legacy | --modern] [-- <command> <args>]`. Throws an `Error` whose message is for the user. */
export const readArguments = (argv: readonly string[]): Wanted => {
  const split = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const { values } = parseArgs({
    args: argv.slice(0, split),
    options: { legacy: { type: 'boolean' }, modern: { type: 'boolean' } },
  });
  if (values.legacy && values.modern) throw new Error('give --legacy or --modern, not both');
  const era = values.legacy ? 'legacy' : values.modern ? 'modern' : 'auto';
  if (split === argv.length) return { ...own, era };
  const [command, ...args] = argv.slice(split + 1);
  if (command === undefined) throw new Error('after -- comes the command of a server, and its arguments');
  return { era, command, args, cwd: undefined, guest: true };
};
