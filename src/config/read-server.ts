import { resolve } from 'node:path';
import { below } from '../bridge/schemas/report.js';
import { milliseconds, whole } from '../jsonrpc/checks.js';
import { OptionError } from '../errors/index.js';
import { checkHttp } from '../transport/http/parameters.js';
import { checkParameters } from '../transport/stdio/parameters.js';
import type { Surroundings } from './expand.js';
import { Fields, reasonOf } from './fields.js';
import type { Problems } from './problem.js';
import { readOAuth } from './read-oauth.js';
import { nearNames } from '../jsonrpc/suggest.js';
import type { CommonServerConfig, HttpServerConfig, ServerConfig, StdioServerConfig } from './server-config.js';

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  type: ['transport'],
  url: ['serverUrl', 'httpUrl'],
  allowedTools: ['includeTools'],
  blockedTools: ['disabledTools', 'excludeTools'],
};

const KNOWN: ReadonlySet<string> = new Set([
  ...['command', 'args', 'env', 'cwd', 'type', 'url', 'headers', 'oauth'],
  ...['timeout', 'disabled', 'enabled', 'allowedTools', 'blockedTools', 'overlap', 'maxOutputTokens'],
  ...Object.values(ALIASES).flat(),
]);

/** Keys that other clients act on, so that the server will hardly work without them, and what to do. */
const MISSED: Readonly<Record<string, string>> = {
  envFile: 'the file is not read: write its variables into env',
  headersHelper: 'the program is not run: write the headers into headers, with ${NAME} for what is secret',
};

const TYPES: Readonly<Record<string, ServerConfig['transport']>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
};

/** Below this a number of milliseconds was hardly meant as one: some clients count seconds. */
const ODDLY_SHORT_MS = 1_000;

const noteUnknown = (raw: Readonly<Record<string, unknown>>, path: string, problems: Problems): void => {
  for (const key of Object.keys(raw)) {
    if (KNOWN.has(key)) continue;
    const missed = Object.hasOwn(MISSED, key) ? MISSED[key] : undefined;
    const told = JSON.stringify(key);
    if (missed !== undefined) problems.add('warning', below(path, key), `${told} is not known here: ${missed}`);
    else {
      const [near] = nearNames(key, [...KNOWN]);
      const meant = near === undefined || Object.hasOwn(raw, near) ? '' : `; did you mean ${JSON.stringify(near)}?`;
      problems.add('note', below(path, key), `${told} is not known here, and changes nothing${meant}`);
    }
  }
};

