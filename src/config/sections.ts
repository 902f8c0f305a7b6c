import { below } from '../bridge/schemas/report.js';
import { isObject } from '../jsonrpc/index.js';
import type { Problems } from './problem.js';

/** A part of a config that has servers in it. */
export interface Section {
  /** Where it stands, as a JSON Pointer. */
  readonly path: string;
  readonly servers: Readonly<Record<string, unknown>>;
}

type Members = Readonly<Record<string, unknown>>;

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Where servers stand, what comes first being what counts. Claude Code keeps those of a project beside the user's own. */
const placesIn = (root: Members, projectDir: string): readonly (readonly [path: string, value: unknown])[] =>
  [
    ['projects', projectDir, 'mcpServers'],
    ['mcpServers'],
    ['servers'],
    // The settings of VS Code.
    ['mcp', 'servers'],
  ].map((steps) => [steps.reduce(below, ''), steps.reduce<unknown>(memberOf, root)]);

const isServer = (value: unknown): boolean =>
  isObject(value) && ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => Object.hasOwn(value, key));

/** A key that was meant to be `mcpServers`. */
const meantBy = (root: Members): string | undefined =>
  Object.keys(root).find((key) => /^(?:mcp)?servers?$/.test(key.toLowerCase().replace(/[^a-z]/g, '')));

const warnOfInputs = (root: Members, problems: Problems): void => {
  for (const [path, inputs] of [
    ['/inputs', root['inputs']],
    ['/mcp/inputs', memberOf(root['mcp'], 'inputs')],
  ] as const) {
    if (!Array.isArray(inputs) || inputs.length === 0) continue;
    problems.add(
      'warning',
      path,
      'inputs: an editor asks for them, and nobody does so here: put each value into an environment variable, and write ${NAME} for ${input:…}',
    );
  }
};

/**
 * Finds the servers in what a config holds: under `mcpServers`, as most clients write it; under `servers`, as VS Code does;
 * at the top, as in the plugins of Claude Code; and, in the file that Claude Code keeps for a user, those of the project.
 * What else stands at the top is its client's own, and nothing is told of it.
 */
export const sectionsOf = (root: unknown, projectDir: string, problems: Problems): readonly Section[] => {
  if (!isObject(root)) {
    problems.add('error', '', 'a config is an object with mcpServers (in VS Code: servers)');
    return [];
  }
  const there = placesIn(root, projectDir).filter(([, value]) => value !== undefined);
  const sections = there.flatMap(([path, value]): Section[] => {
    if (isObject(value)) return [{ path, servers: value }];
    problems.add('error', path, 'give an object that has one member for each server');
    return [];
  });
  warnOfInputs(root, problems);
  if (there.length > 0) return sections;
  if (Object.values(root).some(isServer)) return [{ path: '', servers: root }];
  const meant = meantBy(root);
  if (meant === undefined) problems.add('warning', '', 'there are no servers: put them into an object mcpServers');
  else problems.add('error', below('', meant), `${JSON.stringify(meant)} is not known here: write mcpServers`);
  return [];
};
