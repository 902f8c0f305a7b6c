import { describe, expect, it } from '@jest/globals';
import { asyncScheduler, map, timer } from 'rxjs';
import { type ClientOptions, connect, EraCache, ProtocolError, type Warning } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { methodsOf, scriptedLives } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
const INITIALIZED = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'dual', version: '1' } };
const REFUSAL = scriptedTransport.error(-32601, 'Method not found: initialize');

/** A server that reads nothing until it has started, as one that is downloaded first, and then answers all it was sent. */
const slow = (startMs: number, initialize: object = REFUSAL) =>
  Object.assign(
    scriptedLives(() => {
      const startsAt = asyncScheduler.now() + startMs;
      const started =
        <T>(answer: T) =>
        () =>
          timer(Math.max(0, startsAt - asyncScheduler.now())).pipe(map(() => answer));
      return scriptedTransport({
        'server/discover': started(DISCOVERED),
        initialize: started(initialize),
        'tools/list': { tools: [] },
      });
    }),
    { identity: 'a slow server' },
  );

const client = (wire: ReturnType<typeof slow>, options: ClientOptions = {}) =>
  connect(wire, { eraCache: new EraCache(), ...options });

/** The methods of what one life of a wire was sent. */
const framesOf = (wire: { readonly opened: readonly ScriptedTransport[] }, life = 0): readonly string[] =>
  methodsOf(wire.opened[life] as ScriptedTransport);

describe('case 45: a first start that takes longer than the probe', () => {
  it('of a modern server ends in a modern connection, and without a warning', () => {
    inVirtualTime(({ at }) => {
      const wire = slow(8_000);
      const warnings: Warning[] = [];
      const mcp = client(wire, { onWarn: (warning) => warnings.push(warning) });
      const seen = watch(mcp.era());
      at(9_000, () => {
        expect(seen.marks[0]).toEqual([8_000, 'modern']);
        watch(mcp.listTools());
        expect(framesOf(wire)).toEqual(['server/discover', 'initialize', 'tools/list']);
        expect(warnings).toEqual([]);
      });
    });
  });

  it('of any length does, as long as the caller waits', () => {
    inVirtualTime(({ at }) => {
      const seen = watch(client(slow(300_000)).era({ timeoutMs: 0 }));
      at(300_001, () => expect(seen.marks[0]).toEqual([300_000, 'modern']));
    });
  });

  it('of a server of both eras ends in a legacy connection, since initialize selects it', () => {
    inVirtualTime(({ at }) => {
      const seen = watch(client(slow(8_000, INITIALIZED)).era());
      at(9_000, () => expect(seen.marks[0]).toEqual([8_000, 'legacy']));
    });
  });

  it('ends in the refusal where the server then answers neither', () => {
    inVirtualTime(({ at }) => {
      const wire = scriptedLives(() =>
        scriptedTransport({
          'server/discover': scriptedTransport.silence,
          initialize: () => timer(3_000).pipe(map(() => REFUSAL)),
        }),
      );
      const seen = watch(connect(wire, { eraCache: new EraCache() }).era());
      at(20_000, () =>
        expect(seen.marks).toEqual([[13_000, new ProtocolError(-32601, 'Method not found: initialize')]]),
      );
    });
  });

  it('is remembered for what the server is: the next slow start is given four times as long', () => {
    inVirtualTime(({ at }) => {
      const eraCache = new EraCache();
      const wire = slow(18_000);
      watch(client(wire, { eraCache }).era());
      at(30_000, () => {
        const seen = watch(client(wire, { eraCache }).era());
        at(20_000, () => {
          expect(seen.marks[0]).toEqual([48_000, 'modern']);
          expect(framesOf(wire, 1)).toEqual(['server/discover']);
        });
      });
    });
  });

  it('outlives a caller that gave up: the next one has the connection that was begun', () => {
    inVirtualTime(({ at }) => {
      const wire = slow(10_000);
      const mcp = client(wire, { requestTimeoutMs: 7_000 });
      const first = watch(mcp.era());
      at(8_000, () => {
        expect(first.error).toMatchObject({ name: 'TimeoutError', timeoutMs: 7_000 });
        const second = watch(mcp.era());
        at(3_000, () => {
          expect(second.marks[0]).toEqual([10_000, 'modern']);
          expect(wire.opened).toHaveLength(1);
        });
      });
    });
  });
});
