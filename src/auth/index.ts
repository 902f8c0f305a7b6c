/**
 * OAuth for servers behind URLs: a provider for each way to get a token, and where tokens are kept. Safe for browsers.
 *
 * @module rx-mcp/auth
 */
export { AuthorizationError, type AuthorizationFacts, type AuthorizationProblem } from './authorization-error.js';
export {
  answerFromPopup,
  type BrowserRedirect,
  pageRedirect,
  popupRedirect,
  type WebStorage,
  webTokenStore,
} from './browser.js';
export { clientCredentials, enterpriseManaged, oauth, workloadIdentity } from './oauth.js';
export type {
  AuthorizationRequest,
  ClientCredentialsOptions,
  ClientKey,
  CommonOptions,
  EnterpriseOptions,
  OAuthOptions,
  OAuthProvider,
  PreRegistered,
  WorkloadOptions,
} from './options.js';
export type { ClientAuthMethod } from './records.js';
export type { AuthorizationState } from './states.js';
export { MemoryTokenStore, type StoredRecord, type TokenStore } from './token-store.js';
