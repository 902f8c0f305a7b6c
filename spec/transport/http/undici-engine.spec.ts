import { describe, expect, it } from '@jest/globals';
import { concatMap, firstValueFrom, lastValueFrom, take, toArray } from 'rxjs';
import { createEngine } from '../../../src/transport/http/undici-engine.js';
import { describeEngine } from '../../support/http/engine.contract.js';
import { type Handler, type Loopback, reply, serve } from '../../support/http/loopback.js';
import { withProxyVariables } from '../../support/http/tunnel.js';

describeEngine('undici', createEngine);

describe('the undici engine', () => {
  it('sends nothing on a connection that was closed while the process was busy', async () => {
    const answer: Handler = (_received, response) => reply(response, 200, 'done');
    const engine = createEngine();
    const answered = async ({ url }: Loopback): Promise<unknown> => {
      const response = await firstValueFrom(engine.send({ method: 'POST', url, headers: {}, body: '{}' }));
      return lastValueFrom(response.body$.pipe(toArray()));
    };
    for (let n = 0; n < 5; n += 1) {
      const first = await serve(answer);
      await answered(first);
      await answered(first);
      // There is another server at once, and the client has no turn in which it could notice.
      await first.close();
      expect(await answered(await serve(answer, first.port))).toHaveLength(1);
    }
  });

  it('shares its connections with every other one, as long as the proxy variables stay as they are', async () => {
    const server = await serve((_received, response) => reply(response, 200, 'done'));
    const answered = async (): Promise<unknown> => {
      const response = await firstValueFrom(createEngine().send({ method: 'POST', url: server.url, headers: {} }));
      return lastValueFrom(response.body$.pipe(toArray()));
    };
    await answered();
    await answered();
    expect(server.connections).toBe(1);
    await withProxyVariables({ NO_PROXY: 'elsewhere.invalid' }, answered);
    expect(server.connections).toBe(2);
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

  it('keeps a connection whose body was given up within its last piece', async () => {
    const server = await serve((_received, response) => reply(response, 200, 'done'));
    const engine = createEngine();
    const first = (): Promise<unknown> =>
      firstValueFrom(
        engine
          .send({ method: 'POST', url: server.url, headers: {} })
          .pipe(concatMap((response) => response.body$.pipe(take(1)))),
      );
    await first();
    await first();
    expect(server.connections).toBe(1);
  });

  it('keeps what comes before somebody reads, and has the rest wait', async () => {
    const body = 'x'.repeat(4_000_000);
    const server = await serve((_received, response) => reply(response, 200, body));
    const engine = createEngine();
    const response = await firstValueFrom(engine.send({ method: 'POST', url: server.url, headers: {} }));
    // Another exchange in between: time enough for what does not wait.
    (await firstValueFrom(engine.send({ method: 'POST', url: server.url, headers: {} }))).discard();
    const chunks = await lastValueFrom(response.body$.pipe(toArray()));
    expect(Buffer.concat(chunks).toString()).toBe(body);
  });
});
