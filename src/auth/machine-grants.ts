import type { AuthorizationServer } from 'oauth4webapi';
import { AuthorizationError } from './authorization-error.js';
import { preRegistered } from './clients.js';
import { knownServer, orNothingThere } from './discover.js';
import { type Flow, type Goal, type Grant, keyFor, parametersOf, tokensOf } from './flow.js';
import type { ClientCredentialsOptions, EnterpriseOptions, PreRegistered, WorkloadOptions } from './options.js';
import { answerFrom } from './own-code.js';
import type { ClientIdentity, Tokens } from './records.js';
import { type Asker, TOKEN_EXCHANGE, TokenEndpoint } from './token-endpoint.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/** Who says nothing of itself: the assertion says it all. RFC 7523, section 3.1. */
const NOBODY: ClientIdentity = { clientId: '', method: 'none' };

/** Asks the authorization server of a goal, and keeps what it grants. */
const granted = async (
  flow: Flow,
  goal: Goal,
  client: PreRegistered | undefined,
  grant: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Tokens> => {
  const { metadata, issuer } = goal.discovered;
  flow.tell({ status: 'exchanging', server: flow.told, issuer });
  const asker: Asker = {
    client: client === undefined ? NOBODY : preRegistered(client, metadata),
    key: client?.privateKey,
    dpop: await keyFor(flow),
  };
  const endpoint = new TokenEndpoint(flow.web, metadata, asker);
  const asking = endpoint.ask(grant, { ...parametersOf(goal), ...parameters }, flow.signal);
  return tokensOf(goal, asker, await orNothingThere(goal.discovered, asking));
};

/** A grant that asks nobody. */
abstract class MachineGrant implements Grant {
  readonly asks = false;
  readonly isReady = true;
  readonly refreshes = false;
  abstract readonly name: string;
  abstract readonly issuer: string | undefined;
  readonly isBound: boolean = true;
  abstract obtain(flow: Flow, goal: Goal): Promise<Tokens>;
}

/** As a program of its own. RFC 6749, section 4.4. */
export class ClientCredentialsGrant extends MachineGrant {
  readonly name: string;
  readonly issuer: string | undefined;
  readonly #client: PreRegistered;

  constructor({ client }: ClientCredentialsOptions) {
    super();
    this.#client = client;
    this.name = client.clientId;
    this.issuer = client.issuer;
  }

  override async obtain(flow: Flow, goal: Goal): Promise<Tokens> {
    return granted(flow, goal, this.#client, 'client_credentials', {});
  }
}

/** As a workload, by a JWT of its platform. RFC 7523, section 2.1. */
export class WorkloadGrant extends MachineGrant {
  readonly name: string;
  readonly issuer: string | undefined;
  override readonly isBound: boolean;
  readonly #options: WorkloadOptions;

  constructor(options: WorkloadOptions) {
    super();
    this.#options = options;
    this.name = options.client?.clientId ?? 'workload';
    this.isBound = options.client !== undefined;
    this.issuer = options.client?.issuer;
  }

  override async obtain(flow: Flow, goal: Goal): Promise<Tokens> {
    const { assertion, client } = this.#options;
    const jwt = await answerFrom('assertion', () => assertion(goal.discovered.issuer));
    return granted(flow, goal, client, JWT_BEARER, { assertion: requireJwt(jwt, 'assertion') });
  }
}

const requireJwt = (jwt: unknown, what: string): string => {
  if (typeof jwt === 'string' && jwt !== '') return jwt;
  throw new AuthorizationError('token', `${what} answered with what is no token`);
};

/** By the identity provider of an enterprise: its identity token for a grant, and that for tokens. RFC 8693; RFC 7523. */
export class EnterpriseGrant extends MachineGrant {
  readonly name: string;
  readonly issuer: string | undefined;
  readonly #options: EnterpriseOptions;

  constructor(options: EnterpriseOptions) {
    super();
    this.#options = options;
    this.name = options.client.clientId;
    this.issuer = options.client.issuer;
  }

  override async obtain(flow: Flow, goal: Goal): Promise<Tokens> {
    const { client, idToken } = this.#options;
    const subject = requireJwt(await answerFrom('idToken', idToken), 'idToken');
    return granted(flow, goal, client, JWT_BEARER, { assertion: await this.#exchanged(flow, goal, subject) });
  }

  async #exchanged(flow: Flow, goal: Goal, subject: string): Promise<string> {
    const { client, issuer, tokenEndpoint } = this.#options.identityProvider;
    // It is named by the caller, and by no server: it may well be on a network of their own.
    const web = URL.canParse(issuer) ? flow.web.namedBy(new URL(issuer)) : flow.web;
    const provider: AuthorizationServer =
      tokenEndpoint === undefined
        ? (await knownServer(web, issuer, flow.signal)).metadata
        : { issuer, token_endpoint: tokenEndpoint };
    const asker: Asker = { client: preRegistered(client, provider), key: client.privateKey, dpop: undefined };
    const endpoint = new TokenEndpoint(web, provider, asker);
    const parameters = {
      ...parametersOf(goal),
      requested_token_type: ID_JAG,
      audience: goal.discovered.issuer,
      subject_token: subject,
      subject_token_type: ID_TOKEN,
    };
    const { accessToken, issuedType } = await endpoint.ask(TOKEN_EXCHANGE, parameters, flow.signal);
    // Any other token of the provider's is nothing that the authorization server of a server should see.
    if (issuedType === ID_JAG) return accessToken;
    throw new AuthorizationError(
      'response',
      `${issuer} answered with another token than the grant that was asked for`,
      {
        issuer,
      },
    );
  }
}
