import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { defer, type Observable } from 'rxjs';
import { opened } from './opened.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The program that opens a URL on a system, with what comes before it. None of them is a shell, and none hands the URL to one. */
export const openerFor = (system: string, env: Env): readonly [command: string, ...args: string[]] => {
  if (system === 'darwin') return ['open'];
  if (system === 'win32')
    return [join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'rundll32.exe'), 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
};

/** How a program is started. */
export type Spawn = (command: string, args: readonly string[]) => ReturnType<typeof spawn>;

/** Where a URL is opened. */
export interface Desktop {
  /** The system, as `process.platform` names it. */
  readonly system: string;
  readonly env: Env;
  /** Default: with that environment, and so that it may outlive this process. */
  readonly start?: Spawn | undefined;
  /** How long the program has to say that it cannot, in ms. Default 1 500. */
  readonly patienceMs?: number | undefined;
}

/**
 * Has the program of a system open a URL that is fit for it: which are is its caller's to say. Cold: emits once and completes, or
 * errors with why there was none that could; see {@link opened}.
 */
export const openUrl = ({ href }: URL, { system, env, start, patienceMs }: Desktop): Observable<undefined> =>
  defer(() => {
    const detached: Spawn = (command, args) =>
      spawn(command, args, { env, stdio: 'ignore', detached: true, shell: false });
    const [command, ...args] = openerFor(system, env);
    // As the parser writes it, so that there is no space or quote in it, nothing that looks like an option, or is read in two ways.
    return opened((start ?? detached)(command, [...args, href]), patienceMs);
  });
