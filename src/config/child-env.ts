import { layEnvironment } from '../transport/stdio/environment.js';
import type { Variables } from './expand.js';

/** The plugin that a server belongs to. */
export interface PluginDirs {
  /** Where the plugin is installed: `CLAUDE_PLUGIN_ROOT`. */
  readonly root: string;
  /** Where it may keep what it stores: `CLAUDE_PLUGIN_DATA`. Default: the variable is not set. */
  readonly data?: string | undefined;
}

/** What the environment of a server is made of. */
export interface ChildEnvParts {
  /** What it is laid over. Default: `process.env`. */
  readonly baseEnv?: Variables | undefined;
  /** The variables of its entry; `undefined` removes one. Default: none. */
  readonly env?: Variables | undefined;
  /** The folder of the project: `CLAUDE_PROJECT_DIR`. */
  readonly projectDir: string;
  /** The plugin that the server belongs to, if it belongs to one. */
  readonly plugin?: PluginDirs | undefined;
  /** Whether names that differ in case alone are one. Default: true on Windows. */
  readonly ignoreCase?: boolean | undefined;
}

/** What a host that is a plugin itself was given, and none of its servers' business. */
const OF_THE_HOST: Variables = { CLAUDE_PLUGIN_ROOT: undefined, CLAUDE_PLUGIN_DATA: undefined };

/**
 * The whole environment of a server: the base without the variables of another plugin, the entry's over it, and over these
 * the project's, and where the server is a plugin's, that plugin's. Copied: what is changed afterwards changes nothing.
 */
export const childEnvOf = ({
  baseEnv = process.env,
  env = {},
  projectDir,
  plugin,
  ignoreCase = process.platform === 'win32',
}: ChildEnvParts): Readonly<Record<string, string>> => {
  const ours: Record<string, string> = { CLAUDE_PROJECT_DIR: projectDir };
  if (plugin !== undefined) ours['CLAUDE_PLUGIN_ROOT'] = plugin.root;
  if (plugin?.data !== undefined) ours['CLAUDE_PLUGIN_DATA'] = plugin.data;
  return [OF_THE_HOST, env, ours].reduce<Record<string, string>>(
    (under, over) => layEnvironment(under, over, ignoreCase),
    layEnvironment({}, baseEnv, ignoreCase),
  );
};
