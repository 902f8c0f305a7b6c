import { spawn } from 'node:child_process';
import type { Io } from '../io.js';

/** The program that opens a URL, and what comes before the URL. None of them is a shell. */
export const opener = (platform: string): readonly [command: string, ...args: string[]] => {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return platform === 'darwin' ? ['open'] : ['xdg-open'];
};

/**
 * Opens a page in the browser of the user, by a program that gets its URL as an argument. Resolves with whether that could
 * be started; never rejects. Only `https:` and `http:` are opened.
 */
export const openBrowser = (url: string, { env, platform }: Pick<Io, 'env' | 'platform'>): Promise<boolean> => {
  if (!URL.canParse(url)) return Promise.resolve(false);
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return Promise.resolve(false);
  const [command, ...args] = opener(platform);
  return new Promise((resolve) => {
    // As it is read by a browser: without anything that another program might read in another way.
    const child = spawn(command, [...args, href], { env, stdio: 'ignore', detached: true, shell: false });
    child.once('error', () => {
      resolve(false);
    });
    child.once('spawn', () => {
      // The browser may outlive this command.
      child.unref();
      resolve(true);
    });
  });
};
