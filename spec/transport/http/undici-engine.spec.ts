import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { createEngine } from '../../../src/transport/http/undici-engine.js';
import { describeEngine } from '../../support/http/engine.contract.js';
import { reply, serve } from '../../support/http/loopback.js';

describeEngine('undici', createEngine);

describe('the undici engine', () => {
  it('sends nothing on a connection that was closed while the process was busy', async () => {
    const server = await serve((_received, response) => reply(response, 200, 'done'));
    const request = { method: 'POST', url: server.url, headers: {}, body: '{}' } as const;
    const engine = createEngine();
    for (let n = 0; n < 5; n += 1) {
      await lastValueFrom((await firstValueFrom(engine.send(request))).body$.pipe(toArray()));
      // The client has no turn in between in which it could notice.
      server.cut();
    }
    expect(server.received).toHaveLength(5);
  });

  it('gives up what it has not begun to send', async () => {
    const server = await serve((_received, response) => reply(response, 200));
    const request = { method: 'POST', url: server.url, headers: {} } as const;
    const engine = createEngine();
    engine
      .send(request)
      .subscribe({ error: () => undefined })
      .unsubscribe();
    (await firstValueFrom(engine.send(request))).discard();
    expect(server.received).toHaveLength(1);
  });
});
