// The floor with a cold Observable for each call in place of a Promise.
import { firstValueFrom, Observable } from 'rxjs';
import { paramsOf, shakeHands } from './floors/openings.mjs';
import { openWire } from './floors/wire.mjs';

/** Opens a floor client with RxJS on `wire`. */
export const open = async (wire) => {
  const waiting = new Map();
  let last = 0;
  const receive = ({ id, error, result }) => {
    const subscriber = waiting.get(id);
    if (error === undefined) {
      subscriber.next(result);
      subscriber.complete();
    } else {
      subscriber.error(new Error(error.message));
    }
  };
  const { post, close } = await openWire(wire, receive);
  const request = (method, params) =>
    new Observable((subscriber) => {
      const id = (last += 1);
      waiting.set(id, subscriber);
      post({ jsonrpc: '2.0', id, method, params });
      return () => waiting.delete(id);
    });
  const promised = (method, params) => firstValueFrom(request(method, params));
  await shakeHands(wire.era, promised, post);
  return {
    call: (name, args) => promised('tools/call', paramsOf(wire.era, { name, arguments: args })),
    listTools: async () => (await promised('tools/list', paramsOf(wire.era, {}))).tools,
    close,
  };
};
