import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, timer, map } from 'rxjs';
import { connect, EraCache, type Warning } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};
const TOOLS = { tools: [{ name: 'add', inputSchema: { type: 'object' } }] };

/** A legacy server that asks the client before it has answered `initialize`, or the probe. */
const asking = (before: 'server/discover' | 'initialize', ask: (server: ScriptedTransport) => void) => {
  const server: ScriptedTransport = scriptedTransport(
    {
      'server/discover': () => {
        if (before === 'server/discover') ask(server);
        return scriptedTransport.error(-32601, 'Method not found');
      },
      initialize: () => {
        if (before === 'initialize') ask(server);
        return INITIALIZED;
      },
      'tools/list': TOOLS,
    },
    { era: 'legacy' },
  );
  return server;
};

const answersOf = (server: ScriptedTransport): readonly unknown[] =>
  server.sent.filter((message) => !('method' in message));

describe('case 42: a request that arrives before the answer to initialize', () => {
  it.each(['server/discover', 'initialize'] as const)(
    'before the answer to %s is answered, and the handshake completes',
    async (before) => {
      const warnings: Warning[] = [];
      const server = asking(before, (wire) => {
        wire.push({ id: 'p', method: 'ping' });
      });
      const mcp = connect(server, { eraCache: new EraCache(), onWarn: (warning) => warnings.push(warning) });
      expect((await mcp.promises.listTools()).map(({ name }) => name)).toEqual(['add']);
      expect(answersOf(server)).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
      expect(warnings).toEqual([]);
      await mcp.close();
    },
  );

  it('fifteen times, though the client declared no such thing, is refused each time, and the handshake completes', async () => {
    const ids = Array.from({ length: 15 }, (_, index) => index);
    const server = asking('initialize', (wire) => {
      for (const id of ids) wire.push({ id, method: 'roots/list' });
    });
    const mcp = connect(server, { eraCache: new EraCache() });
    expect((await mcp.promises.listTools()).map(({ name }) => name)).toEqual(['add']);
    expect(answersOf(server)).toEqual(
      ids.map((id) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32601, message: 'this client does not serve roots/list' },
      })),
    );
    await mcp.close();
  });

  it('is served by the hook where the client declared it', async () => {
    const server = asking('initialize', (wire) => {
      wire.push({ id: 'r', method: 'roots/list' });
    });
    const onListRoots = () => [{ uri: 'file:///work', name: 'work' }];
    const mcp = connect(server, { eraCache: new EraCache(), onListRoots });
    expect((await mcp.promises.listTools()).map(({ name }) => name)).toEqual(['add']);
    expect(answersOf(server)).toEqual([
      { jsonrpc: '2.0', id: 'r', result: { roots: [{ uri: 'file:///work', name: 'work' }] } },
    ]);
    await mcp.close();
  });

  it('has an id of the server, which may well be that of a request of ours, and is no answer to it', async () => {
    const server = asking('initialize', (wire) => {
      for (const id of [1, 2, 3]) wire.push({ id, method: 'ping' });
    });
    const mcp = connect(server, { eraCache: new EraCache() });
    expect(await firstValueFrom(mcp.era())).toBe('legacy');
    await mcp.promises.listTools();
    expect(answersOf(server)).toEqual([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
    await mcp.close();
  });

  it('is answered at once, however long the answer to initialize takes', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport(
        { initialize: () => timer(1_000).pipe(map(() => INITIALIZED)) },
        { era: 'legacy' },
      );
      const seen = watch(connect(server, { era: 'legacy' }).era());
      at(10, () => server.push({ id: 0, method: 'ping' }));
      at(11, () => expect(answersOf(server)).toEqual([{ jsonrpc: '2.0', id: 0, result: {} }]));
      at(2_000, () => expect(seen.marks[0]).toEqual([1_000, 'legacy']));
    });
  });
});
