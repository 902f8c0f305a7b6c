import { describe, expect, it } from '@jest/globals';
import { OptionError, TransportClosedError, TransportError } from '../../../src/errors/index.js';
import type { Inbound, Outbound } from '../../../src/jsonrpc/index.js';
import { MemoryTransport, type InMemoryServerTransport } from '../../../src/transport/memory/index.js';
import { sending } from '../../contract/reader.js';

const request = (id: number, params?: Readonly<Record<string, unknown>>): Outbound => ({
  jsonrpc: '2.0',
  id,
  method: 'x-test/call',
  params,
});

interface Pair {
  readonly transport: MemoryTransport;
  readonly server: InMemoryServerTransport;
  /** What the client heard, and how it ended. */
  readonly heard: Inbound[];
  readonly ends: unknown[];
}

const connected = (serve: (message: Outbound, server: InMemoryServerTransport) => void = () => undefined): Pair => {
  const transport = new MemoryTransport();
  const server = transport.serverSide;
  server.onmessage = (message) => {
    serve(message, server);
  };
  const heard: Inbound[] = [];
  const ends: unknown[] = [];
  transport.inbound$.subscribe({
    next: (message) => heard.push(message),
    error: (reason: unknown) => ends.push(reason),
    complete: () => ends.push('complete'),
  });
  return { transport, server, heard, ends };
};

const ignore = { error: () => undefined };

