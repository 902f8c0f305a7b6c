// Questions of a legacy server over HTTP: each comes on the stream of the call that it is for.
import { describe, expect, it } from '@jest/globals';
import { finalize, Observable, Subject } from 'rxjs';
import { connectHttp, EraCache } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';
import { event, messageOf, serve, stream } from '../support/http/loopback.js';
import { type PeerOptions, peer } from '../support/http/peer.js';

/** Asks on the stream of each call, in the name of the tool that is called. */
const asks: PeerOptions['call'] = (response, _answer, received) => {
  const message = String(messageOf(received).params?.['name']);
  const params = { message, requestedSchema: { type: 'object', properties: {} } };
  stream(response).write(event({ jsonrpc: '2.0', id: `of ${message}`, method: 'elicitation/create', params }));
};

describe('a question on the stream of a call', () => {
  it('is withdrawn with that call, and with no other, and shown to it alone', async () => {
    const server = await serve(peer({ era: 'legacy', call: asks }));
    const open: string[] = [];
    const changes = new Subject<void>();
    const mcp = closing(
      connectHttp({
        url: server.url,
        era: 'legacy',
        eraCache: new EraCache(),
        onElicit: ({ params: { message } }) =>
          new Observable<never>(() => {
            open.push(message);
            changes.next();
          }).pipe(
            finalize(() => {
              open.splice(open.indexOf(message), 1);
              changes.next();
            }),
          ),
      }),
    );
    const until = (names: readonly string[]): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (open.join() === names.join()) resolve();
        };
        changes.subscribe(check);
        check();
      });
    const pay = watch(mcp.callTool('pay', {}, { observe: 'events' }));
    await until(['pay']);
    const look = watch(mcp.callTool('look', {}, { observe: 'events' }));
    await until(['pay', 'look']);
    const kinds = (seen: typeof pay): unknown => seen.values.map((one) => one.kind === 'input' && one.key);
    expect([kinds(pay), kinds(look)]).toEqual([['of pay'], ['of look']]);
    look.subscription.unsubscribe();
    await until(['pay']);
    pay.subscription.unsubscribe();
    await until([]);
  });
});
