import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './command.js';

const PROGRAM = join(ROOT, 'spec/support/cli/headless-browser.mjs');

/** A browser that the command finds in the `PATH`, and that shows nothing. */
export interface Browser {
  /** The variables for the command. */
  readonly env: Readonly<Record<string, string>>;
  /** What it was opened with, if it was. */
  opened(): string | undefined;
  /** The page that it ended at; empty as long as it has not. */
  page(): string;
}

const quoted = (word: string): string => `'${word.replace(/'/g, `'\\''`)}'`;

/** Installs one in a folder. One that is idle only notes what it was to open. */
export const installBrowser = (folder: string, isIdle = false): Browser => {
  const [program, note, page] = [join(folder, 'xdg-open'), join(folder, 'opened'), join(folder, 'page')];
  const go = `${[process.execPath, PROGRAM].map(quoted).join(' ')} "$1" > ${quoted(page)}`;
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s' "$1" > ${quoted(`${note}.part`)}\nmv ${quoted(`${note}.part`)} ${quoted(note)}\n${isIdle ? '' : `${go}\n`}`,
  );
  chmodSync(program, 0o755);
  return {
    env: { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
    opened: () => (existsSync(note) ? readFileSync(note, 'utf8') : undefined),
    page: () => (existsSync(page) ? readFileSync(page, 'utf8') : ''),
  };
};

/** Goes to a URL as somebody who was told it does; resolves to the page it ends at. */
export const visit = async (url: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, [PROGRAM, url])).stdout;
