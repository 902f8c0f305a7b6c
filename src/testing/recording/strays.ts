import type { Outbound } from '../../jsonrpc/index.js';
import { differenceIn, isLike } from './matching.js';
import { redactText } from './redact-text.js';

/** As much of a name or a path as is told. */
const LONGEST = 100;

const told = (text: string): string => {
  const clean = redactText(text);
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
};

/** What a message is called: by its method, and the tool or the prompt that is asked for. */
export const nameOf = (message: Outbound): string => {
  if (!('method' in message)) return 'an answer';
  const { method, params } = message;
  const name = params?.['name'];
  const isNamed = (method === 'tools/call' || method === 'prompts/get') && typeof name === 'string';
  return isNamed ? `${method} of ${JSON.stringify(told(name))}` : method;
};

/** What a recording has beside a message that it has not. */
interface Beside {
  /** The messages of the client that are still to come, in order. */
  readonly left: readonly Outbound[];
  /** Those that were sent again. */
  readonly gone: readonly Outbound[];
  /** Nothing of it is to come, and it has no end. */
  readonly endsHere: boolean;
}

/** Why a request cannot be played: what differs, by name and path. No value is told. */
export const strayText = (sent: Outbound, { left, gone, endsHere }: Beside): string => {
  const name = nameOf(sent);
  const said = `the client sent ${name}, which was not recorded here`;
  const [next] = left;
  const goesOn =
    next !== undefined
      ? `it goes on with ${nameOf(next)}`
      : endsHere
        ? 'it ends here'
        : 'it goes on with no message of the client';
  if (gone.some((message) => isLike(sent, message)))
    return `${said} once more: what was recorded of it is used up, and ${goesOn}`;
  const near = left.find((message) => nameOf(message) === name);
  const path = near === undefined ? undefined : differenceIn(sent, near);
  if (path !== undefined) return `${said}: it goes on with ${name} whose ${told(path)} differs`;
  return `${said}: ${goesOn}`;
};

/** That a request waits for what the client has yet to send. */
export const waitText = (waiting: Outbound, next: Outbound): string => {
  const missing = 'method' in next ? nameOf(next) : 'an answer to what the server asks';
  return `${nameOf(waiting)} has no answer yet: it was recorded behind ${missing}, which this client has not sent as it was sent then`;
};
