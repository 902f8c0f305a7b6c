import { describe, expect, it } from '@jest/globals';
import { EMPTY, firstValueFrom, NEVER, of, Subject, throwError, timer, map } from 'rxjs';
import { ServerGoneError, SpawnFailedError, TransportError } from '../../src/errors/index.js';
import type { Outbound } from '../../src/jsonrpc/index.js';
import { EraCache, type EraStore, type EraVerdict } from '../../src/protocol/index.js';
import { Negotiator } from '../../src/protocol/negotiate.js';
import type { ScriptedTransport } from '../../src/testing/index.js';
import { HandTransport } from '../support/hand-transport.js';
import {
  after,
  at,
  discovered,
  error,
  initialized,
  negotiate,
  negotiation,
  push,
  refused,
  server,
  type Server,
  silence,
  TERMS,
  virtually,
} from '../support/negotiation.js';

const gone = (life: number): ServerGoneError => new ServerGoneError(life, null, 'server', `tail of ${life}`);

/** A server that dies when it is asked something, at once or after some time; the rest of it is scripted. */
const dying = (
  life: number,
  on: 'discover' | 'initialize',
  opening: { readonly discover?: unknown; readonly initialize?: unknown } = {},
  ms = 10,
): (() => ScriptedTransport) => {
  let made: ScriptedTransport | undefined;
  const die = () => {
    at(ms, () => {
      made?.die(gone(life));
    });
    return silence;
  };
  return server({ ...opening, [on]: die }, (one) => (made = one));
};

const MODERN = server({ discover: after(10, discovered()) });
const LEGACY = server({ initialize: after(10, initialized()) });
const PROBE = '0 #1 server/discover 2026-07-28';
const INITIALIZE = '0 #1 initialize 2025-11-25';

/** A memory whose content can be seen. */
const memory = (era?: EraVerdict['era']) => {
  const store = new Map<string, EraVerdict>(era === undefined ? [] : [['k', { era }]]);
  return { cache: new EraCache(store), key: 'k', store };
};

describe('a pin on the legacy era', () => {
  const pinned = { era: 'legacy' } as const;

  it('skips the probe', () => {
    const { trace, forms } = negotiate([LEGACY], pinned);
    expect(trace).toEqual([INITIALIZE, '10 #1 notifications/initialized', '10 #1 ready legacy 2025-11-25']);
    expect(forms).toEqual(['legacy']);
  });

  it.each([-32601, -32602, -32022])('raises the refusal %p of initialize, and asks nothing else', (code) => {
    const { trace, errors } = negotiate(
      [server({ discover: discovered(), initialize: after(10, error(code, 'no', { supported: ['2026-07-28'] })) })],
      pinned,
    );
    expect(trace.filter((line) => line.includes('discover'))).toEqual([]);
    expect(errors).toMatchObject([{ name: 'ProtocolError', code }]);
  });

  it('raises the first death', () => {
    const { errors, forms } = negotiate([dying(1, 'initialize'), LEGACY], pinned);
    expect(errors).toEqual([gone(1)]);
    expect(forms).toHaveLength(1);
  });

  it('neither reads nor writes the memory', () => {
    const { cache, key, store } = memory('modern');
    negotiate([LEGACY], { ...pinned, cache, key });
    expect([...store]).toEqual([['k', { era: 'modern' }]]);
  });
});

describe('a pin on the modern era', () => {
  const pinned = { era: 'modern' } as const;

  it('opens by server/discover', () => {
    const { trace, forms } = negotiate([MODERN], pinned);
    expect(trace).toEqual([PROBE, '10 #1 ready modern 2026-07-28']);
    expect(forms).toEqual(['modern']);
  });

  it.each([
    ['an error', error(-32601, 'no')],
    ['a legacy list', discovered(['2025-11-25'])],
    ['a refusal that names a legacy version', refused(['2025-11-25'])],
  ])('never sends initialize: %s is an UnsupportedVersionError', (_what, answer) => {
    const { trace, errors } = negotiate([server({ discover: after(10, answer), initialize: initialized() })], pinned);
    expect(trace.filter((line) => line.includes('initialize'))).toEqual([]);
    expect(errors).toMatchObject([{ name: 'UnsupportedVersionError', requested: ['2026-07-28'] }]);
  });

  it('waits for a silent server, and sends it nothing else', () => {
    const one = negotiation([server({ discover: after(3_600_000, discovered()), initialize: initialized() })], pinned);
    virtually(() => {
      one.open();
    });
    expect(one.trace).toEqual([PROBE, '3600000 #1 ready modern 2026-07-28']);
  });

  it('raises the first death', () => {
    const { errors, forms } = negotiate([dying(1, 'discover'), LEGACY], pinned);
    expect(errors).toEqual([gone(1)]);
    expect(forms).toHaveLength(1);
  });

  it('answers no request of the server, before the agreement neither', () => {
    let made: ScriptedTransport | undefined;
    const one = negotiation([server({ discover: after(20, discovered()) }, (server) => (made = server))], pinned);
    virtually(() => {
      one.open();
      at(10, () => {
        push(made as ScriptedTransport, { id: 's', method: 'ping' });
      });
    });
    expect(one.trace).toEqual([PROBE, '20 #1 ready modern 2026-07-28']);
    expect(one.warnings).toMatchObject([{ kind: 'unexpected-request' }]);
  });
});

