import type { ServerResponse } from 'node:http';
import { event, type Handler, messageOf, reply, stream } from '../../http/loopback.js';
import { answerTo, stageOf } from '../honest.mjs';
import type { Era } from '../rows.js';

type Saying = (say: (message: object | string, type?: string) => void, answer: object, body: ServerResponse) => void;

/** A server of 2024-11-05, whose every answer comes on the one stream of a client; to the tool `deed` it does something else. */
const oneStream =
  (deed: Saying) =>
  (era: Era): Handler => {
    let body: ServerResponse | undefined;
    return (received, response) => {
      if (received.method === 'GET') {
        body = stream(response);
        return body.write(event('/messages', { type: 'endpoint' }));
      }
      if (received.path !== '/messages') return reply(response, 405);
      reply(response, 202);
      const request = messageOf(received);
      if (request.id === undefined || request.method === undefined || body === undefined) return undefined;
      const to = body;
      const say = (message: object | string, type?: string): void =>
        void to.write(event(message, type === undefined ? {} : { type }));
      const answer = answerTo(era, request);
      if (stageOf(request) === 'call') deed(say, answer, to);
      else say(answer);
      return undefined;
    };
  };

const PADDING = 'x'.repeat(200_000);

/** Deeds on the one stream that carries everything, so that its end is the end of all calls. */
export const ONE_STREAM: Readonly<Record<string, (era: Era) => Handler>> = {
  'says an event beyond the limit on the one stream': oneStream((say, answer) => {
    say({ jsonrpc: '2.0', method: 'x', params: { PADDING } });
    say(answer);
  }),
  'answers beyond the limit on the one stream': oneStream((say, answer) => say({ ...answer, PADDING })),
  'says junk on the one stream': oneStream((say, answer) => {
    say('junk');
    say(answer, 'other');
    say('', 'endpoint');
    say('http://127.0.0.1:9/', 'endpoint');
    say(answer);
  }),
  'ends the one stream': oneStream((_say, _answer, body) => void body.end()),
  'resets the one stream': oneStream((_say, _answer, body) => void body.socket?.resetAndDestroy()),
};
