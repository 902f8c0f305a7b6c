import { homedir } from 'node:os';
import { refuse } from '../jsonrpc/checks.js';

/** The home of the system's user; `undefined` where there is none, as for a user that the system does not know. */
export const homeOfUser = (): string | undefined => {
  try {
    const home = homedir();
    return home === '' ? undefined : home;
  } catch {
    return undefined;
  }
};

/** The working directory of this process. Throws an `OptionError` for the option that would do instead where it is gone. */
export const workingDirectory = (option: string, remedy: string): string => {
  try {
    return process.cwd();
  } catch {
    return refuse(option, `the working directory of this process is gone: ${remedy}`);
  }
};

/** The folder of the project where nobody said which. Throws an `OptionError` where there is no working directory. */
export const currentProject = (): string => workingDirectory('projectDir', 'give the folder of the project');
