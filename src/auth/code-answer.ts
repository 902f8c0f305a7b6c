import type { AuthorizationServer } from 'oauth4webapi';
import { AuthorizationError } from './authorization-error.js';
import { quoted } from './token-endpoint.js';

/** What an answer is compared with: it was kept from before anybody was asked. */
export interface Expected {
  readonly metadata: AuthorizationServer;
  readonly state: string;
}

/** What is refused is told in our words alone: nothing of an answer may be shown that is perhaps not the server's. */
const refuse = (issuer: string, reason: string, problem: 'issuer' | 'response' = 'response'): never => {
  throw new AuthorizationError(problem, `the answer to the authorization is not used: ${reason}`, { issuer });
};

/**
 * The code in the URL that the browser was sent to. The issuer is looked at before anything else, an error included: RFC 9207,
 * section 2.4, by plain comparison; then the state. Throws an `AuthorizationError`.
 * MCP 2026-07-28 basic/authorization, "Authorization Response Validation".
 */
export const codeOf = (answer: string | URL | undefined, { metadata, state }: Expected): string => {
  const { issuer, authorization_response_iss_parameter_supported: says } = metadata;
  if (answer === undefined || !URL.canParse(String(answer))) return refuse(issuer, 'it is no URL');
  const { searchParams } = new URL(answer);
  const one = (name: string): string | undefined => {
    const values = searchParams.getAll(name);
    if (values.length > 1) refuse(issuer, `it has more than one ${name}`, name === 'iss' ? 'issuer' : 'response');
    return values[0];
  };
  const iss = one('iss');
  if (iss === undefined && says === true) refuse(issuer, 'it does not say who it is from', 'issuer');
  if (iss !== undefined && iss !== issuer) refuse(issuer, 'it is from another issuer', 'issuer');
  if (one('state') !== state) refuse(issuer, 'it belongs to another request (state)');
  const error = one('error');
  if (error !== undefined) {
    const code = quoted(error, []).slice(2, -1);
    throw new AuthorizationError(
      'denied',
      `${issuer} gave no authorization: ${code}${quoted(one('error_description'), [])}`,
      {
        issuer,
        code,
      },
    );
  }
  return one('code') ?? refuse(issuer, 'it has no code');
};
