// A raw server in this process, on the server's end of whichever in-memory transport a client has.
import { answersOf } from './answers.mjs';

/** Answers on `transport` as soon as it is asked: `onmessage` is what it hears by, `send` what it says with. */
export const serveOn = (transport, era, more = 0) => {
  const { answer } = answersOf(era, more);
  transport.onmessage = (message) => {
    const response = answer(message);
    if (response !== undefined) void transport.send(response);
  };
  return transport.start?.();
};
