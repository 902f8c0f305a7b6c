import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { createEngine } from '../../../src/transport/http/undici-engine.js';
import { rejection } from '../../support/client/watch.js';
import { describeEngine } from '../../support/http/engine.contract.js';
import { type Handler, type Loopback, reply, serve } from '../../support/http/loopback.js';
import { tunnel, withProxyVariables } from '../../support/http/tunnel.js';

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
});

describe('what a failure of the undici engine says', () => {
  it.each([
    [{ code: 'UND_ERR_ABORTED' }, true],
    [{ code: 'ECONNREFUSED' }, true],
    [{ code: 'UND_ERR_SOCKET' }, false],
    [new Error('reset'), false],
    [null, false],
    [undefined, false],
  ])('is whether the request can have left: %p', (error, neverLeft) => {
    expect(createEngine().neverLeft(error)).toBe(neverLeft);
  });
});

describe('the body of a response', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    [' GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is read in spite of an encoding that nobody asked for: %j', async (encoding, encode) => {
    const server = await serve((_received, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(encode('as it was'));
    });
    const response = await firstValueFrom(createEngine().send({ method: 'GET', url: server.url, headers: {} }));
    const chunks = await lastValueFrom(response.body$.pipe(toArray()));
    expect(Buffer.concat(chunks).toString()).toBe('as it was');
  });
});

describe('a proxy', () => {
  it.each(['http_proxy', 'HTTP_PROXY'])('is asked where it is named by %s', async (name) => {
    const proxy = await tunnel(await serve((_received, response) => reply(response, 200, 'done')));
    await withProxyVariables({ [name]: proxy.url }, async () => {
      const request = { method: 'GET', url: 'http://far.example/', headers: {} } as const;
      (await firstValueFrom(createEngine().send(request))).discard();
    });
    expect(proxy.asked).toEqual(['far.example:80']);
  });

  it.each(['https_proxy', 'HTTPS_PROXY'])('is asked for what is encrypted where it is named by %s', async (name) => {
    const proxy = await tunnel(await serve((_received, response) => reply(response, 200, 'done')));
    await withProxyVariables({ [name]: proxy.url }, async () => {
      const request = { method: 'GET', url: 'https://far.example/', headers: {} } as const;
      // Behind this one nobody speaks TLS.
      await rejection(firstValueFrom(createEngine().send(request)));
    });
    expect(proxy.asked).toEqual(['far.example:443']);
  });
});
