import { describe, expect, it } from '@jest/globals';
import { McpServer as OlderServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { firstValueFrom, type Observable } from 'rxjs';
import { OptionError, TransportError } from '../../../src/errors/index.js';
import type { Transport } from '../../../src/transport/index.js';
import {
  memoryConnector,
  type InMemoryServer,
  type InMemoryServerTransport,
} from '../../../src/transport/memory/index.js';
import { openLife, Reader, sending } from '../../contract/reader.js';

const info = { name: 'spec', version: '1.0.0' };

/** The servers of the official SDK, as they are and without a cast: that this compiles is half of the point. */
const servers: Readonly<Record<string, () => InMemoryServer>> = {
  'an McpServer of the official SDK 2': () => new McpServer(info),
  'a Server of the official SDK 2': () => new Server(info, { capabilities: {} }),
  'an McpServer of the official SDK 1': () => new OlderServer(info),
  'a Server of the official SDK 1': () => new OlderServer(info).server,
  'serveStdio of the official SDK 2, for either era': () => ({
    connect: (transport) => serveStdio(() => new McpServer(info), { transport }),
  }),
};

const outcomeOf = (opening$: Observable<Transport>): Promise<unknown> =>
  firstValueFrom(opening$).catch((reason: unknown) => reason);

describe('memoryConnector', () => {
  describe.each(Object.entries(servers))('with %s', (_name, makeServer) => {
    it('opens a wire on which the server answers, and after it another', async () => {
      const connector = memoryConnector(makeServer());
      for (const life of [1, 2]) {
        const { transport, subscription } = await openLife(connector);
        const reader = new Reader(transport);
        expect(await sending(transport, { jsonrpc: '2.0', id: life, method: 'x-test/unknown' }).end).toBe('complete');
        expect(await reader.count(1)).toEqual([
          { jsonrpc: '2.0', id: life, error: { code: -32601, message: 'Method not found' } },
        ]);
        subscription.unsubscribe();
        expect([reader.errors, reader.completions, transport.alive]).toEqual([[], 1, false]);
      }
    });
  });

  it('tells a server that is closed by its owner, and the wire dies', async () => {
    const server = new McpServer(info);
    const { transport } = await openLife(memoryConnector(server));
    const reader = new Reader(transport);
    await server.close();
    expect(reader.errors).toEqual([expect.any(TransportError)]);
    expect(transport.alive).toBe(false);
  });

  it('tells the server that the client has gone', async () => {
    const server = new McpServer(info);
    let closed = 0;
    server.server.onclose = () => {
      closed += 1;
    };
    const { subscription } = await openLife(memoryConnector(server));
    expect(server.isConnected()).toBe(true);
    subscription.unsubscribe();
    expect([closed, server.isConnected()]).toEqual([1, false]);
  });

  it('passes on that a server refuses a second connection', async () => {
    const connector = memoryConnector(new OlderServer(info));
    const { subscription } = await openLife(connector);
    const refusal = await outcomeOf(connector());
    expect(refusal).toBeInstanceOf(TransportError);
    expect(((refusal as TransportError).cause as Error).message).toMatch('Already connected');
    subscription.unsubscribe();
    expect(await outcomeOf(connector())).toMatchObject({ cancelBy: 'notice' });
  });

  it('emits the transport within subscribe, when connect returns no Promise', () => {
    const handle: StdioServerHandle = { close: () => Promise.resolve() };
    const emitted: Transport[] = [];
    memoryConnector({ connect: () => handle })()
      .subscribe({ next: (transport) => emitted.push(transport), error: () => undefined })
      .unsubscribe();
    expect(emitted.map(({ alive }) => alive)).toEqual([false]);
  });

  it('connects nothing until it is subscribed to, and each subscription anew', () => {
    const ends: InMemoryServerTransport[] = [];
    const opening$ = memoryConnector({ connect: (end) => ends.push(end) })();
    expect(ends).toHaveLength(0);
    opening$.subscribe({ error: () => undefined }).unsubscribe();
    opening$.subscribe({ error: () => undefined }).unsubscribe();
    expect(new Set(ends).size).toBe(2);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('errors with TransportError when connect %s, and ends the wire', async (_how, connect: () => unknown) => {
    let closes = 0;
    const failure = await outcomeOf(
      memoryConnector({
        connect: (end) => {
          end.onclose = () => {
            closes += 1;
          };
          return connect();
        },
      })(),
    );
    expect(failure).toBeInstanceOf(TransportError);
    expect((failure as TransportError).cause).toEqual(new Error('no'));
    expect(closes).toBe(1);
  });

  it('unsubscribed before the server is connected, ends the wire and emits nothing', async () => {
    let connected: () => void = () => undefined;
    const log: string[] = [];
    const subscription = memoryConnector({
      connect: (end) => {
        end.onclose = () => log.push('closed');
        return new Promise<void>((resolve) => {
          connected = resolve;
        });
      },
    })().subscribe({ next: () => log.push('emitted'), error: () => log.push('errored') });
    subscription.unsubscribe();
    connected();
    await Promise.resolve();
    expect(log).toEqual(['closed']);
  });

  it.each([undefined, null, 'server', {}, { connect: true }])('refuses %p, which cannot be connected', (server) => {
    expect(() => memoryConnector(server as unknown as InMemoryServer)).toThrow(OptionError);
    expect(() => memoryConnector(server as unknown as InMemoryServer)).toThrow(/"server"/);
  });

  it('has no identity: two servers in one process are two servers, and any may be connected again', () => {
    const { identity, reopens } = memoryConnector({ connect: () => undefined });
    expect({ identity, reopens }).toEqual({ identity: undefined, reopens: undefined });
  });
});
