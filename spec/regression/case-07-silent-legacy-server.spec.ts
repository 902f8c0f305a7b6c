import { describe, expect, it } from '@jest/globals';
import { map, timer } from 'rxjs';
import { EraCache, type ClientOptions, connect, TimeoutError } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { methodsOf, scriptedLives } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const INITIALIZED = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'silent', version: '1' } };

/** A legacy server that ignores what it does not know, and takes its time for what it does. */
const silent = (initializeMs = 20) =>
  Object.assign(
    scriptedLives(() =>
      scriptedTransport(
        {
          'server/discover': scriptedTransport.silence,
          initialize: () => timer(initializeMs).pipe(map(() => INITIALIZED)),
        },
        { era: 'legacy' },
      ),
    ),
    { identity: 'a silent server' },
  );

const client = (wire: ReturnType<typeof silent>, options: ClientOptions = {}) =>
  connect(wire, { eraCache: new EraCache(), ...options });

/** The methods of what one life of a wire was sent. */
const framesOf = (wire: { readonly opened: readonly ScriptedTransport[] }, life = 0): readonly string[] =>
  methodsOf(wire.opened[life] as ScriptedTransport);

describe('case 7: a legacy server that is silent to the probe', () => {
  it('costs the first connection five seconds, and no more', () => {
    inVirtualTime(({ at }) => {
      const wire = silent();
      const seen = watch(client(wire).era());
      at(4_999, () => expect(framesOf(wire)).toEqual(['server/discover']));
      at(6_000, () => {
        expect(seen.marks).toEqual([
          [5_020, 'legacy'],
          [5_020, '|'],
        ]);
        expect(framesOf(wire)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
      });
    });
  });

  it('costs every later connection nothing, of this client or of another with the same memory', () => {
    inVirtualTime(({ at }) => {
      const wire = silent();
      const eraCache = new EraCache();
      const first = client(wire, { eraCache });
      watch(first.era());
      at(6_000, () => wire.opened[0]?.die());
      at(7_000, () => {
        const again = watch(first.era());
        const other = watch(client(wire, { eraCache }).era());
        at(1_000, () => {
          expect(again.marks[0]).toEqual([7_020, 'legacy']);
          expect(other.marks[0]).toEqual([7_020, 'legacy']);
          for (const server of wire.opened.slice(1)) {
            expect(methodsOf(server)).toEqual(['initialize', 'notifications/initialized']);
          }
        });
      });
    });
  });

  it('costs nothing at all where the legacy era is pinned', () => {
    inVirtualTime(({ at }) => {
      const wire = silent();
      const seen = watch(client(wire, { era: 'legacy' }).era());
      at(1_000, () => expect(seen.marks[0]).toEqual([20, 'legacy']));
    });
  });

  it('costs as long as the probe may take', () => {
    inVirtualTime(({ at }) => {
      const wire = silent();
      const seen = watch(client(wire, { probeTimeoutMs: 300 }).era());
      at(1_000, () => expect(seen.marks[0]).toEqual([320, 'legacy']));
    });
  });

  it('is waited for by everybody together, each with a clock of its own, and told nothing by those who give up', () => {
    inVirtualTime(({ at }) => {
      const wire = silent(20_000);
      const mcp = client(wire);
      const impatient = watch(mcp.server({ timeoutMs: 1_000 }));
      const later = watch(mcp.listTools({ timeoutMs: 6_000 }));
      const leaving = watch(mcp.server());
      const patient = watch(mcp.era());
      at(7_000, () => {
        leaving.subscription.unsubscribe();
        expect(impatient.marks).toEqual([[1_000, new TimeoutError('server()', undefined, 1_000)]]);
        expect(later.marks).toEqual([[6_000, new TimeoutError('tools/list', undefined, 6_000)]]);
      });
      at(30_000, () => {
        expect(patient.marks[0]).toEqual([25_000, 'legacy']);
        expect(leaving.marks).toEqual([]);
        expect(wire.opened).toHaveLength(1);
        expect(framesOf(wire)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
      });
    });
  });
});
