import { describe, expect, it } from '@jest/globals';
import { connectInMemory, type InMemoryServer, type InMemoryServerTransport, OptionError } from '../../../src/index.js';
import { fixtureServer, scriptedTransport } from '../../../src/testing/index.js';
import { closing } from '../../support/client/connect.js';
import { thrownBy, watch } from '../../support/client/watch.js';

/** A modern server of a few lines; `ends` are its ends of the wires, oldest first. */
const tiny = (): InMemoryServer & { readonly ends: InMemoryServerTransport[]; calls: number } => ({
  ends: [],
  calls: 0,
  connect(transport) {
    this.ends.push(transport);
    transport.onmessage = (message) => {
      const { id, method } = message as { id?: number; method?: string };
      if (id === undefined) return;
      const results: Record<string, object> = {
        'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
        'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] },
      };
      if (method === 'tools/call' && (this.calls += 1) === 1) void transport.close();
      else
        void transport.send({
          jsonrpc: '2.0',
          id,
          result: { resultType: 'complete', content: [], ...results[method ?? ''] },
        });
    };
  },
});

describe('connectInMemory()', () => {
  it('connects the server at the first use, and again by the next use after it closed', () => {
    const server = tiny();
    const client = closing(connectInMemory(server));
    expect(server.ends).toHaveLength(0);
    expect(watch(client.era()).values).toEqual(['modern']);
    void server.ends[0]?.close();
    expect(watch(client.era()).values).toEqual(['modern']);
    expect(server.ends).toHaveLength(2);
  });

  it('trusts the annotations of such a server: what is read-only is called once more after a death', () => {
    const server = tiny();
    const client = closing(connectInMemory(server));
    watch(client.listTools());
    expect(watch(client.callTool('t')).completed).toBe(true);
    expect([server.ends.length, server.calls]).toEqual([2, 2]);
  });

  it('tells the server when the client is closed', async () => {
    const server = tiny();
    const client = connectInMemory(server);
    watch(client.era());
    let told = 0;
    (server.ends[0] as InMemoryServerTransport).onclose = () => (told += 1);
    await client.close();
    await client.close();
    expect(told).toBe(1);
  });

  it.each([undefined, null, {}, 'server', { connect: true }])('refuses %p, which has no connect()', (server) => {
    expect(thrownBy(() => connectInMemory(server as never))).toMatchObject({ name: 'OptionError', option: 'server' });
  });

  it('refuses an unknown option', () => {
    const thrown = thrownBy(() => connectInMemory(tiny(), { command: 'x' } as object));
    expect(thrown).toBeInstanceOf(OptionError);
    expect(thrown).toHaveProperty('message', expect.stringContaining('known are clientInfo,'));
  });
});

describe('connectInMemory(), of a wire', () => {
  it.each([scriptedTransport({}), fixtureServer().connector])('says that connect is meant', (wire) => {
    const thrown = thrownBy(() => connectInMemory(wire as never));
    expect(thrown).toBeInstanceOf(OptionError);
    expect(thrown).toMatchObject({ option: 'server', message: expect.stringContaining('use connect(wire)') });
  });
});
