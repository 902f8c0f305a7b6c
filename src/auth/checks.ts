import {
  boolean,
  callback,
  type Check,
  checkMembers,
  checkOptions,
  milliseconds,
  object,
  oneOf,
  refuse,
} from '../jsonrpc/checks.js';
import { isObject } from '../jsonrpc/index.js';
import { KEY_ALGORITHMS } from './client-auth.js';

const text: Check = (value, name) => {
  if (typeof value !== 'string' || value === '') refuse(name, 'give a text that is not empty');
};
const texts: Check = (value, name) => {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' && item !== '' && !/\s/.test(item)))
    refuse(name, 'give a list of texts without spaces');
};
const store: Check = (value, name) => {
  const isStore = isObject(value) && ['get', 'set', 'delete'].every((member) => typeof value[member] === 'function');
  if (!isStore) refuse(name, 'give an object with get, set and delete');
};
/** Of what scheme is for the authorization server to say; these are never an application's. */
const redirectUri: Check = (value, name) => {
  if (typeof value === 'function') return;
  const given = String(value);
  if (!URL.canParse(given) || /^(javascript|data|file|blob|about):/i.test(given))
    refuse(name, 'give a URL, or a function that answers with one');
  if (new URL(given).hash !== '' || given.endsWith('#')) refuse(name, 'give a URL without a fragment');
};
const metadataUrl: Check = (value, name) => {
  const fits = typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:';
  if (!fits || new URL(value).pathname === '/') refuse(name, 'give an https URL with a path');
};
const key: Check = (value, name) => {
  if (!isObject(value)) return refuse(name, 'give a CryptoKey, or { pem, algorithm }');
  if (!('pem' in value)) return;
  text(value['pem'], `${name}.pem`);
  if (!KEY_ALGORITHMS.includes(value['algorithm'] as string))
    refuse(`${name}.algorithm`, `give one of ${KEY_ALGORITHMS.join(', ')}`);
};
/** Checks the members of an object: those that are given, and that those that must be there are. */
const members =
  (checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, name) => {
    if (!isObject(value)) return refuse(name, 'give an object');
    const isWhole = name === 'options';
    if (isWhole) checkOptions(value, checks, name);
    else checkMembers(value, checks, name);
    for (const member of required)
      if (value[member] === undefined) refuse(isWhole ? member : `${name}.${member}`, 'it is missing');
  };

/** In a function, so that a bundle without any of these ways has nothing of it. */
const checks = () => {
  const method = oneOf('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none');
  const client = members({ issuer: text, clientId: text, clientSecret: text, privateKey: key, method }, ['clientId']);

  /** A secret that nobody sees on its way is told to nobody but whom the application named. */
  const machine: Check = (value, name) => {
    client(value, name);
    const { clientSecret, issuer } = value as { readonly clientSecret?: unknown; readonly issuer?: unknown };
    if (clientSecret !== undefined && issuer === undefined)
      refuse(`${name}.issuer`, 'it is missing: say which authorization server the secret is for');
  };

  const common: Readonly<Record<string, Check>> = {
    store,
    scopes: texts,
    dpop: boolean,
    allowPrivate: boolean,
    fetch: callback,
    requestTimeoutMs: milliseconds(1),
  };

  return {
    oauth: members(
      {
        ...common,
        ...{ redirectUri, open: callback, leaves: boolean, openTimeoutMs: milliseconds(1), client },
        ...{ clientMetadataUrl: metadataUrl, clientMetadata: object },
      },
      ['redirectUri'],
    ),
    clientCredentials: members({ ...common, client: machine }, ['client']),
    enterpriseManaged: members(
      {
        ...common,
        // Its identity provider, which the application names, gives no grant for a server that it does not know.
        client,
        idToken: callback,
        identityProvider: members({ issuer: text, tokenEndpoint: text, client }, ['issuer', 'client']),
      },
      ['client', 'idToken', 'identityProvider'],
    ),
    workloadIdentity: members({ ...common, client: machine, assertion: callback }, ['assertion']),
  };
};

/** Checks the options of each way to an authorization. Throws an `OptionError` that names the one that cannot be used. */
export const CHECKS = /* @__PURE__ */ checks();
