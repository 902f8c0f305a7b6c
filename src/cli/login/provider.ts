import { catchError, concatMap, defer, EMPTY, firstValueFrom, from, map, type Observable, of } from 'rxjs';
import type { AuthorizationRequest, OAuthProvider, TokenStore } from '../../auth/index.js';
import { VERSION } from '../../client/version.js';
import type { HttpServerConfig } from '../../config/server-config.js';
import { askConsent } from '../ask/consent.js';
import type { Dialogues } from '../ask/dialogue.js';
import type { Context } from '../context.js';
import { bold, cyan } from '../text/paint.js';
import { tokensFolder } from './tokens-folder.js';

/** Shows a person where they log in. Cold; need not complete, and errors where they do not want to. */
export type ShowPage = (url: string, request: AuthorizationRequest) => Observable<unknown>;

/**
 * Shows the page: in the browser, after consent at the terminal. Where there is none, its URL is written, and whoever reads
 * that opens it.
 */
export const pageShower = (context: Context, key: string, dialogues: Dialogues): ShowPage => {
  const { screen, globals } = context;
  const open = async (url: string): Promise<boolean> => {
    const { openBrowser } = await import('../../auth/node/index.js');
    return firstValueFrom(
      openBrowser(url).pipe(
        map(() => true),
        catchError(() => of(false)),
      ),
    );
  };
  return (url, { host }) => {
    if (screen.interactive) return dialogues.hold(askConsent(key, { url, host }, open));
    return defer(() => {
      // For a program it is in the state.
      if (!globals.json) {
        screen.err('open this page to log in to ', bold(key), ', at ', bold(host), ':');
        screen.err('  ', cyan(url));
      }
      return EMPTY;
    });
  };
};

/** What of a provider is needed beside its calls. */
export interface ProviderTerms {
  /** How somebody is shown where they log in; nothing where nobody is asked. */
  readonly show?: ShowPage | undefined;
  /** What is kept where. Default: the files of the user. */
  readonly store?: TokenStore | undefined;
}

/** The store of the user's tokens; of one without a home they last as long as the command. Loaded when a server behind a URL is used. */
export const userStore = async ({ io }: Pick<Context, 'io'>): Promise<TokenStore> => {
  const directory = tokensFolder(io);
  if (directory === undefined) return new (await import('../../auth/index.js')).MemoryTokenStore();
  const { fileTokenStore } = await import('../../auth/node/index.js');
  return fileTokenStore({ directory });
};

/**
 * What gives requests to a server behind a URL their tokens: those that are kept, refreshed ones, and where somebody may be
 * asked new ones. Loaded when such a server is used.
 */
export const providerFor = async (
  { oauth: own = {} }: HttpServerConfig,
  context: Pick<Context, 'io'>,
  { show, store }: ProviderTerms,
): Promise<OAuthProvider> => {
  const [{ oauth }, { loopbackRedirect }] = await Promise.all([
    import('../../auth/index.js'),
    import('../../auth/node/index.js'),
  ]);
  const { clientId, clientSecret, callbackPort } = own;
  const isRegistered = clientId !== undefined || callbackPort !== undefined;
  // What is registered for the clients that write such entries is a name, and not an address.
  const host = isRegistered ? 'localhost' : '127.0.0.1';
  const redirect = loopbackRedirect({ host, port: callbackPort, open: show });
  return oauth({
    store: store ?? (await userStore(context)),
    clientMetadata: { client_name: 'rx-mcp', software_id: 'rx-mcp', software_version: VERSION },
    client: clientId === undefined ? undefined : { clientId, clientSecret },
    redirectUri: redirect.redirectUri,
    open: show === undefined ? undefined : redirect.open,
  });
};

/**
 * Whether a server says where it is authorized (RFC 9728) though it has refused nothing so far: it may protect its calls alone.
 * Emits once, and completes; an answer that is none is a no.
 */
export const publishesMetadata = (url: string, signal: AbortSignal): Observable<boolean> =>
  defer(() =>
    from(
      Promise.all([
        import('../../auth/challenges.js'),
        import('../../auth/discover.js'),
        import('../../auth/places.js'),
        import('../../auth/web.js'),
      ]),
    ),
  ).pipe(
    concatMap(([{ wantedOf }, { discover }, { Places }, { Web }]) => {
      const server = new URL(url);
      const web = new Web(undefined, ENOUGH_MS, new Places(server, false));
      return from(discover(web, server, wantedOf(undefined), [], undefined, signal));
    }),
    map(({ resource }) => resource !== undefined),
    catchError(() => of(false)),
  );

/** How long a server may take to say it, in ms. */
const ENOUGH_MS = 10_000;
