import { CHECKS } from './checks.js';
import { CodeGrant } from './code-grant.js';
import { ClientCredentialsGrant, EnterpriseGrant, WorkloadGrant } from './machine-grants.js';
import type {
  ClientCredentialsOptions,
  EnterpriseOptions,
  OAuthOptions,
  OAuthProvider,
  WorkloadOptions,
} from './options.js';
import { GrantProvider } from './provider.js';

/**
 * Authorization by a person with a browser: the code flow with PKCE. Give it to `connectHttp({ authProvider })`. Nothing is
 * asked until a server refuses a request for want of it; then the calls that wait share one flow, and fail with its
 * `AuthorizationError`. Tokens are refreshed before they expire, once for all who need them. Throws an `OptionError`.
 * MCP 2026-07-28 basic/authorization.
 */
export const oauth = (options: OAuthOptions): OAuthProvider => {
  CHECKS.oauth(options, 'options');
  return new GrantProvider(options, new CodeGrant(options), options.client?.privateKey);
};

/** Authorization as a program of its own, with a secret or a key. Otherwise as {@link oauth}. RFC 6749, section 4.4. */
export const clientCredentials = (options: ClientCredentialsOptions): OAuthProvider => {
  CHECKS.clientCredentials(options, 'options');
  return new GrantProvider(options, new ClientCredentialsGrant(options), options.client.privateKey);
};

/**
 * Authorization by the identity provider of an enterprise: the identity token of a person who signed in there is exchanged for
 * a grant, and that for tokens, without another question. Otherwise as {@link oauth}. RFC 8693; RFC 7523.
 */
export const enterpriseManaged = (options: EnterpriseOptions): OAuthProvider => {
  CHECKS.enterpriseManaged(options, 'options');
  return new GrantProvider(options, new EnterpriseGrant(options), options.client.privateKey);
};

/** Authorization as a workload, by a JWT of its platform's. Otherwise as {@link oauth}. RFC 7523, section 2.1. */
export const workloadIdentity = (options: WorkloadOptions): OAuthProvider => {
  CHECKS.workloadIdentity(options, 'options');
  return new GrantProvider(options, new WorkloadGrant(options), options.client?.privateKey);
};
