import { openHttp } from './posts.mjs';
import { openLines } from './lines.mjs';

/** A wire inside this process: each side is handed the other's own objects, or with `asText` copies by way of JSON lines. */
const openMemory = async (wire, receive) => {
  const { serverOf } = await import('../../servers/in-memory.mjs');
  const send = wire.asText ? (message) => receive(JSON.parse(JSON.stringify(message))) : receive;
  const server = { onmessage: undefined, send };
  serverOf(wire).connect(server);
  const write = (text) => {
    for (const line of text.split('\n')) if (line !== '') server.onmessage(JSON.parse(line));
  };
  return { ...(wire.asText ? { write } : {}), post: (message) => server.onmessage(message), close: () => undefined };
};

const openStdio = (wire, receive) => {
  const { write, close } = openLines(wire, receive);
  return { write, post: (message) => write(`${JSON.stringify(message)}\n`), close };
};

/** Opens what `wire` describes: `post(message)` sends, and `receive` is called with what comes back. */
export const openWire = async (wire, receive) => {
  if (wire.kind === 'http') return openHttp(wire, receive);
  return wire.kind === 'memory' ? openMemory(wire, receive) : openStdio(wire, receive);
};
