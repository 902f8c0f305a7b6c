import { REDACTED } from '../rx/known-secrets.js';
import { redactText } from './redact-text.js';
import { redactArg, redactArgs, redactUrl } from './redact.js';
import { redactorOf } from './redactor.js';
import { isSecretHeader, isSecretName } from './secret-names.js';
import type { CommonServerConfig, ServerConfig } from './server-config.js';

type Redact = (text: string) => string;

/** What knows more of a server than stands in it: which of its texts came from variables that are secret by name. */
const redactors = new WeakMap<ServerConfig, Redact>();

/** From now on {@link describeServer} takes out of this server what `redact` does. */
export const describedWith = (server: ServerConfig, redact: Redact): void => {
  redactors.set(server, redact);
};

const membersOf = <V extends string | undefined>(
  members: Readonly<Record<string, V>>,
  isSecret: (name: string) => boolean,
  redact: Redact,
): Readonly<Record<string, V | string>> =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      value === undefined ? value : isSecret(name) ? REDACTED : redact(redactArg(value, undefined)),
    ]),
  );

const toolsOf = (
  { allowedTools, blockedTools }: ServerConfig,
  redact: Redact,
): Pick<CommonServerConfig, 'allowedTools' | 'blockedTools'> => ({
  ...(allowedTools === undefined ? {} : { allowedTools: allowedTools.map(redact) }),
  ...(blockedTools === undefined ? {} : { blockedTools: blockedTools.map(redact) }),
});

/**
 * A server of a config as it may be shown: the same, but for its secrets. Those are masked wherever they stand in it, and so
 * are, in a server of `loadConfig`, the values that came from variables that are secret by name.
 */
export const describeServer = (server: ServerConfig): ServerConfig => {
  const redact = redactors.get(server) ?? redactorOf(server);
  const tools = toolsOf(server, redact);
  if (server.transport === 'stdio') {
    const { command, args, env, cwd } = server;
    return {
      ...server,
      ...tools,
      command: redact(redactText(command)),
      ...(args === undefined ? {} : { args: redactArgs(args).map(redact) }),
      ...(env === undefined ? {} : { env: membersOf(env, isSecretName, redact) }),
      ...(cwd === undefined ? {} : { cwd: redact(cwd) }),
    };
  }
  const { url, headers, oauth } = server;
  return {
    ...server,
    ...tools,
    url: redact(redactUrl(url)),
    ...(headers === undefined ? {} : { headers: membersOf(headers, isSecretHeader, redact) }),
    ...(oauth?.clientSecret === undefined ? {} : { oauth: { ...oauth, clientSecret: REDACTED } }),
  };
};
