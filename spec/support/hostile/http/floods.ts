import type { ServerResponse } from 'node:http';
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { event, type Handler, messageOf, reply, stream } from '../../http/loopback.js';
import { answerTo, stageOf } from '../honest.mjs';
import type { Era } from '../rows.js';

/** How many POSTs a client may have open that bring no request. */
const MOST = 64;

/**
 * A legacy server that answers no POST but those of requests. Its deed is to have much posted, until `MOST` of them are
 * open, and to answer with how many have come by the end of it.
 */
const unaccepted =
  (make: (own: ServerResponse, call: ServerResponse) => void) =>
  (era: Era): Handler => {
    const open = new BehaviorSubject(0);
    let own: ServerResponse | undefined;
    return async (received, response) => {
      if (received.method === 'GET') return (own = stream(response));
      if (received.method === 'DELETE') return reply(response, 200);
      const request = messageOf(received);
      if (request.method === 'notifications/initialized') return reply(response, 202);
      if (request.id === undefined || request.method === undefined) {
        response.on('close', () => open.next(open.value - 1));
        open.next(open.value + 1);
        return;
      }
      const answer = answerTo(era, request);
      if (stageOf(request) !== 'call' || own === undefined)
        return reply(response, 'error' in answer ? 400 : 200, answer);
      make(own, stream(response));
      await firstValueFrom(open.pipe(filter((count) => count >= MOST)));
      const { id } = request;
      const text = String(open.value);
      return response.end(event({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
    };
  };

const pings = (to: ServerResponse, from: number): void => {
  for (let n = from; n < from + 500; n += 1) to.write(event({ jsonrpc: '2.0', id: `s-${String(n)}`, method: 'ping' }));
};

/** Servers that have a client post without end, and take nothing of it. */
export const FLOODS: Readonly<Record<string, (era: Era) => Handler>> = {
  'asks 1 000 times on its own stream, and takes no answer': unaccepted((own) => {
    pings(own, 0);
    pings(own, 500);
  }),
  'asks 1 000 times on two streams, and takes no answer': unaccepted((own, call) => {
    pings(own, 0);
    pings(call, 500);
  }),
};
