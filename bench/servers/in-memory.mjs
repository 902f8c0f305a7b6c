// A raw server in this process, on the server's end of whichever in-memory transport a client has.
import { answersOf } from './answers.mjs';

/** A server knows nothing of who it answers, so one of each kind does for all: what a client keeps is its own. */
const servers = new Map();

const serverWith = (era, more) => {
  const { answer } = answersOf(era, more);
  return {
    connect: (transport) => {
      transport.onmessage = (message) => {
        const response = answer(message);
        if (response !== undefined) void transport.send(response);
      };
      return transport.start?.();
    },
  };
};

/**
 * The raw server of an era, with so many tools more. `connect` has it answer on a transport as soon as it is asked:
 * `onmessage` is what it hears by, `send` what it says with.
 */
export const serverOf = ({ era, tools = 0 }) => {
  const kind = `${era} ${tools}`;
  const server = servers.get(kind) ?? serverWith(era, tools);
  servers.set(kind, server);
  return server;
};