describe('a server that dies during the probe', () => {
  it('is started a second time, and asked to initialize', () => {
    const { trace, forms } = negotiate([dying(1, 'discover'), LEGACY]);
    expect(trace).toEqual([
      PROBE,
      '10 #1 closed',
      '10 #2 initialize 2025-11-25',
      '20 #2 notifications/initialized',
      '20 #2 ready legacy 2025-11-25',
    ]);
    expect(forms).toEqual([undefined, undefined]);
  });

  it('is so when it dies within the sending of the probe', () => {
    let made: ScriptedTransport | undefined;
    const first = server(
      {
        discover: () => {
          made?.die(gone(1));
          return silence;
        },
      },
      (one) => (made = one),
    );
    expect(negotiate([first, LEGACY]).trace.slice(1, 3)).toEqual(['0 #1 closed', '0 #2 initialize 2025-11-25']);
  });

  it('is so when it dies only after the probe was given up for initialize', () => {
    const { trace } = negotiate([dying(1, 'initialize', { discover: silence }), LEGACY]);
    expect(trace).toEqual([
      PROBE,
      '5000 #1 initialize 2025-11-25',
      '5010 #1 closed',
      '5010 #2 initialize 2025-11-25',
      '5020 #2 notifications/initialized',
      '5020 #2 ready legacy 2025-11-25',
    ]);
  });

  it('is so when it dies at the second probe after a refusal of the version', () => {
    let made: ScriptedTransport | undefined;
    let asked = 0;
    const discover = () => {
      asked += 1;
      if (asked === 1) return refused(['2026-07-28']);
      made?.die(gone(1));
      return silence;
    };
    const { trace } = negotiate([server({ discover }, (one) => (made = one)), LEGACY]);
    expect(trace.slice(2, 4)).toEqual(['0 #1 closed', '0 #2 initialize 2025-11-25']);
  });

  it('is so when the death is known to what is sent before it is known to what is read', () => {
    const wire = Object.assign(new HandTransport(), { sent$: new Subject<Outbound>() });
    wire.delivering = () => {
      wire.alive = false;
      return throwError(() => gone(1));
    };
    const { trace, errors } = negotiate([() => wire, LEGACY]);
    expect(errors).toEqual([]);
    expect(trace.at(-1)).toBe('10 #2 ready legacy 2025-11-25');
  });

  it('and then refuses initialize is asked server/discover, on that same life', () => {
    const second = server({ initialize: after(10, error(-32601, 'no')), discover: after(10, discovered()) });
    const { trace } = negotiate([dying(1, 'discover'), second]);
    expect(trace.slice(2)).toEqual([
      '10 #2 initialize 2025-11-25',
      '20 #2 server/discover 2026-07-28',
      '30 #2 ready modern 2026-07-28',
    ]);
  });

  it.each([
    ['refuses', error(-32601, 'neither')],
    ['answers with something else', {}],
    ['shares no version with us', refused(['2099-01-01'])],
  ])('and then refuses initialize, and %s: the refusal is the reason', (_how, discover) => {
    const second = server({ initialize: after(10, error(-32600, 'broken')), discover: after(10, discover) });
    const { errors, forms } = negotiate([dying(1, 'discover'), second, LEGACY]);
    expect(errors).toMatchObject([{ name: 'ProtocolError', code: -32600, message: 'broken' }]);
    expect(forms).toHaveLength(2);
  });

  it('and then refuses initialize, and is silent for the time of a probe: the refusal is the reason', () => {
    const second = server({ initialize: after(10, error(-32600, 'broken')), discover: silence });
    const { trace, errors } = negotiate([dying(1, 'discover'), second]);
    expect(errors).toMatchObject([{ name: 'ProtocolError', code: -32600 }]);
    expect(trace.at(-1)).toMatch(/^5020 /);
    expect(trace.filter((line) => line.includes('cancelled'))).toEqual([]);
  });

  it('and then answers initialize at a version we do not speak is asked nothing more', () => {
    const second = server({ initialize: after(10, initialized('2099-01-01')), discover: discovered() });
    const { trace, errors } = negotiate([dying(1, 'discover'), second]);
    expect(errors).toMatchObject([{ name: 'UnsupportedVersionError', supported: ['2099-01-01'] }]);
    expect(trace.filter((line) => line.includes('#2 server'))).toEqual([]);
  });

  it.each<[string, () => ScriptedTransport]>([
    ['of initialize', dying(2, 'initialize')],
    ['of server/discover', dying(2, 'discover', { initialize: error(-32601, 'no') })],
  ])('and then dies %s as well is gone, with the facts of that death; there is no third', (_what, second) => {
    const { errors, forms } = negotiate([dying(1, 'discover'), second, LEGACY]);
    expect(errors).toEqual([gone(2)]);
    expect(errors[0]).toMatchObject({ exitCode: 2, stderrTail: 'tail of 2' });
    expect(forms).toHaveLength(2);
  });

  it('is gone where its wire may not be opened again', () => {
    const { errors, forms } = negotiate([dying(1, 'discover'), LEGACY], { reopens: false });
    expect(errors).toEqual([gone(1)]);
    expect(forms).toHaveLength(1);
  });

  it('is remembered by this client alone, which asks it to initialize from then on', () => {
    const { cache, key, store } = memory();
    const one = negotiation([dying(1, 'discover'), LEGACY, LEGACY], { cache, key });
    virtually(() => {
      const leave = one.open();
      at(100, () => {
        leave();
        one.open();
      });
    });
    expect([...store]).toEqual([]);
    expect(one.trace.slice(5)).toEqual([
      '100 #2 closed',
      '100 #3 initialize 2025-11-25',
      '110 #3 notifications/initialized',
      '110 #3 ready legacy 2025-11-25',
    ]);
    expect(negotiate([MODERN], { cache, key }).trace[0]).toBe(PROBE);
  });

  it('and dies again when it is only asked to initialize, later, is never probed: it would die of that', () => {
    const one = negotiation([dying(1, 'discover'), LEGACY, dying(3, 'initialize'), LEGACY, LEGACY]);
    virtually(() => {
      const leave = one.open();
      at(100, () => {
        leave();
        one.open();
      });
    });
    expect(one.trace.slice(6)).toEqual([
      '100 #3 initialize 2025-11-25',
      '110 #3 closed',
      '110 #4 initialize 2025-11-25',
      '120 #4 notifications/initialized',
      '120 #4 ready legacy 2025-11-25',
    ]);
  });
});

