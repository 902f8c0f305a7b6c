import type { AuthorizationServer } from 'oauth4webapi';
import { clientAuth } from './client-auth.js';
import { anyScheme, library } from './library.js';
import type { ClientKey } from './options.js';
import type { Tokens } from './records.js';
import type { Web } from './web.js';

/** Has tokens revoked where the authorization server does that: the refresh token, and with it all the others. RFC 7009. */
export const revoke = async (web: Web, tokens: Tokens, key: ClientKey | undefined): Promise<void> => {
  const { server, client, refreshToken, accessToken } = tokens;
  if (server.revocation_endpoint === undefined) return;
  const oauth = await library();
  await oauth.revocationRequest(
    server as AuthorizationServer,
    { client_id: client.clientId === '' ? 'nobody' : client.clientId },
    await clientAuth(oauth, client, key),
    refreshToken ?? accessToken,
    {
      additionalParameters: { token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token' },
      ...anyScheme(oauth),
      [oauth.customFetch]: web.fetchFor('the revocation endpoint'),
    },
  );
};
