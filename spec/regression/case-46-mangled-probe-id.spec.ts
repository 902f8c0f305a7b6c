import { describe, expect, it } from '@jest/globals';
import { map, timer } from 'rxjs';
import { type ClientOptions, connect, EraCache, type Warning } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { methodsOf } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const INITIALIZED = {
  protocolVersion: '2025-03-26',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};

/** A legacy server that answers the probe with an error after 40 ms, under an id of its own making; the rest it does well. */
const mangling = (id: object, error: object = { code: -32601, message: 'Method not found' }): ScriptedTransport => {
  const server: ScriptedTransport = scriptedTransport(
    {
      'server/discover': () =>
        timer(40).pipe(
          map(() => {
            server.pushRaw(JSON.stringify({ jsonrpc: '2.0', ...id, error }));
            return scriptedTransport.silence;
          }),
        ),
      initialize: () => timer(10).pipe(map(() => INITIALIZED)),
      'tools/call': scriptedTransport.silence,
    },
    { era: 'legacy' },
  );
  return server;
};

const client = (server: ScriptedTransport, options: ClientOptions = {}) =>
  connect(server, { eraCache: new EraCache(), ...options });

describe('case 46: an error under another id, while only the probe is open', () => {
  it.each<[string, object]>([
    ['a number', { id: 4_711 }],
    ['zero', { id: 0 }],
    ['its text', { id: '1' }],
    ['an empty text', { id: '' }],
    ['a fraction', { id: 1.5 }],
    ['null', { id: null }],
    ['none', {}],
  ])('answers the probe: nobody waits for its time to run out (%s)', (_what, id) => {
    inVirtualTime(({ at }) => {
      const warnings: Warning[] = [];
      const server = mangling(id);
      const seen = watch(client(server, { onWarn: (warning) => warnings.push(warning) }).server());
      at(100, () => {
        expect(seen.marks[0]).toMatchObject([50, { era: 'legacy', protocolVersion: '2025-03-26' }]);
        expect(methodsOf(server)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
        expect(warnings).toEqual([]);
      });
    });
  });

  it.each([0, -32000, -32600, -32602, -32603])('answers it with whatever code: %p', (code) => {
    inVirtualTime(({ at }) => {
      const seen = watch(client(mangling({ id: 'x' }, { code, message: 'no' })).era());
      at(100, () => expect(seen.marks[0]).toEqual([50, 'legacy']));
    });
  });

  it('answers nothing once the connection is there: then it is a warning, and no call ends by it', () => {
    inVirtualTime(({ at }) => {
      const warnings: Warning[] = [];
      const server = mangling({ id: 'x' });
      const mcp = client(server, { onWarn: (warning) => warnings.push(warning) });
      watch(mcp.era());
      at(100, () => {
        const call = watch(mcp.callTool('slow'));
        server.push({ id: 'y', error: { code: -32603, message: 'whose?' } });
        expect(call.marks).toEqual([]);
        expect(warnings).toMatchObject([{ kind: 'unmatched-answer' }]);
        call.subscription.unsubscribe();
      });
    });
  });
});
