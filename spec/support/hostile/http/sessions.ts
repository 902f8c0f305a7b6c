import type { ServerResponse } from 'node:http';
import { type Handler, messageOf, type Received, reply, stream } from '../../http/loopback.js';
import { answerTo } from '../honest.mjs';
import type { Era } from '../rows.js';

type Place = string;
type Lose = (response: ServerResponse, received: Received) => unknown;

const gone: Lose = (response) => reply(response, 404, 'Session not found');

/**
 * A legacy server with a session, which does something else at the `n`th time it comes to a place: the method of a
 * message, `answer`, `GET` or `DELETE`. Those places it knows are counted from 1.
 */
const session =
  (place: Place, lose: Lose, when: (count: number) => boolean = (count) => count === 1, get?: Lose) =>
  (era: Era): Handler => {
    let count = 0;
    let sessions = 0;
    return (received, response) => {
      const { method } = received;
      const request = method === 'POST' ? messageOf(received) : {};
      const here = method === 'POST' ? (request.method ?? 'answer') : method;
      if (here === place) {
        count += 1;
        if (when(count)) return lose(response, received);
      }
      if (method === 'GET') return get === undefined ? reply(response, 405) : get(response, received);
      if (method === 'DELETE') return reply(response, 200);
      if (request.method === 'initialize') response.setHeader('mcp-session-id', `session ${String((sessions += 1))}`);
      else if (
        request.method !== 'server/discover' &&
        received.headers['mcp-session-id'] !== `session ${String(sessions)}`
      )
        return gone(response, received);
      if (request.id === undefined || request.method === undefined) return reply(response, 202);
      const answer = answerTo(era, request);
      return reply(response, 'error' in answer ? 400 : 200, answer);
    };
  };

const always = (): boolean => true;
const reset: Lose = (response) => response.socket?.resetAndDestroy();
const silent: Lose = () => undefined;

/** Servers that lose, or mishandle, their sessions. All legacy: the modern era has none. */
export const SESSIONS: Readonly<Record<string, (era: Era) => Handler>> = {
  'forgets the session at the first call': session('tools/call', gone, (count) => count === 2),
  'forgets the session at every call': session('tools/call', gone, (count) => count !== 1 && count < 20),
  'forgets the session at its list': session('tools/list', gone),
  'forgets the session at the word that it is initialized': session('notifications/initialized', gone),
  'forgets the session at its own stream': session('GET', gone),
  'resets the word that it is initialized': session('notifications/initialized', reset),
  'answers 500 to the word that it is initialized': session('notifications/initialized', (response) =>
    reply(response, 500),
  ),
  'does not let the session be deleted': session('DELETE', (response) => reply(response, 405)),
  'fails to delete the session': session('DELETE', (response) => reply(response, 500, 'no')),
  'resets the deletion of the session': session('DELETE', reset),
  'never answers the deletion of the session': session('DELETE', silent),
  'resets its own stream again and again': session('GET', reset, always),
  'ends its own stream again and again': session('GET', (response) => stream(response).end(), always),
  'answers its own stream with a page': session(
    'GET',
    (response) => reply(response, 200, '<p>', { 'content-type': 'text/html' }),
    always,
  ),
  'never answers its own stream': session('GET', silent, always),
  'says junk on its own stream': session(
    'GET',
    silent,
    () => false,
    (response) => stream(response).write('data: junk\n\ndata: {}\n\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'),
  ),
  'gives initialize an empty session': (era) => (received, response) => {
    if (received.method !== 'POST') return reply(response, 405);
    const request = messageOf(received);
    response.setHeader('mcp-session-id', '');
    if (request.id === undefined || request.method === undefined) return reply(response, 202);
    const answer = answerTo(era, request);
    return reply(response, 'error' in answer ? 400 : 200, answer);
  },
};
