// A raw server in this process, on the server's end of whichever in-memory transport a client has.
import { answersOf } from './answers.mjs';

/** A server knows nothing of who it answers, so one of each kind does for all: what a client keeps is its own. */
const servers = new Map();

const serverOf = (era, more) => {
  const kind = `${era} ${more}`;
  const server = servers.get(kind) ?? answersOf(era, more);
  servers.set(kind, server);
  return server;
};

/** Answers on `transport` as soon as it is asked: `onmessage` is what it hears by, `send` what it says with. */
export const serveOn = (transport, era, more = 0) => {
  const { answer } = serverOf(era, more);
  transport.onmessage = (message) => {
    const response = answer(message);
    if (response !== undefined) void transport.send(response);
  };
  return transport.start?.();
};
