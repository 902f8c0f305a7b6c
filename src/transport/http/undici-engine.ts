import { clearImmediate, setImmediate } from 'node:timers';
import { Observable } from 'rxjs';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { HttpEngine, HttpRequest } from './engine.js';
import { neverConnected } from './fetch-engine.js';
import { isFoundPrivate, lookupWith } from './guarded-lookup.js';
import { UndiciExchange } from './undici-exchange.js';

const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];
const PROXY_VARIABLES = [...PROXIES, 'no_proxy', 'NO_PROXY'];

/** How long a connection nobody uses is kept at most, in ms, however long the server would keep it. */
const IDLE_MS = 30_000;

/** Those of one state of the proxy variables: the second connects to no private address. */
interface Dispatchers {
  readonly open: Dispatcher;
  readonly guarded: Dispatcher;
}

let shared: ({ readonly variables: string } & Dispatchers) | undefined;

/** The dispatchers of this process, as long as the proxy variables stay as they are. Idle connections keep no process alive. */
const sharedDispatchers = (): Dispatchers => {
  const variables = JSON.stringify(PROXY_VARIABLES.map((name) => process.env[name]));
  if (shared?.variables !== variables) {
    // Who has the ones of before keeps them: their connections close when they have been idle for a while.
    const options = { headersTimeout: 0, bodyTimeout: 0, keepAliveMaxTimeout: IDLE_MS };
    // Where there is a proxy it is the proxy that looks names up.
    const dispatcher = (guards: boolean): Dispatcher => {
      const own = { ...options, connect: { lookup: lookupWith(guards) } };
      // What looks for a proxy does so for every request.
      return PROXIES.some((name) => (process.env[name] ?? '') !== '') ? new EnvHttpProxyAgent(own) : new Agent(own);
    };
    shared = { variables, open: dispatcher(false), guarded: dispatcher(true) };
  }
  return shared;
};

interface Place {
  readonly origin: string;
  readonly path: string;
}

/** Where a URL leads. Most requests of an engine go to the same one. */
const lastPlace = (): ((url: string) => Place) => {
  let last: string | undefined;
  let place: Place;
  return (url) => {
    if (url !== last) {
      const { origin, pathname, search } = new URL(url);
      place = { origin, path: `${pathname}${search}` };
      last = url;
    }
    return place;
  };
};

/**
 * An engine on undici, for Node: several times cheaper than `fetch` there. It honours the proxy variables, and its own
 * clocks are off, since the client's alone rule. All engines share their connections, which are kept alive, and let the
 * process end.
 */
export const createEngine = (): HttpEngine => {
  const { open, guarded } = sharedDispatchers();
  const placeOf = lastPlace();
  return {
    send: ({ method, url, headers, body, namedBy }: HttpRequest) =>
      new Observable((subscriber) => {
        const exchange = new UndiciExchange(url, headers, subscriber);
        const dispatcher = namedBy === undefined || isFoundPrivate(namedBy) ? open : guarded;
        // A server may have closed an idle connection while this process was busy. It hears of that within a turn, and a
        // request that would be lost on the old connection, perhaps for good, goes out on a new one.
        const turn = setImmediate(() => {
          try {
            dispatcher.dispatch({ ...placeOf(url), method, headers, body: body ?? null }, exchange);
          } catch (reason) {
            subscriber.error(reason);
          }
        });
        return () => {
          clearImmediate(turn);
          exchange.giveUp();
        };
      }),
    // A proxy that refuses the tunnel is told as an abort. Our own aborts are not told to anybody.
    neverLeft: (error) => neverConnected(error) || (error as { code?: unknown } | null)?.code === 'UND_ERR_ABORTED',
  };
};