describe('a wire that cannot be opened', () => {
  const failing = (opening: ConstructorParameters<typeof Negotiator>[0], terms = {}): unknown[] => {
    const seen: unknown[] = [];
    let opened = 0;
    virtually(() => {
      const counted: typeof opening = (form) => {
        opened += 1;
        return opening(form);
      };
      new Negotiator(counted, { ...TERMS, ...terms }).open().subscribe({
        next: () => seen.push('ready'),
        error: (reason: unknown) => seen.push(reason, opened),
        complete: () => seen.push('|'),
      });
    });
    return seen;
  };
  const reason = new SpawnFailedError('server', [], 'it does not exist');

  it.each(['auto', 'modern', 'legacy'])('raises why, at once and once: %s', (era) => {
    expect(failing(() => throwError(() => reason), { era })).toEqual([reason, 1]);
  });

  it('raises a failure of the transport where nothing was opened at all', () => {
    const [error] = failing(() => EMPTY);
    expect(error).toBeInstanceOf(TransportError);
  });

  it('is waited for', () => {
    expect(failing(() => NEVER)).toEqual([]);
  });
});

describe('a life', () => {
  it('is held after the agreement, and closed when it is left', () => {
    const one = negotiation([MODERN]);
    virtually(() => {
      const leave = one.open();
      at(1_000, leave);
    });
    expect(one.trace).toEqual([PROBE, '10 #1 ready modern 2026-07-28', '1000 #1 closed']);
  });

  it('is closed when it is left before the agreement, and the server is told nothing', () => {
    const one = negotiation([server({ discover: silence, initialize: silence })]);
    virtually(() => {
      const leave = one.open();
      at(6_000, leave);
    });
    expect(one.trace).toEqual([PROBE, '5000 #1 initialize 2025-11-25', '6000 #1 closed']);
  });

  it('is opened by each subscriber for itself', () => {
    const one = negotiation([MODERN, MODERN]);
    virtually(() => {
      one.open();
      one.open();
    });
    expect(one.ready).toHaveLength(2);
    expect(one.ready[0]?.session).not.toBe(one.ready[1]?.session);
  });
});

