/**
 * What of OAuth needs Node: tokens in files, the redirect to this machine, the browser of the user.
 *
 * @module rx-mcp/auth/node
 */
export { fileTokenStore, type FileTokenStoreOptions } from './file-token-store.js';
export { loopbackRedirect, type LoopbackRedirect, type LoopbackRedirectOptions } from './loopback-redirect.js';
export { openBrowser } from './open-browser.js';
