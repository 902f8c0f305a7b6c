import { run } from '../../../src/cli/run.js';
import { type Ended, envOf, homeFolder, type RunOptions } from './command.js';
import { fakeIo } from './fake-io.js';

/** Runs the command within this process, on real servers: the same for what is no matter of processes, in half the time. */
export const runWithin = async (args: readonly string[], options: Omit<RunOptions, 'stdin'> = {}): Promise<Ended> => {
  const home = homeFolder();
  const io = fakeIo({ cwd: options.cwd ?? home, home, env: envOf(options), platform: process.platform });
  const code = await run([...args], io);
  return { out: io.out(), err: io.err(), code };
};