describe('a verdict', () => {
  it.each<['modern' | 'legacy', () => Server]>([
    ['modern', MODERN],
    ['legacy', LEGACY],
  ])('%s is remembered under the name of the server', (era, make) => {
    const { cache, key, store } = memory();
    negotiate([make], { cache, key });
    expect([...store]).toEqual([['k', { era }]]);
  });

  it('is remembered only once the connection is ready', () => {
    const { cache, key, store } = memory();
    negotiate([server({ initialize: error(-32600, 'broken') })], { cache, key });
    negotiate([server({ discover: silence, initialize: silence })], { cache, key });
    expect([...store]).toEqual([]);
  });

  it('is not remembered, nor asked for, where the server has no name', () => {
    const asked: string[] = [];
    const store: EraStore = {
      get: (key) => void asked.push(key),
      set: (key) => asked.push(key),
      delete: (key) => asked.push(key),
    };
    negotiate([LEGACY], { cache: new EraCache(store), key: undefined });
    expect(asked).toEqual([]);
  });

  it('is shared by all who share the memory, and by nobody else', () => {
    const { cache, key } = memory();
    negotiate([LEGACY], { cache, key });
    expect(negotiate([LEGACY], { cache, key }).trace[0]).toBe(INITIALIZE);
    expect(negotiate([LEGACY], { cache, key: 'other' }).trace[0]).toBe(PROBE);
    expect(negotiate([LEGACY], { key }).trace[0]).toBe(PROBE);
  });
});

describe('a server remembered as legacy', () => {
  it('is asked to initialize at once, however it would take the probe', () => {
    const { trace } = negotiate(
      [server({ discover: silence, initialize: after(10, initialized()) })],
      memory('legacy'),
    );
    expect(trace).toEqual([INITIALIZE, '10 #1 notifications/initialized', '10 #1 ready legacy 2025-11-25']);
  });

  it('that refuses initialize is probed once, on the same life, and remembered for what it is now', () => {
    const { store, ...terms } = memory('legacy');
    const upgraded = server({ initialize: after(10, error(-32601, 'no')), discover: after(10, discovered()) });
    const { trace, forms } = negotiate([upgraded], terms);
    expect(trace).toEqual([INITIALIZE, '10 #1 server/discover 2026-07-28', '20 #1 ready modern 2026-07-28']);
    expect(forms).toHaveLength(1);
    expect([...store]).toEqual([['k', { era: 'modern' }]]);
  });

  it('that names a modern version instead is remembered for what it is now', () => {
    const { store, ...terms } = memory('legacy');
    const upgraded = server({ initialize: after(10, refused(['2026-07-28'])), discover: after(10, discovered()) });
    const { trace } = negotiate([upgraded], terms);
    expect(trace).toEqual([INITIALIZE, '10 #1 server/discover 2026-07-28', '20 #1 ready modern 2026-07-28']);
    expect([...store]).toEqual([['k', { era: 'modern' }]]);
  });

  it.each<[string, { discover?: unknown; initialize?: unknown }, object]>([
    ['refuses both', { initialize: error(-32600, 'broken') }, { name: 'ProtocolError', code: -32600 }],
    [
      'refuses, and is then silent',
      { initialize: error(-32600, 'broken'), discover: silence },
      { name: 'ProtocolError', code: -32600 },
    ],
    [
      'answers at a version we do not speak',
      { initialize: initialized('2099-01-01') },
      { name: 'UnsupportedVersionError' },
    ],
    [
      'names only versions we do not speak',
      { initialize: refused(['2099-01-01']) },
      { name: 'UnsupportedVersionError', supported: ['2099-01-01'] },
    ],
  ])('that %s is forgotten, and the next time it is probed', (_what, opening, reason) => {
    const { store, ...terms } = memory('legacy');
    const { errors, forms } = negotiate([server(opening)], terms);
    expect(errors).toMatchObject([reason]);
    expect(forms).toHaveLength(1);
    expect([...store]).toEqual([]);
    expect(negotiate([MODERN], terms).trace[0]).toBe(PROBE);
  });

  it('that dies of initialize is forgotten, started again, probed, and remembered for what it is now', () => {
    const { store, ...terms } = memory('legacy');
    const { trace } = negotiate([dying(1, 'initialize'), MODERN], terms);
    expect(trace).toEqual([
      INITIALIZE,
      '10 #1 closed',
      '10 #2 server/discover 2026-07-28',
      '20 #2 ready modern 2026-07-28',
    ]);
    expect([...store]).toEqual([['k', { era: 'modern' }]]);
  });

  it('that dies twice is gone: there is no third', () => {
    const { store, ...terms } = memory('legacy');
    const { errors, forms } = negotiate([dying(1, 'initialize'), dying(2, 'discover'), LEGACY], terms);
    expect(errors).toEqual([gone(2)]);
    expect(forms).toHaveLength(2);
    expect([...store]).toEqual([]);
  });

  it('is gone with the first death where its wire may not be opened again', () => {
    const { store: _, ...terms } = memory('legacy');
    const { errors, forms } = negotiate([dying(1, 'initialize'), LEGACY], { ...terms, reopens: false });
    expect(errors).toEqual([gone(1)]);
    expect(forms).toHaveLength(1);
  });
});

