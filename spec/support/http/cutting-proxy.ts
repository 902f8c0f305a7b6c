import { request as forward, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { type Loopback, messageOf, type Received, serve } from './loopback.js';

/** Where an exchange is cut: as soon as the request has gone on, before the head of the answer, or inside its body. */
export type Place = 'after the request' | 'before the headers' | 'inside the body';

/** A proxy in front of a server, which counts requests and cuts some. */
export interface CuttingProxy extends Loopback {
  /** When it cut, by the clock of the process, in ms. */
  readonly cuts: readonly number[];
  /** Resolves when the server has answered every request it got, those included that nobody waits for any longer. */
  settled(): Promise<unknown>;
}

/** Passes one request on, and resolves with the head of its answer. */
const passOn = async ({ port }: Loopback, { method, path, headers, body }: Received): Promise<IncomingMessage> => {
  const onward = forward({ host: '127.0.0.1', port, method, path, headers, agent: false });
  onward.end(body);
  const [response] = (await once(onward, 'response')) as [IncomingMessage];
  return response;
};

/** Starts a proxy that cuts those tool calls that `cutsAt` names a place for. */
export const cuttingProxy = async (
  server: Loopback,
  cutsAt: (tool: string, count: number) => Place | undefined,
): Promise<CuttingProxy> => {
  const cuts: number[] = [];
  const passed: Promise<unknown>[] = [];
  let calls = 0;
  const proxy = await serve(async (received, response) => {
    const { method, params } = received.method === 'POST' ? messageOf(received) : {};
    const place = method === 'tools/call' ? cutsAt(String(params?.['name']), (calls += 1)) : undefined;
    const cut = (): void => {
      cuts.push(performance.now());
      response.socket?.destroy();
    };
    const answer$ = passOn(server, received);
    passed.push(answer$);
    if (place === 'after the request') {
      cut();
      // The server goes on with what it has begun; nobody hears of it.
      await answer$.then((answer) => answer.resume());
      return;
    }
    const answer = await answer$;
    if (place === 'before the headers') {
      cut();
      answer.resume();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    if (place === undefined) {
      response.on('close', () => answer.destroy());
      answer.on('error', () => response.destroy()).pipe(response);
      return;
    }
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (chunk.includes('jsonrpc')) {
        response.write(chunk.subarray(0, chunk.length / 2), cut);
        break;
      }
      // Only a mark, from which a stream can be taken up again. What is cut is the message behind it.
      response.write(chunk);
    }
  });
  return Object.assign(Object.create(proxy) as Loopback, { cuts, settled: () => Promise.all(passed) });
};
