import { OptionError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import { LONGEST_MS } from '../rx/index.js';
import { KEY_ALGORITHMS } from './client-auth.js';

type Check = (value: unknown, name: string) => void;

const refuse = (name: string, reason: string): never => {
  throw new OptionError(name, reason);
};

const text: Check = (value, name) => {
  if (typeof value !== 'string' || value === '') refuse(name, 'give a text that is not empty');
};
const callback: Check = (value, name) => {
  if (typeof value !== 'function') refuse(name, 'give a function');
};
const boolean: Check = (value, name) => {
  if (typeof value !== 'boolean') refuse(name, 'give true or false');
};
const object: Check = (value, name) => {
  if (!isObject(value)) refuse(name, 'give an object');
};
const milliseconds: Check = (value, name) => {
  if (typeof value !== 'number' || !(value >= 1 && value <= LONGEST_MS))
    refuse(name, `give a number of milliseconds from 1 to ${LONGEST_MS}`);
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
const method: Check = (value, name) => {
  const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];
  if (!methods.includes(value as string)) refuse(name, `give one of ${methods.join(', ')}`);
};

/** Checks the members of an object: those that are given, and that those that must be there are. */
const members =
  (checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, name) => {
    if (!isObject(value)) return refuse(name, 'give an object');
    const nameOf = (member: string): string => (name === 'options' ? member : `${name}.${member}`);
    for (const [member, own] of Object.entries(value)) {
      const check = Object.hasOwn(checks, member) ? checks[member] : undefined;
      if (check === undefined)
        refuse(nameOf(member), `there is no such option; known are ${Object.keys(checks).join(', ')}`);
      else if (own !== undefined) check(own, nameOf(member));
    }
    for (const member of required) if (value[member] === undefined) refuse(nameOf(member), 'it is missing');
  };

const client = members({ issuer: text, clientId: text, clientSecret: text, privateKey: key, method }, ['clientId']);

const COMMON: Readonly<Record<string, Check>> = {
  ...{ store, scopes: texts, dpop: boolean, allowPrivate: boolean, fetch: callback, requestTimeoutMs: milliseconds },
};

/** Checks the options of each way to an authorization. Throws an `OptionError` that names the one that cannot be used. */
export const CHECKS = {
  oauth: members(
    {
      ...COMMON,
      ...{ redirectUri, open: callback, leaves: boolean, openTimeoutMs: milliseconds, client },
      ...{ clientMetadataUrl: metadataUrl, clientMetadata: object },
    },
    ['redirectUri'],
  ),
  clientCredentials: members({ ...COMMON, client }, ['client']),
  enterpriseManaged: members(
    {
      ...COMMON,
      client,
      idToken: callback,
      identityProvider: members({ issuer: text, tokenEndpoint: text, client }, ['issuer', 'client']),
    },
    ['client', 'idToken', 'identityProvider'],
  ),
  workloadIdentity: members({ ...COMMON, client, assertion: callback }, ['assertion']),
};
