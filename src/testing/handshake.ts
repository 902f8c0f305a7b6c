import { OptionError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import { isLegacyVersion, LATEST_LEGACY_VERSION, MODERN_VERSIONS } from '../protocol/versions.js';
import type { ScriptedParams } from './answers.js';
import type { Entries, ScriptEntry } from './script.js';

/** Who the scripted server is, and which era it plays. */
export interface ScriptedOptions {
  /** `modern`: answers `server/discover`. `legacy`: answers `initialize`, `ping` and `logging/setLevel`. Default `modern`. */
  readonly era?: 'modern' | 'legacy' | undefined;
  /**
   * The revision it speaks. Default: modern, 2026-07-28; legacy, the one `initialize` asks for if there is
   * such a revision, else 2025-11-25.
   */
  readonly protocolVersion?: string | undefined;
  /** What it declares. Default: whatever the script has answers for, and logging. */
  readonly capabilities?: object | undefined;
  /** Default `{ name: 'scripted', version: '1.0.0' }`. */
  readonly serverInfo?: { readonly name: string; readonly version: string } | undefined;
  /** Its instructions for a model. Default: none. */
  readonly instructions?: string | undefined;
  /** Answers to methods that the protocol does not have; those it has belong into the script. Default: none. */
  readonly custom?: Readonly<Record<string, ScriptEntry | undefined>> | undefined;
}

const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {
  tools: ['tools/list', 'tools/call'],
  resources: ['resources/list', 'resources/templates/list', 'resources/read'],
  prompts: ['prompts/list', 'prompts/get'],
  completions: ['completion/complete'],
};

const declared = (entries: Entries): object => {
  const capabilities: Record<string, object> = { logging: {} };
  for (const [capability, methods] of Object.entries(CAPABILITIES)) {
    if (methods.some((method) => entries.has(method))) capabilities[capability] = {};
  }
  if (entries.has('resources/subscribe')) capabilities['resources'] = { subscribe: true };
  return capabilities;
};

const versionFor = ({ protocolVersion: asked }: ScriptedParams): string =>
  typeof asked === 'string' && isLegacyVersion(asked) ? asked : LATEST_LEGACY_VERSION;

const OPTIONS = new Set(['era', 'protocolVersion', 'capabilities', 'serverInfo', 'instructions', 'custom']);

/** Refuses an option that cannot be used, by an `OptionError` that names it. */
export const checkOptions = (options: ScriptedOptions): void => {
  if (!isObject(options)) throw new OptionError('options', 'give an object');
  for (const name of Object.keys(options)) {
    if (!OPTIONS.has(name))
      throw new OptionError(name, `there is no such option; there are ${[...OPTIONS].join(', ')}`);
  }
  const { era, protocolVersion, capabilities, serverInfo, instructions } = options;
  if (era !== undefined && era !== 'modern' && era !== 'legacy')
    throw new OptionError('era', "give 'modern' or 'legacy'");
  if (protocolVersion !== undefined && typeof protocolVersion !== 'string')
    throw new OptionError('protocolVersion', 'give a string');
  if (capabilities !== undefined && !isObject(capabilities)) throw new OptionError('capabilities', 'give an object');
  if (serverInfo !== undefined && !isObject(serverInfo)) throw new OptionError('serverInfo', 'give an object');
  if (instructions !== undefined && typeof instructions !== 'string')
    throw new OptionError('instructions', 'give a string');
};

/** The answers a server of the era gives without being told: MCP 2026-07-28 server/discover; MCP 2025-11-25 basic/lifecycle. */
export const handshake = (entries: Entries, options: ScriptedOptions): Entries => {
  const { era = 'modern', protocolVersion, instructions } = options;
  const serverInfo = options.serverInfo ?? { name: 'scripted', version: '1.0.0' };
  const capabilities = options.capabilities ?? declared(entries);
  if (era === 'modern') {
    const supportedVersions = protocolVersion === undefined ? MODERN_VERSIONS : [protocolVersion];
    const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
    return new Map([['server/discover', { supportedVersions, capabilities, instructions, _meta }]]);
  }
  return new Map<string, ScriptEntry>([
    [
      'initialize',
      (params) => ({ protocolVersion: protocolVersion ?? versionFor(params), capabilities, serverInfo, instructions }),
    ],
    ['ping', {}],
    ['logging/setLevel', {}],
  ]);
};
