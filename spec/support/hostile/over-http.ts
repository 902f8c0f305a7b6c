import { once } from 'node:events';
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { connectHttp, EraCache, type HttpOptions } from '../../../src/index.js';
import { event, type Handler, messageOf, reply, serve, stream } from '../http/loopback.js';
import type { Writing } from '../http/peer.js';
import { type Deed, DEEDS } from './deeds/index.mjs';
import { answerTo, stageOf } from './honest.mjs';
import { BOUND_MS, declareRows, type Era, type Row, type Stage } from './rows.js';

/** The hostile server over HTTP: what a deed says goes out as the events of a stream, which ends with the deed. */
const saying = (era: Era, make: Deed): Handler => {
  const deed = make();
  return async (received, response) => {
    if (received.method === 'GET') return reply(response, 405);
    if (received.method === 'DELETE') return reply(response, 200);
    const request = messageOf(received);
    const { id } = request;
    if (id === undefined || request.method === undefined) return reply(response, 202);
    const stage = stageOf(request);
    const act = stage === undefined ? undefined : deed[stage];
    if (act === undefined) {
      const answer = answerTo(era, request);
      return reply(response, 'error' in answer ? 400 : 200, answer);
    }
    stream(response);
    await act({
      era,
      life: 1,
      request,
      id,
      say: (message) => void response.write(event(message)),
      raw: () => undefined,
      answer: (result = (answerTo(era, request) as { result?: unknown }).result) => ({ jsonrpc: '2.0', id, result }),
      closed: once(response, 'close'),
    });
    return response.end();
  };
};

/** A server that answers well, but for the tool `deed`: that answer is written by `write`. */
const writing = (era: Era, write: Writing): Handler => {
  return (received, response) => {
    if (received.method === 'GET') return reply(response, 405);
    if (received.method === 'DELETE') return reply(response, 200);
    const request = messageOf(received);
    if (request.id === undefined || request.method === undefined) return reply(response, 202);
    const answer = answerTo(era, request);
    if (stageOf(request) === 'call') return write(response, answer, received);
    return reply(response, 'error' in answer ? 400 : 200, answer);
  };
};

const open = async (handler: Handler, { options, cold, boundMs }: Row): Promise<Stage> => {
  const exchanges = new BehaviorSubject(0);
  const server = await serve((received, response, request) => {
    exchanges.next(exchanges.value + 1);
    response.on('close', () => exchanges.next(exchanges.value - 1));
    return handler(received, response, request);
  });
  const given: Partial<HttpOptions> = {
    requestTimeoutMs: cold === true ? (boundMs ?? BOUND_MS) : BOUND_MS,
    probeTimeoutMs: BOUND_MS,
    eraCache: new EraCache(),
    ...options,
  };
  const client = connectHttp({ url: server.url, ...given });
  // Connections that are idle are the process's, and may serve other clients; every exchange is to be over.
  return { client, gone: () => firstValueFrom(exchanges.pipe(filter((count) => count === 0))) };
};

/** Declares the specs of rows against the server behind a URL. */
export const overHttp = (rows: readonly Row[]): void => {
  declareRows(rows, 'http', (era, row) => open(saying(era, DEEDS[row.server] as Deed), row));
};

/** Declares the specs of rows whose deeds are ways to write the answer to a call. */
export const writtenOverHttp = (rows: readonly Row[], ways: Readonly<Record<string, Writing>>): void => {
  declareRows(rows, 'http', (era, row) => open(writing(era, ways[row.server] as Writing), row));
};

/** Declares the specs of rows whose deeds are whole servers. */
export const servedOverHttp = (
  rows: readonly Row[],
  servers: Readonly<Record<string, (era: Era) => Handler>>,
): void => {
  declareRows(rows, 'http', (era, row) => open((servers[row.server] as (era: Era) => Handler)(era), row));
};
