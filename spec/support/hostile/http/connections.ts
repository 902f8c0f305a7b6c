import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { event, stream } from '../../http/loopback.js';
import type { Writing } from '../../http/peer.js';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Writes the answer straight to the socket. */
const straight =
  (write: (socket: Socket, body: string) => unknown): Writing =>
  (response, answer) => {
    const { socket } = response;
    if (socket !== null) write(socket, JSON.stringify(answer));
  };
const begun = (response: ServerResponse, text: string, then: () => void): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).write(text, then);
};

/** Connections that break, stall, or speak no HTTP. */
export const CONNECTIONS: Readonly<Record<string, Writing>> = {
  'resets the connection before its head': straight((socket) => socket.resetAndDestroy()),
  'closes the connection before its head': straight((socket) => socket.end()),
  'resets the connection inside the head': straight((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => socket.resetAndDestroy()),
  ),
  'closes the connection inside the head': straight((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')),
  'resets the connection inside the body': (response, answer) =>
    begun(response, JSON.stringify(answer).slice(0, 30), () => response.socket?.resetAndDestroy()),
  'closes the connection inside the body': (response, answer) =>
    begun(response, JSON.stringify(answer).slice(0, 30), () => response.socket?.end()),
  'resets the connection inside its stream': (response, answer) => {
    stream(response).write(event(answer).slice(0, 30), () => response.socket?.resetAndDestroy());
  },
  'resets the connection behind the answer of its stream': (response, answer) => {
    stream(response).write(event(answer), () => response.socket?.resetAndDestroy());
  },
  'half-closes the connection and says nothing': straight((socket) => {
    socket.allowHalfOpen = true;
    socket.end();
  }),
  'promises more bytes than it sends': straight((socket, body) =>
    socket.end(`${HEAD}content-length: ${String(body.length + 100)}\r\n\r\n${body}`),
  ),
  'promises fewer bytes than it sends': straight((socket, body) =>
    socket.end(`${HEAD}content-length: 20\r\n\r\n${body}`),
  ),
  'promises bytes of no number': straight((socket, body) => socket.end(`${HEAD}content-length: many\r\n\r\n${body}`)),
  'sends no length, and closes at the end': straight((socket, body) =>
    socket.end(`${HEAD}connection: close\r\n\r\n${body}`),
  ),
  'sends chunks of nonsense': straight((socket) =>
    socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\nwhat\r\n`),
  ),
  'does not end its chunks': straight((socket, body) =>
    socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`),
  ),
  'speaks no HTTP': straight((socket) => socket.end('220 mail.example ESMTP\r\n')),
  'speaks HTTP/0.9': straight((socket, body) => socket.end(body)),
  'sends a head of 1 MB': straight((socket, body) => {
    socket.on('error', () => undefined);
    socket.end(`${HEAD}x-large: ${'x'.repeat(1_000_000)}\r\n\r\n${body}`);
  }),
  'sends a field with a forbidden character': straight((socket, body) =>
    socket.end(`${HEAD}x-odd: a\0b\r\ncontent-length: ${String(body.length)}\r\n\r\n${body}`),
  ),
  'sends a second answer nobody asked for': straight((socket, body) => {
    const whole = `${HEAD}content-length: ${String(body.length)}\r\n\r\n${body}`;
    socket.end(whole + whole);
  }),
  'never sends its head': () => undefined,
  'never ends its head': straight((socket) => socket.write('HTTP/1.1 200 OK\r\nx-slow: ')),
  'never ends its body': (response, answer) => begun(response, JSON.stringify(answer).slice(0, 30), () => undefined),
  'opens its stream and says nothing': (response) => void stream(response),
};
