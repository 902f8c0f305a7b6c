export { fileTokenStore, type FileTokenStoreOptions } from './file-token-store.js';
export { loopbackRedirect, type LoopbackRedirect, type LoopbackRedirectOptions } from './loopback-redirect.js';
export { openBrowser } from './open-browser.js';
