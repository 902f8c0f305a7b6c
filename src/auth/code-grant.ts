import { firstValueFrom, defaultIfEmpty } from 'rxjs';
import { abortWith, answerOf, firstWithin, LONGEST_MS } from '../rx/index.js';
import { AuthorizationError } from './authorization-error.js';
import { forgetUnknown, isOfUse, preRegistered, Registrar, registrationKey } from './clients.js';
import { codeOf } from './code-answer.js';
import { type Discovered, orNothingThere } from './discover.js';
import type { DpopKey } from './dpop.js';
import { type Flow, type Goal, type Grant, keyFor, parametersOf, tokensOf } from './flow.js';
import { library } from './library.js';
import type { AuthorizationRequest, OAuthOptions } from './options.js';
import { answerFrom, failureOf } from './own-code.js';
import { told } from './places.js';
import { keptForAnswer, type Pending, pendingKey, toPending } from './pending.js';
import { type ClientIdentity, readRegistration, type Registration, toRecord, type Tokens } from './records.js';
import { TokenEndpoint } from './token-endpoint.js';
import type { Reply } from './web.js';

const OPEN_MS = 600_000;
/** What may pass before somebody is asked, and after they have answered, in ms. */
const AROUND_MS = 60_000;

/** Refuses a server that does not say that it does PKCE; one without metadata cannot say it. */
const requirePkce = ({ metadata, issuer, isAssumed }: Discovered): void => {
  const methods = metadata.code_challenge_methods_supported;
  if (isAssumed || (Array.isArray(methods) && methods.includes('S256'))) return;
  throw new AuthorizationError(
    'pkce',
    `${issuer} does not say that it does PKCE with S256 (code_challenge_methods_supported): nobody is asked to go there`,
    { issuer },
  );
};

const givenUp = (): AuthorizationError => new AuthorizationError('cancelled', 'the authorization was given up');

/** Statuses that refuse a client, or its redirect. Others may be about who asks, which is no browser. */
const REFUSED: ReadonlySet<number> = new Set([400, 401]);

/** Whether an authorization endpoint takes a redirect of a client that is `registered` with another one, or with the same. */
const isTakenBy = ({ status, location }: Reply, redirectUri: string, registered: string): boolean => {
  const isSame = registered === redirectUri;
  if (status >= 400) return isSame && !REFUSED.has(status);
  const leadsTo = (uri: string): boolean => location !== undefined && told(location) === told(uri);
  // Nobody is sent to where no client is registered: what is said there is for the flow itself.
  if (leadsTo(redirectUri)) return true;
  // Back to the one that is registered, since it is not this one; or to a page that says so.
  return !leadsTo(registered) && !/error/i.test(location ?? '');
};

/** What the URL that somebody opens is made of. */
interface Made {
  readonly client: ClientIdentity;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly state: string;
  readonly dpop: DpopKey | undefined;
}

