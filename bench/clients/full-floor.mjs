// The floor with what every real client needs: a deadline and an abort signal for each call, a notice when a call is
// given up, progress, and one write for all that is sent in one turn. In memory its messages are JSON text, too, so that the
// two sides share no object.
import { paramsOf, shakeHands } from './floors/openings.mjs';
import { openWire } from './floors/wire.mjs';

const DEADLINE_MS = 60_000;

/** Joins the lines of one turn, on a wire that takes text. */
const batching = ({ write, post }) => {
  if (write === undefined) return post;
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    write(text);
  };
  return (message) => {
    if (lines === '') process.nextTick(flush);
    lines += `${JSON.stringify(message)}\n`;
  };
};

/** Opens a full floor client on `wire`. */
export const open = async (wire) => {
  const waiting = new Map();
  const listening = new Map();
  let last = 0;
  const receive = (message) => {
    if (message.id === undefined) {
      if (message.method === 'notifications/progress') listening.get(message.params.progressToken)?.(message.params);
      return;
    }
    waiting.get(message.id)?.(message);
  };
  const opened = await openWire({ ...wire, asText: true }, receive);
  const post = batching(opened);

  const request = (method, params, { signal, onProgress } = {}) =>
    new Promise((resolve, reject) => {
      const id = (last += 1);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        waiting.delete(id);
        if (onProgress !== undefined) listening.delete(id);
      };
      const giveUp = (reason) => {
        settle();
        post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        reject(reason);
      };
      const aborted = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(new Error(`${method} timed out`)), DEADLINE_MS);
      signal?.addEventListener('abort', aborted);
      waiting.set(id, (message) => {
        settle();
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(message.error.message));
      });
      if (onProgress !== undefined) listening.set(id, onProgress);
      post({
        jsonrpc: '2.0',
        id,
        method,
        params: paramsOf(wire.era, params, onProgress === undefined ? undefined : id),
      });
    });

  await shakeHands(wire.era, (method, params) => request(method, params), post);
  return {
    call: (name, args, options) => request('tools/call', { name, arguments: args }, options),
    listTools: async () => (await request('tools/list', {})).tools,
    report: (name, args, onProgress) => request('tools/call', { name, arguments: args }, { onProgress }),
    close: opened.close,
  };
};
