import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  catchError,
  concat,
  defer,
  EMPTY,
  ignoreElements,
  merge,
  NEVER,
  type Observable,
  Subject,
  take,
  throwError,
  timer,
} from 'rxjs';
import { messageOf, OptionError } from '../../errors/index.js';
import { callback, type Check, checkOptions, oneOf } from '../../jsonrpc/checks.js';
import { type Answer, answerOf } from '../../rx/index.js';
import { AuthorizationError } from '../authorization-error.js';
import type { AuthorizationRequest } from '../options.js';
import { isLoopback } from '../places.js';
import { NoBrowser, openBrowser } from './open-browser.js';
import { PAGE_HEADERS, type PageKind, pageOf } from './page.js';

/** How the answer comes back to this machine. */
export interface LoopbackRedirectOptions {
  /**
   * The port; 0, the default, is the one that this client was registered with, or else any that is free. Some authorization
   * servers know a client by one port alone.
   */
  readonly port?: number | undefined;
  /**
   * What the redirect URI calls this machine. `'localhost'` is for clients that are registered with that: a browser looks
   * the name up. What is listened on is 127.0.0.1 in either case. Default `'127.0.0.1'`.
   */
  readonly host?: '127.0.0.1' | 'localhost' | undefined;
  /** The path of the redirect URI. Default `/callback`. */
  readonly path?: string | undefined;
  /**
   * Shows a person the URL. Default: in their browser. Where `openBrowser` finds none the state `authorizing` comes once more, and
   * says so: the flow goes on waiting for whoever opens its `url`. What else it raises ends the flow.
   */
  readonly open?: ((url: string, request: AuthorizationRequest) => Answer<unknown>) | undefined;
}

/** The two options of `oauth` that belong together. */
export interface LoopbackRedirect {
  /** Begins to listen, and answers with where: as `registered`, where that can be. */
  readonly redirectUri: (signal: AbortSignal, registered?: string) => Promise<string>;
  /** Has a person open the URL, and waits for the answer. */
  readonly open: (request: AuthorizationRequest) => Observable<string>;
}

/** How long a page may take to go out when the flow is over, in ms. */
const GOODBYE_MS = 1_000;

const send = (response: ServerResponse, status: number, kind: PageKind): void => {
  response.writeHead(status, PAGE_HEADERS).end(pageOf(kind));
};

/** Listens for one answer, until its flow is over. */
class Listener {
  readonly #server: Server;
  readonly #path: string;
  readonly #host: string;
  readonly #answers = new Subject<string>();
  #request: AuthorizationRequest | undefined;
  #origin = '';

  constructor(host: string, path: string) {
    this.#host = host;
    this.#path = path;
    this.#server = createServer((request, response) => {
      this.#answer(request, response);
    });
  }

  /** Errors with an `AuthorizationError` where the port cannot be had. */
  async listen(port: number, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject).once('close', reject);
        // The address and no name, whatever the redirect URI says: a name may stand for another machine. RFC 8252, section 8.3.
        this.#server.listen({ port, host: '127.0.0.1', signal }, resolve);
      });
    } catch (reason) {
      signal.throwIfAborted();
      const message = `the port ${port} of 127.0.0.1 cannot be had (${messageOf(reason)}): end what listens there, or give another port`;
      throw new AuthorizationError('application', message, { cause: reason });
    }
    this.#server.on('error', () => undefined);
    signal.addEventListener('abort', () => {
      this.#close();
    });
    if (signal.aborted) this.#close();
    this.#origin = `http://${this.#host}:${(this.#server.address() as AddressInfo | null)?.port ?? port}`;
    return `${this.#origin}${this.#path}`;
  }

  /** Emits the answer to one request, and completes. */
  answerTo(request: AuthorizationRequest): Observable<string> {
    return defer(() => {
      this.#request = request;
      return this.#answers.pipe(take(1));
    });
  }

  #answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const request = this.#request;
    const own = new URL(this.#origin);
    // A browser leaves port 80 out.
    const isLocal = headers.host === own.host || `http://${headers.host ?? ''}` === this.#origin;
    const target = URL.canParse(url, this.#origin) ? new URL(url, this.#origin) : undefined;
    if (method !== 'GET' || !isLocal || target?.origin !== own.origin || target.pathname !== this.#path) {
      send(response, 404, 'stray');
      return;
    }
    // Anybody on this machine may call: only who knows the state is from the authorization server.
    if (request === undefined || target.searchParams.get('state') !== request.state) {
      send(response, 400, 'stray');
      return;
    }
    this.#request = undefined;
    // Whether it worked is not known before the answer has been looked at.
    request.outcome$.subscribe({
      next: (outcome) => {
        send(response, outcome === 'authorized' ? 200 : 400, outcome);
      },
      error: () => undefined,
    });
    this.#answers.next(target.href);
  }

  #close(): void {
    const late = timer(GOODBYE_MS).subscribe({
      next: () => {
        this.#server.closeAllConnections();
      },
      error: () => undefined,
    });
    this.#server.close(() => {
      late.unsubscribe();
    });
  }
}

const port: Check = (value, name) => {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 65_535)
    throw new OptionError(name, 'give a port, or 0 for any');
};
const path: Check = (value, name) => {
  if (typeof value !== 'string' || !/^\/[A-Za-z0-9\-._~/]*$/.test(value) || value.includes('//'))
    throw new OptionError(name, 'give a path that begins with a slash');
};
const CHECKS = { port, host: oneOf('127.0.0.1', 'localhost'), path, open: callback };

/** The port that a client was registered with, if it is one for such a redirect. */
const portOf = (registered: string | undefined, host: string, path: string): number => {
  if (registered === undefined || !URL.canParse(registered)) return 0;
  const url = new URL(registered);
  return isLoopback(url) && url.hostname === host && url.pathname === path ? Number(url.port) : 0;
};

/**
 * Receives the answer of the authorization server on this machine: listens on 127.0.0.1 for the one answer, shows the browser
 * a small page that says how it ended, and is gone with the flow. Give both of what it returns to `oauth`:
 * `oauth({ ...loopbackRedirect() })`. Throws an `OptionError`. RFC 8252, section 7.3.
 */
export const loopbackRedirect = (options: LoopbackRedirectOptions = {}): LoopbackRedirect => {
  checkOptions(options, CHECKS, 'options');
  const { port = 0, host = '127.0.0.1', path = '/callback', open = (url: string) => openBrowser(url) } = options;
  const listeners = new WeakMap<AbortSignal, Listener>();
  return {
    redirectUri: async (signal, registered) => {
      const listening = async (at: number): Promise<string> => {
        const listener = new Listener(host, path);
        listeners.set(signal, listener);
        return listener.listen(at, signal);
      };
      const before = port === 0 ? portOf(registered, host, path) : 0;
      if (before === 0) return listening(port);
      // Whoever listens there now has nothing to do with it.
      return listening(before).catch(async () => listening(0));
    },
    open: (request) =>
      defer(() => {
        const listener = listeners.get(request.signal);
        if (listener === undefined) throw new OptionError('redirectUri', 'give the one that belongs to this open');
        const shown$ = answerOf(() => open(request.url, request)).pipe(
          ignoreElements(),
          catchError((reason: unknown) => {
            if (!(reason instanceof NoBrowser)) return throwError(() => reason);
            request.unopened?.(reason.message);
            return EMPTY;
          }),
        );
        return merge(listener.answerTo(request), concat(shown$, NEVER)).pipe(take(1));
      }),
  };
};