describe('MemoryTransport', () => {
  it('is a wire that takes cancel notices and has no headers', () => {
    const { cancelBy, mirrorsHeaders } = new MemoryTransport();
    expect({ cancelBy, mirrorsHeaders }).toEqual({ cancelBy: 'notice', mirrorsHeaders: false });
  });

  describe('synchrony', () => {
    it('the answer of a server that answers at once is there when send returns', () => {
      const { transport, heard } = connected((message, server) => {
        void server.send({ jsonrpc: '2.0', id: (message as { id: number }).id, result: {} });
      });
      const events: string[] = [];
      transport
        .send(request(1))
        .subscribe({ ...ignore, complete: () => events.push(`complete after ${heard.length}`) });
      expect(events).toEqual(['complete after 1']);
    });

    it('the server is never entered while it handles a message: what the client sends meanwhile waits', () => {
      const log: string[] = [];
      const transport = new MemoryTransport();
      const server = transport.serverSide;
      server.onmessage = (message) => {
        const { id } = message as { id: number };
        log.push(`server begins ${id}`);
        void server.send({ jsonrpc: '2.0', id, result: {} });
        log.push(`server ends ${id}`);
      };
      const send = (id: number): void => {
        transport.send(request(id)).subscribe({ ...ignore, complete: () => log.push(`${id} taken`) });
      };
      transport.inbound$.subscribe({
        ...ignore,
        next: (message) => {
          const { id } = message as { id: number };
          log.push(`client hears ${id}`);
          if (id === 1) send(2);
        },
      });
      send(1);
      expect(log).toEqual([
        'server begins 1',
        'client hears 1',
        'server ends 1',
        '1 taken',
        'server begins 2',
        'client hears 2',
        'server ends 2',
        '2 taken',
      ]);
    });

    it('a conversation of any length needs no stack', () => {
      let last = 0;
      const transport = new MemoryTransport();
      const server = transport.serverSide;
      server.onmessage = (message) => {
        void server.send({ jsonrpc: '2.0', id: (message as { id: number }).id, result: {} });
      };
      transport.inbound$.subscribe({
        ...ignore,
        next: (message) => {
          last = (message as { id: number }).id;
          if (last < 50_000) transport.send(request(last + 1)).subscribe(ignore);
        },
      });
      transport.send(request(1)).subscribe(ignore);
      expect(last).toBe(50_000);
    });

    it('messages wait for a server that puts its callbacks on late, until it calls start', async () => {
      const transport = new MemoryTransport();
      const outcome = sending(transport, request(1));
      const served: Outbound[] = [];
      transport.serverSide.onmessage = (message) => served.push(message);
      expect(served).toEqual([]);
      await transport.serverSide.start();
      expect(served).toEqual([request(1)].map(({ ...message }) => ({ ...message, params: undefined })));
      expect(await outcome.end).toBe('complete');
    });
  });

  describe('copies', () => {
    it('what the client changes after sending does not reach the server, nor what the server changes the client', () => {
      const served: Record<string, unknown>[] = [];
      const { transport } = connected((message) => {
        const { params } = message as { params: Record<string, unknown> };
        served.push(params);
        (params['list'] as unknown[]).push('server');
      });
      const params = { list: ['client'] };
      transport.send(request(1, params)).subscribe(ignore);
      params.list.push('later');
      expect(served).toEqual([{ list: ['client', 'server'] }]);
      expect(params).toEqual({ list: ['client', 'later'] });
    });

    it('what the server changes after answering does not reach the client', () => {
      const { server, heard } = connected();
      const result = { content: [] as unknown[] };
      void server.send({ jsonrpc: '2.0', id: 1, result });
      result.content.push('later');
      expect(heard).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [] } }]);
    });

    it('a message that cannot be written as JSON fails its own send, and the wire lives', async () => {
      const { transport } = connected();
      const failure = await sending(transport, request(1, { big: 1n })).end;
      expect(failure).toBeInstanceOf(OptionError);
      expect((failure as OptionError).message).toContain('it cannot be written as JSON');
      expect(await sending(transport, request(2)).end).toBe('complete');
    });

    it('an answer that cannot be written as JSON is an invalid message under its id, and the server is told', async () => {
      const { server, heard, ends } = connected();
      const told: Error[] = [];
      server.onerror = (error) => told.push(error);
      await server.send({ jsonrpc: '2.0', id: 'a', result: { big: 1n } });
      await server.send({ jsonrpc: '2.0', id: 7, result: { big: 1n } });
      await server.send({ jsonrpc: '2.0', method: 'x-test/note', params: { big: 1n } });
      await server.send({ jsonrpc: '2.0', id: { big: 1n }, result: {} });
      const fault = { invalid: 'it cannot be written as JSON', excerpt: expect.stringContaining('BigInt') };
      expect(heard).toStrictEqual([{ ...fault, id: 'a' }, { ...fault, id: 7 }, fault, fault]);
      expect(told).toEqual(heard.map(() => expect.any(TypeError)));
      expect(ends).toEqual([]);
    });
  });

  describe('a server that misbehaves', () => {
    it('whose onmessage throws fails that send, and the next message reaches it', async () => {
      const boom = new Error('boom');
      const { transport, ends } = connected((message) => {
        if ((message as { id: number }).id === 1) throw boom;
      });
      const failure = await sending(transport, request(1)).end;
      expect(failure).toBeInstanceOf(TransportError);
      expect((failure as TransportError).cause).toBe(boom);
      expect(await sending(transport, request(2)).end).toBe('complete');
      expect(ends).toEqual([]);
    });

    it('whose onclose or onerror throws stops nothing', async () => {
      const { transport, server, ends } = connected();
      const fail = (): never => {
        throw new Error('in the server');
      };
      server.onerror = fail;
      server.onclose = fail;
      await server.send(1n);
      await transport.close();
      expect(ends).toEqual(['complete']);
    });

    it('that sends after the end is not heard, and not refused either', async () => {
      const { transport, server, heard } = connected();
      await transport.close();
      await server.send({ jsonrpc: '2.0', method: 'x-test/late' });
      expect(heard).toEqual([]);
    });
  });

  describe('the end', () => {
    it('by our close is heard by the server once, before close returns', () => {
      const { transport, server, ends } = connected();
      let closes = 0;
      server.onclose = () => {
        closes += 1;
      };
      void transport.close();
      void transport.close();
      void server.close();
      expect(closes).toBe(1);
      expect(ends).toEqual(['complete']);
    });

    it('by the server is a death of the wire, after what the server said before it', () => {
      const { transport, server, heard, ends } = connected((message) => {
        void server.send({ jsonrpc: '2.0', id: (message as { id: number }).id, result: {} });
        void server.close();
      });
      let closes = 0;
      server.onclose = () => {
        closes += 1;
      };
      transport.send(request(1)).subscribe(ignore);
      expect(heard).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
      expect(ends).toEqual([expect.any(TransportError)]);
      expect((ends[0] as TransportError).message).toBe('the transport failed: the server closed the connection');
      expect(closes).toBe(1);
      expect(transport.alive).toBe(false);
    });

    it('by the server, in the middle of a message, fails what still waits behind that message', async () => {
      const outcomes: Promise<unknown>[] = [];
      const { transport, server } = connected(() => {
        outcomes.push(sending(transport, request(2)).end);
        void server.close();
        outcomes.push(sending(transport, request(3)).end);
      });
      expect(await sending(transport, request(1)).end).toBe('complete');
      expect(await Promise.all(outcomes)).toEqual([expect.any(TransportError), expect.any(TransportClosedError)]);
    });

    it('is heard by the server first, so that a client may connect it again at once', () => {
      const log: string[] = [];
      const transport = new MemoryTransport();
      transport.serverSide.onclose = () => log.push('server');
      transport.inbound$.subscribe({ error: () => log.push('client') });
      void transport.serverSide.close();
      expect(log).toEqual(['server', 'client']);
    });
  });
});
