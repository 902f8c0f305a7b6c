/**
 * How the client of the conformance suite is authorized: one provider for each scenario, and a browser that is none. The
 * suite's authorization servers ask nobody: they redirect at once, and the answer is in `Location`.
 */
import { clientCredentials, enterpriseManaged, oauth, workloadIdentity } from '../../dist/auth.js';

const REDIRECT = 'http://127.0.0.1:7777/callback';

/** Answers for somebody who agrees at once. */
export const openHeadless = async ({ url, signal }) => {
  const response = await fetch(url, { redirect: 'manual', signal });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`no redirect, but ${response.status}`);
  return new URL(location, url);
};

/** The issuer that a secret of the suite's is for: it is made anew each time, and named nowhere but by its server. */
const issuerOf = async (url) => {
  const { origin, pathname } = new URL(url);
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  return (await response.json()).authorization_servers[0];
};

const byCode = (options = {}) => oauth({ redirectUri: REDIRECT, open: openHeadless, ...options });

const PROVIDERS = {
  'auth/basic-cimd': () => byCode({ clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }),
  'auth/pre-registration': ({ client_id: clientId, client_secret: clientSecret }) =>
    byCode({ client: { clientId, clientSecret } }),
  'auth/dpop': () => byCode({ dpop: true }),
  'auth/dpop-nonce': () => byCode({ dpop: true }),
  'auth/client-credentials-basic': async ({ client_id: clientId, client_secret: clientSecret }, url) =>
    clientCredentials({ client: { issuer: await issuerOf(url), clientId, clientSecret } }),
  'auth/client-credentials-jwt': ({ client_id: clientId, private_key_pem: pem, signing_algorithm: algorithm }) =>
    clientCredentials({ client: { clientId, privateKey: { pem, algorithm } } }),
  'auth/enterprise-managed-authorization': (context) =>
    enterpriseManaged({
      client: { clientId: context.client_id, clientSecret: context.client_secret },
      identityProvider: {
        issuer: context.idp_issuer,
        tokenEndpoint: context.idp_token_endpoint,
        client: { clientId: context.idp_client_id },
      },
      idToken: () => context.idp_id_token,
    }),
  'auth/wif-jwt-bearer': ({ valid_jwt: jwt }) => workloadIdentity({ assertion: () => jwt }),
};

/** What a scenario is to be refused for: the `problem` of an AuthorizationError, or the status of an HttpError. */
export const REFUSED = {
  'auth/resource-mismatch': 'resource',
  'auth/iss-supported-missing': 'issuer',
  'auth/iss-wrong-issuer': 'issuer',
  'auth/iss-unexpected': 'issuer',
  'auth/iss-normalized': 'issuer',
  'auth/metadata-issuer-mismatch': 'issuer',
  'auth/scope-retry-limit': 403,
};

/** The provider for a scenario, if it is one about authorization. */
export const providerFor = async (scenario, context, url) =>
  scenario.startsWith('auth/') ? (PROVIDERS[scenario] ?? (() => byCode()))(context, url) : undefined;