/** What was probably meant for one of the two members that say where a server is. */
const mistyped = (raw: Readonly<Record<string, unknown>>): string => {
  const key = Object.keys(raw).find((one) => !KNOWN.has(one) && nearNames(one, ['command', 'url']).length > 0);
  const [near] = key === undefined ? [] : nearNames(key, ['command', 'url']);
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)} by ${JSON.stringify(key)}?`;
};

const transportOf = (
  raw: Readonly<Record<string, unknown>>,
  fields: Fields,
  path: string,
  problems: Problems,
): ServerConfig['transport'] | undefined => {
  if (fields.has('type')) {
    const type = fields.word('type', Object.keys(TYPES));
    return type === undefined ? undefined : TYPES[type];
  }
  const [command, url] = [fields.has('command'), fields.has('url')];
  if (command && !url) return 'stdio';
  if (url && !command) return 'http';
  const reason = command
    ? 'there are a command and a url: say which with type'
    : 'there is neither a command nor a url';
  problems.add('error', path, `${reason}${command ? '' : `: give one of them${mistyped(raw)}`}`);
  return undefined;
};

/** Without what is `undefined`. */
const given = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

const commonOf = (fields: Fields, problems: Problems): CommonServerConfig => {
  const timeoutMs = fields.number('timeout', milliseconds(1));
  if (timeoutMs !== undefined && timeoutMs < ODDLY_SHORT_MS) {
    const path = fields.pathOf('timeout');
    problems.add(
      'warning',
      path,
      `timeout: ${timeoutMs} ms is very short; write ${timeoutMs * 1_000} for as many seconds`,
    );
  }
  return given({
    timeoutMs,
    allowedTools: fields.texts('allowedTools'),
    blockedTools: fields.texts('blockedTools'),
    overlap: fields.word('overlap', ['annotated', 'read-only', 'never']),
    maxOutputTokens: fields.number('maxOutputTokens', whole(1)),
  });
};

const HOME = /^~(?=$|[/\\])/;

const inProject = (fields: Fields, { projectDir, home }: Surroundings): string | undefined => {
  const cwd = fields.text('cwd');
  // An empty one is refused further on.
  if (cwd === undefined || cwd === '') return cwd;
  if (HOME.test(cwd) && home === undefined) {
    fields.refuse('cwd', 'this user has no home folder: set the variable HOME, or write the path');
    return undefined;
  }
  return resolve(
    projectDir,
    cwd.replace(HOME, () => home ?? ''),
  );
};

const stdioOf = (fields: Fields, common: CommonServerConfig, around: Surroundings): StdioServerConfig | undefined => {
  if (!fields.has('command')) {
    fields.refuse('command', 'a server of type stdio needs one: name the program that is the server');
    return undefined;
  }
  const [command, args, env] = [fields.text('command'), fields.texts('args'), fields.members('env')];
  const cwd = inProject(fields, around);
  if (command === undefined) return undefined;
  return { transport: 'stdio', command, ...given({ args, env, cwd }), ...common };
};

const httpOf = (
  transport: 'http' | 'sse',
  fields: Fields,
  common: CommonServerConfig,
  problems: Problems,
): HttpServerConfig | undefined => {
  const url = fields.text('url');
  if (url === undefined) {
    if (!fields.has('url'))
      fields.refuse('url', `a server of type ${transport} needs one: give the URL of its MCP endpoint`);
    return undefined;
  }
  const headers = fields.members('headers');
  const oauth = readOAuth(fields, problems);
  return {
    transport,
    url,
    ...(headers === undefined ? {} : { headers: given(headers) as Record<string, string> }),
    ...(oauth === undefined ? {} : { oauth }),
    ...common,
  };
};

/** What the transports would refuse later, told now, with its path. */
const checkServer = (server: ServerConfig, fields: Fields): void => {
  try {
    if (server.transport === 'stdio') checkParameters(server);
    else checkHttp(server);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    fields.refuse(error.option, reasonOf(error));
  }
};

/** The program that a command line begins with, where it was hardly meant as the name of a program. */
const programOf = ({ command, args }: StdioServerConfig): string | undefined =>
  args === undefined ? /^([^\s/\\]+)\s+\S/.exec(command.trim())?.[1] : undefined;

const warnOfOddities = (server: ServerConfig, fields: Fields, problems: Problems): void => {
  if (server.transport !== 'stdio') return;
  const program = programOf(server);
  if (program !== undefined) {
    problems.add(
      'warning',
      fields.pathOf('command'),
      `command: no shell splits it: give ${program} alone, and the rest in args`,
    );
  }
};

/** Whether an entry is switched off; `enabled` is how some clients say it. */
const isDisabled = (fields: Fields): boolean => fields.flag('disabled') === true || fields.flag('enabled') === false;

/** Which members of an entry have a meaning here: in these alone references are replaced. */
export const isKnownKey = (key: string): boolean => KNOWN.has(key);

/**
 * Reads an entry in which references were replaced. What is wrong with it goes to `problems`; the server is `undefined`
 * where too little is left to make one of, and `'disabled'` where it is switched off.
 */
export const readServer = (
  raw: Readonly<Record<string, unknown>>,
  path: string,
  around: Surroundings,
  problems: Problems,
): ServerConfig | 'disabled' | undefined => {
  const fields = new Fields(raw, path, problems, ALIASES);
  if (isDisabled(fields)) return 'disabled';
  noteUnknown(raw, path, problems);
  const transport = transportOf(raw, fields, path, problems);
  const common = commonOf(fields, problems);
  if (transport === undefined) return undefined;
  const server = transport === 'stdio' ? stdioOf(fields, common, around) : httpOf(transport, fields, common, problems);
  if (server === undefined) return undefined;
  checkServer(server, fields);
  warnOfOddities(server, fields, problems);
  return server;
};
