// The floor: JSON, a map of Promises, and nothing else. No deadline, no cancellation, no check of anything.
import { paramsOf, shakeHands } from './floors/openings.mjs';
import { openWire } from './floors/wire.mjs';

/** Opens a floor client on `wire`. */
export const open = async (wire) => {
  const waiting = new Map();
  const listening = new Map();
  let last = 0;
  const receive = (message) => {
    if (message.id === undefined) {
      listening.get(message.params.progressToken)?.(message.params);
      return;
    }
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) resolve(message.result);
    else reject(new Error(message.error.message));
  };
  const { post, close } = await openWire(wire, receive);
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      const id = (last += 1);
      waiting.set(id, { resolve, reject });
      post({ jsonrpc: '2.0', id, method, params });
    });
  await shakeHands(wire.era, request, post);
  return {
    call: (name, args) => request('tools/call', paramsOf(wire.era, { name, arguments: args })),
    listTools: async () => (await request('tools/list', paramsOf(wire.era, {}))).tools,
    report: (name, args, onProgress) => {
      const token = `t${last}`;
      listening.set(token, onProgress);
      return request('tools/call', paramsOf(wire.era, { name, arguments: args }, token));
    },
    close,
  };
};