describe('a server remembered as modern', () => {
  it('is probed all the same, since that is how it is opened', () => {
    expect(negotiate([MODERN], memory('modern')).trace).toEqual([PROBE, '10 #1 ready modern 2026-07-28']);
  });

  it('has four times as long to answer: it may only be slow to start', () => {
    const slow = server({ discover: after(19_999, discovered()), initialize: initialized() });
    expect(negotiate([slow], memory('modern')).trace).toEqual([PROBE, '19999 #1 ready modern 2026-07-28']);
    const silent = server({ discover: silence, initialize: after(10, initialized()) });
    expect(negotiate([silent], memory('modern')).trace[1]).toBe('20000 #1 initialize 2025-11-25');
  });

  it('that has become a legacy one is remembered for that', () => {
    const { store, ...terms } = memory('modern');
    const { trace } = negotiate([LEGACY], terms);
    expect(trace.at(-1)).toBe('10 #1 ready legacy 2025-11-25');
    expect([...store]).toEqual([['k', { era: 'legacy' }]]);
  });
});

describe('a store that somebody else wrote', () => {
  const storing = (part: Partial<EraStore>): { readonly cache: EraCache; readonly key: string } => ({
    key: 'k',
    cache: new EraCache({ get: () => undefined, set: () => undefined, delete: () => undefined, ...part }),
  });

  it('may take its time', () => {
    const terms = storing({ get: () => timer(70).pipe(map(() => ({ era: 'legacy' as const }))) });
    expect(negotiate([LEGACY], terms).trace[0]).toBe('70 #1 initialize 2025-11-25');
  });

  it.each<[string, EraStore['get']]>([
    ['never', () => NEVER],
    ['late', () => timer(1_001).pipe(map(() => ({ era: 'legacy' as const })))],
  ])('is not waited for longer than a second, where it answers %s', (_how, get) => {
    const { trace } = negotiate([MODERN], storing({ get }));
    expect(trace).toEqual(['1000 #1 server/discover 2026-07-28', '1010 #1 ready modern 2026-07-28']);
  });

  it('may answer with Promises', async () => {
    const written: unknown[] = [];
    const terms = storing({
      get: () => Promise.resolve({ era: 'legacy' }),
      set: (...entry) => Promise.resolve(written.push(entry)),
    });
    const one = negotiation([server({ initialize: initialized() }), server({ discover: discovered() })], terms);
    await firstValueFrom(one.negotiator.open());
    expect(one.trace[0]).toMatch(/initialize 2025-11-25$/);
    const silentStore = storing({ get: () => Promise.resolve(undefined), set: (...entry) => written.push(entry) });
    await firstValueFrom(negotiation([server({ discover: discovered() })], silentStore).negotiator.open());
    expect(written).toEqual([['k', { era: 'modern' }]]);
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('disk');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk'))],
  ])('fails no connection when it %s', async (_how, work) => {
    const terms = storing({ get: work, set: work, delete: work });
    const one = negotiation([server({ discover: discovered() })], terms);
    const { agreement } = await firstValueFrom(one.negotiator.open());
    expect(agreement.server.era).toBe('modern');
  });

  it.each([null, {}, 'legacy', { era: 'medieval' }, { era: null }, 7])(
    'knows nothing where it has nonsense: %j',
    (junk) => {
      const terms = storing({ get: () => of(junk as unknown as EraVerdict) });
      expect(negotiate([MODERN], terms).trace).toEqual([PROBE, '10 #1 ready modern 2026-07-28']);
    },
  );
});
