/** Whether a value is to be kept from view, by the name of its variable, flag, header or parameter. */
export { isSecretSetting as isSecretName } from '../rx/secret-names.js';

const PUBLIC_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-type', 'origin', 'user-agent'],
]);

/** Whether a header is to be kept from view: each one is, but for a few whose values are known to be harmless. */
export const isSecretHeader = (name: string): boolean => !PUBLIC_HEADERS.has(name.toLowerCase());
