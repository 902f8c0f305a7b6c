import { readFileSync } from 'node:fs';
import { decodeText } from '../config/decode-text.js';
import { configPlaces, findConfig } from '../config/find-config.js';
import { loadConfig, type LoadedConfig, readConfigText } from '../config/load-config.js';
import type { ConfigProblem } from '../config/problem.js';
import type { Context } from './context.js';
import { configError } from './exit.js';
import { dim, yellow } from './text/paint.js';

/**
 * Whether a file is worth to be the config: it has servers, or it was meant to and cannot be read, which its user wants to
 * know. The files that clients keep for their users are often there without any.
 */
const holdsServers = (file: string): boolean => {
  try {
    const { entries, problems } = readConfigText(decodeText(readFileSync(file)), file);
    return entries.length > 0 || problems.some(({ level }) => level === 'error');
  } catch {
    return false;
  }
};

/** The config to use. Rejects with a config error where there is none, or where it is none. */
export const locateConfig = async ({ io, globals }: Context): Promise<LoadedConfig> => {
  const { cwd, env, home, platform } = io;
  const search = { given: globals.config, cwd, env, home, platform };
  const place = findConfig(search, holdsServers);
  if (place === undefined) {
    throw configError(
      'no config with servers was found',
      ['give one with --config, or a server with --stdio or --url; looked at:']
        .concat(configPlaces(search).map(({ file }) => `  ${file}`))
        .join('\n'),
    );
  }
  const loaded = await loadConfig(place.file, { env });
  const fatal = loaded.problems.find(({ level }) => level === 'error');
  if (loaded.entries.length === 0) {
    const reason = fatal?.message ?? loaded.problems[0]?.message ?? 'it holds no servers';
    throw configError(reason.startsWith(place.file) ? reason : `${place.file}: ${reason}`);
  }
  return loaded;
};

/** Tells what is wrong with a config, on stderr. */
export const tellProblems = ({ screen }: Context, problems: readonly ConfigProblem[]): void => {
  for (const { level, path, message } of problems) {
    screen.err((level === 'note' ? dim : yellow)(`config ${level}`), ` ${path === '' ? '' : `${path}: `}${message}`);
  }
};
