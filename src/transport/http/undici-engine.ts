import { EventEmitter } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { clearImmediate, setImmediate } from 'node:timers';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Observable, timer } from 'rxjs';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import type { HttpEngine, HttpRequest, HttpResponse } from './engine.js';
import { neverConnected } from './fetch-engine.js';
import { isFoundPrivate, lookupWith } from './guarded-lookup.js';

/** How long the end of a body that nobody wants may take, in ms. */
const DISCARD_MS = 1_000;

const CLOSED = 'the connection was closed before the body was whole';

const bytesOf = (body: Readable): Observable<Uint8Array> =>
  new Observable((subscriber) => {
    let done = false;
    if (body.destroyed) {
      subscriber.error(body.errored ?? new Error(CLOSED));
      return undefined;
    }
    body.on('data', (chunk: Uint8Array) => {
      subscriber.next(chunk);
    });
    body.on('end', () => {
      done = true;
      subscriber.complete();
    });
    body.on('error', (reason: unknown) => {
      done = true;
      subscriber.error(reason);
    });
    body.on('close', () => {
      if (!done) subscriber.error(new Error(CLOSED));
    });
    return () => {
      if (!done) body.destroy();
    };
  });

/** Nothing compressed is asked for; a server, or somebody in between, may send it all the same. */
const decoded = (body: Readable, encoding: string | undefined): Readable => {
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined;
  if (decoder === undefined) return body;
  body.on('error', (reason) => decoder.destroy(reason));
  decoder.on('close', () => body.destroy());
  return body.pipe(decoder);
};

const responseOf = (
  url: string,
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  raw: Readable,
): HttpResponse => {
  const encoding = headers['content-encoding'];
  const body = decoded(raw, typeof encoding === 'string' ? encoding.trim().toLowerCase() : undefined);
  // Without a listener the error of a body that nobody reads yet, or any longer, would end the process.
  body.on('error', () => undefined);
  return {
    url,
    status,
    statusText: STATUS_CODES[status] ?? '',
    header: (name) => {
      const value = headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body$: bytesOf(body),
    discard: () => {
      // A body that is read to its end leaves its connection good for the next request; one without an end is hung up.
      const late = timer(DISCARD_MS).subscribe({
        next: () => {
          body.destroy();
        },
        error: () => undefined,
      });
      body.once('close', () => {
        late.unsubscribe();
      });
      body.resume();
    },
  };
};

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

/**
 * An engine on undici, for Node: several times cheaper than `fetch` there. It honours the proxy variables, and its own
 * clocks are off, since the client's alone rule. All engines share their connections, which are kept alive, and let the
 * process end.
 */
export const createEngine = (): HttpEngine => {
  const { open, guarded } = sharedDispatchers();
  return {
    send: ({ method, url, headers, body, namedBy }: HttpRequest) =>
      new Observable((subscriber) => {
        const abort = new EventEmitter();
        let answered = false;
        const dispatcher = namedBy === undefined || isFoundPrivate(namedBy) ? open : guarded;
        const send = (): void => {
          request(url, { dispatcher, method, headers, body: body ?? null, signal: abort }).then(
            (response) => {
              answered = true;
              const answer = responseOf(url, response.statusCode, response.headers, response.body);
              if (subscriber.closed) answer.discard();
              subscriber.next(answer);
              subscriber.complete();
            },
            (reason: unknown) => {
              answered = true;
              subscriber.error(reason);
            },
          );
        };
        // A server may have closed an idle connection while this process was busy. It hears of that within a turn, and a
        // request that would be lost on the old connection, perhaps for good, goes out on a new one.
        const turn = setImmediate(send);
        return () => {
          clearImmediate(turn);
          if (!answered) abort.emit('abort');
        };
      }),
    // A proxy that refuses the tunnel is told as an abort. Our own aborts are not told to anybody.
    neverLeft: (error) => neverConnected(error) || (error as { code?: unknown } | null)?.code === 'UND_ERR_ABORTED',
  };
};
