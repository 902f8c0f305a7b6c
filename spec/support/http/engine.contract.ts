import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, lastValueFrom, reduce } from 'rxjs';
import type { HttpEngine, HttpRequest, HttpResponse } from '../../../src/transport/http/engine.js';
import { rejection, watch } from '../client/watch.js';
import { type Loopback, reply, serve } from './loopback.js';
import { nextTurn } from './turns.js';

const textOf = ({ body$ }: HttpResponse): Promise<string> =>
  lastValueFrom(body$.pipe(reduce((text, chunk) => text + Buffer.from(chunk).toString('latin1'), '')));

const post = ({ url }: Loopback, rest: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: {},
  ...rest,
});

/** A server that holds the response of every request it gets. */
const holding = async (): Promise<{ readonly server: Loopback; readonly next: () => Promise<ServerResponse> }> => {
  const held: ServerResponse[] = [];
  let taken = 0;
  const server = await serve((_received, response) => {
    held.push(response);
  });
  const next = async (): Promise<ServerResponse> => {
    taken += 1;
    await server.until(() => server.received.length >= taken);
    // The response is held just after the request is told.
    while (held.length < taken) await Promise.resolve();
    return held[taken - 1] as ServerResponse;
  };
  return { server, next };
};

/** What every engine does (`src/transport/http/engine.ts`), as specs. */
export const describeEngine = (name: string, make: () => HttpEngine): void => {
  describe(`the ${name} engine`, () => {
    it('sends nothing before it is subscribed to, and once for each subscription', async () => {
      const server = await serve((_received, response) => reply(response, 200));
      const sent$ = make().send(post(server));
      expect(server.received).toEqual([]);
      await firstValueFrom(sent$);
      await firstValueFrom(sent$);
      expect(server.received).toHaveLength(2);
    });

    it('sends the method, the path with its query, the fields and the body as they are', async () => {
      const server = await serve((_received, response) => reply(response, 200));
      const engine = make();
      const headers = { 'content-type': 'application/json', 'x-empty': '', 'mcp-name': 'a b' };
      await firstValueFrom(engine.send(post(server, { url: `${server.url}?a=b%20c`, headers, body: '{"é":"漢"}' })));
      await firstValueFrom(engine.send(post(server, { method: 'GET' })));
      await firstValueFrom(engine.send(post(server, { method: 'DELETE' })));
      expect(server.received.map(({ method, path, body }) => [method, path, body])).toEqual([
        ['POST', '/mcp?a=b%20c', '{"é":"漢"}'],
        ['GET', '/mcp', ''],
        ['DELETE', '/mcp', ''],
      ]);
      expect(server.received[0]?.headers).toMatchObject(headers);
    });

    it('emits the head of the answer once and completes, before any of the body has come', async () => {
      const { server, next } = await holding();
      const seen = watch(make().send(post(server)));
      (await next()).writeHead(404, { 'Content-Type': 'text/plain', 'X-Twice': ['a', 'b'] }).flushHeaders();
      await seen.end;
      expect([seen.values.length, seen.completed]).toEqual([1, true]);
      const [response] = seen.values;
      expect([response?.status, response?.statusText]).toEqual([404, 'Not Found']);
      expect(['content-type', 'CONTENT-TYPE', 'x-twice', 'x-none'].map((field) => response?.header(field))).toEqual([
        'text/plain',
        'text/plain',
        'a, b',
        undefined,
      ]);
      response?.discard();
    });

    it('hands on the body as it comes, and completes with it', async () => {
      const { server, next } = await holding();
      const head = firstValueFrom(make().send(post(server)));
      const response = await next();
      response.writeHead(200).write('one');
      const { body$ } = await head;
      const parts: string[] = [];
      await new Promise<void>((resolve, reject) => {
        body$.subscribe({
          next: (chunk) => {
            expect(chunk).toBeInstanceOf(Uint8Array);
            parts.push(Buffer.from(chunk).toString());
            // Only now that the first has come is there another.
            if (parts.length === 1) response.end('two');
          },
          error: reject,
          complete: resolve,
        });
      });
      expect(parts).toEqual(['one', 'two']);
    });

    it('has no body where there is none', async () => {
      const server = await serve((_received, response) => reply(response, 204));
      expect(await textOf(await firstValueFrom(make().send(post(server))))).toBe('');
    });

    it('follows no redirect', async () => {
      const server = await serve((_received, response) => reply(response, 307, '', { location: '/else' }));
      const response = await firstValueFrom(make().send(post(server)));
      expect([response.status, response.header('location')]).toEqual([307, '/else']);
      expect(server.received).toHaveLength(1);
      response.discard();
    });

    it.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ])('reads a body that was compressed with %s', async (encoding, compress) => {
      const server = await serve((_received, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.from('compressed '.repeat(100))));
      });
      expect(await textOf(await firstValueFrom(make().send(post(server))))).toBe('compressed '.repeat(100));
    });

    it.each(['gzip', undefined])('errors where the body breaks: encoded as %p', async (encoding) => {
      const { server, next } = await holding();
      const head = firstValueFrom(make().send(post(server)));
      const response = await next();
      response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding });
      response.write(encoding === undefined ? 'begun' : gzipSync(Buffer.from('begun')).subarray(0, 12));
      const seen = watch((await head).body$);
      response.destroy();
      expect(await seen.end).toMatchObject({ message: expect.any(String) });
    });

    it('errors where the connection breaks before the head, which may have been too late', async () => {
      const { server, next } = await holding();
      const engine = make();
      const failure = rejection(firstValueFrom(engine.send(post(server))));
      (await next()).destroy();
      const reason = await failure;
      expect(reason).toMatchObject({ message: expect.any(String) });
      expect(engine.neverLeft(reason)).toBe(false);
    });

    it('knows that nothing left where there is no connection', async () => {
      const server = await serve(() => undefined);
      await server.close();
      const engine = make();
      const reason = await rejection(firstValueFrom(engine.send(post(server))));
      expect(engine.neverLeft(reason)).toBe(true);
    });

    it('hangs up where nobody waits for the head any longer', async () => {
      const { server, next } = await holding();
      const seen = watch(make().send(post(server)));
      const response = await next();
      const closed = once(response, 'close');
      seen.subscription.unsubscribe();
      await closed;
      expect([seen.values, seen.error]).toEqual([[], undefined]);
    });

    it('hangs up where nobody reads the body any longer', async () => {
      const { server, next } = await holding();
      const head = firstValueFrom(make().send(post(server)));
      const response = await next();
      response.writeHead(200).write('begun');
      const closed = once(response, 'close');
      const seen = watch((await head).body$);
      seen.subscription.unsubscribe();
      await closed;
      expect(seen.error).toBeUndefined();
    });

    it('lets a body go that nobody wants, however long it would be', async () => {
      const { server, next } = await holding();
      const head = firstValueFrom(make().send(post(server)));
      const response = await next();
      response.writeHead(200).write('begun');
      const closed = once(response, 'close');
      (await head).discard();
      await closed;
    });

    it.each(['gzip', undefined])(
      'raises nothing where a body breaks that nobody reads yet, and tells who comes to read it: encoded as %p',
      async (encoding) => {
        const { server, next } = await holding();
        const head = firstValueFrom(make().send(post(server)));
        const response = await next();
        response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding });
        response.write(encoding === undefined ? 'begun' : gzipSync(Buffer.from('begun')).subarray(0, 12));
        const { body$ } = await head;
        response.destroy();
        await server.until(() => server.open === 0);
        // What broke is told to the client a turn later.
        for (let turn = 0; turn < 5; turn += 1) await nextTurn();
        expect(await watch(body$).end).toMatchObject({ message: expect.any(String) });
      },
    );

    it('survives that the server closes a connection it kept alive', async () => {
      const server = await serve((_received, response) => reply(response, 200, 'done'));
      const engine = make();
      for (let n = 0; n < 3; n += 1) {
        expect(await textOf(await firstValueFrom(engine.send(post(server))))).toBe('done');
        await server.hangUp();
      }
      expect(server.connections).toBe(3);
    });

    it('uses a connection again', async () => {
      const server = await serve((_received, response) => reply(response, 200, 'done'));
      const engine = make();
      for (let n = 0; n < 5; n += 1) await textOf(await firstValueFrom(engine.send(post(server))));
      // One may still be on its way back when it is wanted again.
      expect(server.connections).toBeLessThanOrEqual(2);
    });
  });
};