/** Asks a person, by a browser, and exchanges the code that comes of it. RFC 6749, section 4.1; RFC 7636. */
export class CodeGrant implements Grant {
  readonly name: string;
  readonly issuer: string | undefined;
  readonly isBound: boolean;
  readonly asks = true;
  readonly refreshes = true;
  readonly waitMs: number;
  readonly #options: OAuthOptions;
  /** Registered clients that were registered just now, or that somebody came back for. */
  readonly #proven = new Set<string>();

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.name = options.client?.clientId ?? options.clientMetadataUrl ?? 'registered';
    this.issuer = options.client?.issuer;
    this.isBound = options.client !== undefined;
    const { openTimeoutMs = OPEN_MS } = options;
    this.waitMs = Math.min(LONGEST_MS, openTimeoutMs + AROUND_MS);
  }

  get isReady(): boolean {
    return this.#options.open !== undefined;
  }

  async obtain(flow: Flow, goal: Goal): Promise<Tokens> {
    const { open } = this.#options;
    const { discovered } = goal;
    const { issuer, metadata } = discovered;
    if (open === undefined) throw new AuthorizationError('denied', 'there is nobody to ask: give open', { issuer });
    requirePkce(discovered);
    // Both are known to be of use before anybody is troubled.
    const place = flow.web.places.require(metadata.authorization_endpoint ?? '', 'the authorization endpoint');
    flow.web.places.require(metadata.token_endpoint ?? '', 'the token endpoint');
    const known = this.#isRegistered(discovered)
      ? undefined
      : readRegistration(await flow.store.get(registrationKey(issuer)));
    const redirectUri = await this.#redirectUri(flow, known);
    const client = await this.#client(flow, goal, place, redirectUri, known);
    const dpop = await keyFor(flow);
    const { generateRandomCodeVerifier, generateRandomState } = await library();
    const verifier = generateRandomCodeVerifier();
    const state = generateRandomState();
    const url = await this.#url(place, goal, { client, redirectUri, verifier, state, dpop });

    const kept = keptForAnswer(metadata);
    const pending: Pending = {
      ...{ server: flow.server.href, state, verifier, redirectUri, client, metadata: kept },
      ...{ resource: discovered.resource, scopes: goal.scopes, dpopKey: dpop?.jwk, isAssumed: discovered.isAssumed },
    };
    // Nobody is troubled on behalf of those who have left.
    if (flow.signal.aborted) throw givenUp();
    // Whoever leaves this page with the browser comes back as somebody who knows nothing.
    if (this.#options.leaves === true) await flow.store.set(pendingKey(state), toPending(pending));
    const authorizing = { status: 'authorizing', server: flow.told, issuer, url: url.href, host: url.host } as const;
    flow.tell(authorizing);
    const { signal, outcome$ } = flow;
    // Whoever does not come back may have been told that the client is none.
    this.#proven.delete(client.clientId);
    const answer = await this.#opened(open, {
      ...{ url: url.href, host: url.host, server: flow.told, redirectUri, state, signal, outcome$ },
      unopened: (why) => {
        if (!signal.aborted) flow.tell({ ...authorizing, unopened: why });
      },
    });
    if (this.#options.leaves === true) await flow.store.delete(pendingKey(state));
    return this.finish(flow, pending, answer);
  }

  /** Exchanges the code in an answer. Not given up with the flow: the code is good once. */
  async finish(flow: Flow, pending: Pending, answer: string | URL | undefined): Promise<Tokens> {
    const { metadata, state, client, verifier, redirectUri, resource, scopes, dpopKey, isAssumed } = pending;
    const code = codeOf(answer, { metadata, state });
    this.#proven.add(client.clientId);
    flow.tell({ status: 'exchanging', server: flow.told, issuer: metadata.issuer });
    const dpop = dpopKey === undefined ? undefined : await flow.dpop?.of(dpopKey);
    const asker = { client, key: this.#options.client?.privateKey, dpop };
    const parameters = {
      ...{ code, redirect_uri: redirectUri, code_verifier: verifier },
      ...(resource === undefined ? undefined : { resource }),
    };
    try {
      const asking = new TokenEndpoint(flow.web, metadata, asker).ask('authorization_code', parameters);
      const granted = await orNothingThere({ issuer: metadata.issuer, isAssumed }, asking);
      return tokensOf({ discovered: { metadata, resource }, scopes }, asker, granted);
    } catch (reason) {
      if (reason instanceof AuthorizationError) await forgetUnknown(flow.store, metadata.issuer, client, reason.code);
      throw reason;
    }
  }

  async #redirectUri({ signal }: Flow, known: Registration | undefined): Promise<string> {
    const { redirectUri } = this.#options;
    const asked = async (prepare: Exclude<typeof redirectUri, string | URL>): Promise<string | URL | undefined> => {
      try {
        return await answerFrom('redirectUri', () => prepare(signal, known?.redirectUri));
      } catch (reason) {
        throw signal.aborted ? givenUp() : reason;
      }
    };
    const given = typeof redirectUri === 'function' ? await asked(redirectUri) : redirectUri;
    // As it stands: authorization servers compare it byte by byte.
    const text = String(given);
    if (given === undefined || !URL.canParse(text))
      throw new AuthorizationError('url', 'redirectUri answered with what is no URL');
    return text;
  }

  /** Whether this client needs no registration with an authorization server. */
  #isRegistered({ metadata }: Discovered): boolean {
    const { client, clientMetadataUrl } = this.#options;
    const isDocument = clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true;
    return client !== undefined || isDocument;
  }

  /** Who this client is: registered beforehand, by its metadata document, or by a registration of its own. */
  async #client(
    flow: Flow,
    goal: Goal,
    place: URL,
    redirectUri: string,
    known: Registration | undefined,
  ): Promise<ClientIdentity> {
    const { client, clientMetadataUrl = '', clientMetadata = {} } = this.#options;
    const { discovered } = goal;
    const { issuer, metadata } = discovered;
    if (client !== undefined) return preRegistered(client, metadata);
    if (this.#isRegistered(discovered)) return { clientId: clientMetadataUrl, method: 'none' };
    if (isOfUse(known, redirectUri) && (await this.#isTaken(flow, goal, place, redirectUri, known))) return known;
    flow.tell({ status: 'registering', server: flow.told, issuer });
    const registrar = new Registrar(flow.web, clientMetadata);
    const made = await orNothingThere(discovered, registrar.register(discovered, redirectUri, flow.signal));
    this.#proven.add(made.clientId);
    await flow.store.set(registrationKey(issuer), toRecord(made));
    return made;
  }

  /**
   * Whether the authorization server still knows a client that was registered, and takes this port for it where it is registered
   * with another one. RFC 8252, section 7.3, says that it must; one that does not, or has lost its registrations, says it to the
   * person alone, who would not come back. So it is asked beforehand as a browser would ask it, and the answer is thrown away.
   */
  async #isTaken(flow: Flow, goal: Goal, place: URL, redirectUri: string, client: Registration): Promise<boolean> {
    if (client.redirectUri === redirectUri && this.#proven.has(client.clientId)) return true;
    const { generateRandomCodeVerifier, generateRandomState } = await library();
    const [verifier, state] = [generateRandomCodeVerifier(), generateRandomState()];
    const { href } = await this.#url(place, goal, { client, redirectUri, verifier, state, dpop: undefined });
    const request = { method: 'GET', url: href, headers: { accept: 'text/html' } } as const;
    try {
      // Where it leads is for a browser that somebody looks at.
      const reply = await flow.web.send(request, 'the authorization endpoint', flow.signal, 0);
      return isTakenBy(reply, redirectUri, client.redirectUri);
    } catch {
      // For another port another registration is always of use; this one was good for the port it has.
      return client.redirectUri === redirectUri;
    }
  }

  async #url(place: URL, goal: Goal, made: Made): Promise<URL> {
    const { calculatePKCECodeChallenge } = await library();
    const parameters = {
      response_type: 'code',
      client_id: made.client.clientId,
      redirect_uri: made.redirectUri,
      code_challenge: await calculatePKCECodeChallenge(made.verifier),
      code_challenge_method: 'S256',
      state: made.state,
      ...parametersOf(goal),
      // Without it OpenID Connect has offline_access ignored. OpenID Connect Core 1.0, section 11.
      ...(goal.scopes.includes('offline_access') ? { prompt: 'consent' } : undefined),
      ...(made.dpop === undefined ? undefined : { dpop_jkt: await made.dpop.handle.calculateThumbprint() }),
    };
    const url = new URL(place);
    url.hash = '';
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
  }

  async #opened(
    open: NonNullable<OAuthOptions['open']>,
    request: AuthorizationRequest,
  ): Promise<string | URL | undefined> {
    const { openTimeoutMs = OPEN_MS } = this.#options;
    let hint = '';
    const unopened = (why: string): void => {
      hint = `: ${why}`;
      request.unopened?.(why);
    };
    const late = (): AuthorizationError =>
      new AuthorizationError('denied', `nobody gave the authorization at ${told(request.url)} in time${hint}`);
    try {
      return await firstValueFrom(
        answerOf<string | URL | undefined>(() => open({ ...request, unopened })).pipe(
          defaultIfEmpty(undefined),
          firstWithin(openTimeoutMs, undefined, late),
          abortWith(request.signal, givenUp),
        ),
      );
    } catch (reason) {
      throw failureOf('open', reason);
    }
  }
}
