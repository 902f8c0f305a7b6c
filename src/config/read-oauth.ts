import { type Check, refuse } from '../jsonrpc/checks.js';
import { below } from '../bridge/schemas/report.js';
import type { Fields } from './fields.js';
import type { Problems } from './problem.js';
import type { OAuthServerConfig } from './server-config.js';

const KNOWN: ReadonlySet<string> = new Set(['clientId', 'clientSecret', 'callbackPort']);

/** Members that other clients act on, and what happens here. */
const MISSED: Readonly<Record<string, string>> = {
  scopes: 'the scopes are those that the server wants, and no narrower ones',
  authServerMetadataUrl: 'the authorization server is the one that the server names',
};

const port: Check = (value, name) => {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 65_535)
    refuse(name, 'give a port, from 1 to 65535');
};

const textOf = (fields: Fields, name: string): string | undefined => {
  const text = fields.text(name);
  if (text !== undefined && text.trim() === '') {
    fields.refuse(name, 'it is empty');
    return undefined;
  }
  return text;
};

/** Reads the `oauth` of an entry. What is wrong with it goes to `problems`. */
export const readOAuth = (entry: Fields, problems: Problems): OAuthServerConfig | undefined => {
  const fields = entry.inner('oauth');
  if (fields === undefined) return undefined;
  for (const name of fields.names) {
    if (KNOWN.has(name)) continue;
    const path = below(entry.pathOf('oauth'), name);
    const missed = Object.hasOwn(MISSED, name) ? MISSED[name] : undefined;
    const told = JSON.stringify(name);
    if (missed !== undefined) problems.add('warning', path, `${told} is not known here: ${missed}`);
    else problems.add('note', path, `${told} is not known here, and changes nothing`);
  }
  const clientId = textOf(fields, 'clientId');
  const clientSecret = textOf(fields, 'clientSecret');
  const callbackPort = fields.number('callbackPort', port);
  if (clientSecret !== undefined && !fields.has('clientId'))
    fields.refuse('clientSecret', 'it belongs to a client: give its clientId');
  return {
    ...(clientId === undefined ? undefined : { clientId }),
    ...(clientSecret === undefined ? undefined : { clientSecret }),
    ...(callbackPort === undefined ? undefined : { callbackPort }),
  };
};
