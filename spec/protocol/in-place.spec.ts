import { describe, expect, it } from '@jest/globals';
import type { ScriptedTransport } from '../../src/testing/index.js';
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
  silence,
  verbatim,
  virtually,
} from '../support/negotiation.js';

const BOTH = ['2027-03-15', '2026-07-28'];

/** The trace of one life whose openings are answered as given; `meanwhile` may do more to it. */
const traceOf = (
  opening: { readonly discover?: unknown; readonly initialize?: unknown },
  terms: Parameters<typeof negotiate>[1] = {},
  meanwhile: (made: () => ScriptedTransport) => void = () => undefined,
) => {
  let made: ScriptedTransport | undefined;
  const one = negotiation([server(opening, (server) => (made = server))], terms);
  virtually(() => {
    one.open();
    meanwhile(() => made as ScriptedTransport);
  });
  return one;
};

const PROBE = '0 #1 server/discover 2026-07-28';

/** What a client does that goes legacy at a moment, and is answered at another. */
const legacyAt = (sent: number, answered = sent, version = '2025-11-25'): string[] => [
  `${sent} #1 initialize 2025-11-25`,
  `${answered} #1 notifications/initialized`,
  `${answered} #1 ready legacy ${version}`,
];

describe('a modern server is opened by the probe alone', () => {
  it('at the version it answers with', () => {
    const { trace, ready } = traceOf({ discover: after(30, discovered()), initialize: after(0, initialized()) });
    expect(trace).toEqual([PROBE, '30 #1 ready modern 2026-07-28']);
    expect(ready[0]?.agreement).toMatchObject({ declared: true, server: { info: { name: 'modern' } } });
  });

  it('when it answers within its sending', () => {
    expect(traceOf({ discover: discovered() }).trace).toEqual([PROBE, '0 #1 ready modern 2026-07-28']);
  });

  it('at the last moment of its time', () => {
    expect(traceOf({ discover: after(4_999, discovered()) }).trace).toEqual([PROBE, '4999 #1 ready modern 2026-07-28']);
  });

  it.each<[string, readonly string[], string]>([
    ['both', ['2026-07-28', '2027-03-15'], '2027-03-15'],
    ['only the second', ['2026-07-28'], '2026-07-28'],
    ['legacy ones as well', ['2025-11-25', '2026-07-28'], '2026-07-28'],
    ['unknown ones as well', ['2099-01-01', '2026-07-28'], '2026-07-28'],
  ])('at the version we prefer, where it names %s', (_what, named, version) => {
    expect(traceOf({ discover: discovered(named) }, { protocolVersions: BOTH }).trace).toEqual([
      '0 #1 server/discover 2027-03-15',
      `0 #1 ready modern ${version}`,
    ]);
  });

  it.each([-32020, -32021])('where it answers %p, which no other server does', (code) => {
    const { trace, ready } = traceOf({ discover: after(10, error(code, 'no')), initialize: after(0, initialized()) });
    expect(trace).toEqual([PROBE, '10 #1 ready modern 2026-07-28']);
    expect(ready[0]?.agreement.declared).toBe(false);
  });

  it('and its requests are answered no more', () => {
    const { trace, warnings } = traceOf({ discover: discovered() }, {}, (made) => {
      at(10, () => {
        push(made(), { id: 1, method: 'ping' });
      });
    });
    expect(trace).toEqual([PROBE, '0 #1 ready modern 2026-07-28']);
    expect(warnings).toMatchObject([{ kind: 'unexpected-request' }]);
  });
});

describe('a server that refuses the version', () => {
  it('is probed again at a version it names, and opened', () => {
    let asked = 0;
    const { trace } = traceOf(
      { discover: () => (asked++ === 0 ? refused(['2026-07-28']) : after(20, discovered(['2026-07-28']))) },
      { protocolVersions: BOTH },
    );
    expect(trace).toEqual([
      '0 #1 server/discover 2027-03-15',
      '0 #1 server/discover 2026-07-28',
      '20 #1 ready modern 2026-07-28',
    ]);
  });

  it('though it names that very version is asked once more at it, and opened', () => {
    let asked = 0;
    const { trace } = traceOf({ discover: () => (asked++ === 0 ? refused(['2026-07-28']) : discovered()) });
    expect(trace).toEqual([PROBE, PROBE, '0 #1 ready modern 2026-07-28']);
  });

  it('twice is given up', () => {
    const { trace, errors } = traceOf({ discover: refused(['2026-07-28']), initialize: after(0, initialized()) });
    expect(trace).toEqual([PROBE, PROBE, '0 #1 closed', '0 #1 UnsupportedVersionError']);
    expect(errors).toMatchObject([{ requested: ['2026-07-28'], supported: ['2026-07-28'] }]);
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'and names only the legacy version %s is asked to initialize',
    (version) => {
      const { trace } = traceOf({ discover: refused([version]), initialize: after(0, initialized(version)) });
      expect(trace).toEqual([PROBE, ...legacyAt(0, 0, version)]);
    },
  );

  it.each([[undefined], [[]], ['2026-07-28'], [[7]], [['2099-01-01']], [['2024-10-07']]])(
    'and names none that we speak shares no version with us: %j',
    (supported) => {
      const { trace, errors } = traceOf({ discover: refused(supported), initialize: after(0, initialized()) });
      expect(trace).toEqual([PROBE, '0 #1 closed', '0 #1 UnsupportedVersionError']);
      expect(errors).toMatchObject([
        { requested: ['2026-07-28'], supported: Array.isArray(supported) && supported[0] !== 7 ? supported : [] },
      ]);
    },
  );
});

describe('a server whose DiscoverResult names no modern version that we speak', () => {
  it('is asked to initialize where it names a legacy one', () => {
    expect(
      traceOf({ discover: discovered(['2099-01-01', '2025-06-18']), initialize: after(0, initialized('2025-06-18')) })
        .trace,
    ).toEqual([PROBE, ...legacyAt(0, 0, '2025-06-18')]);
  });

  it('shares no version with us where it names no legacy one either', () => {
    const { trace, errors } = traceOf({ discover: discovered(['2099-01-01']), initialize: after(0, initialized()) });
    expect(trace).toEqual([PROBE, '0 #1 closed', '0 #1 UnsupportedVersionError']);
    expect(errors).toMatchObject([{ requested: ['2026-07-28'], supported: ['2099-01-01'] }]);
  });
});

describe('a legacy server is asked to initialize', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('and speaks %s from then on', (version) => {
    const { trace, ready } = traceOf({ initialize: after(20, initialized(version)) });
    expect(trace).toEqual([PROBE, ...legacyAt(0, 20, version)]);
    expect(ready[0]?.agreement.codec).toMatchObject({ era: 'legacy', version });
  });

  it('and is taken for a legacy one though it echoes whatever version it is offered', () => {
    const { trace } = traceOf({
      discover: ({ _meta }: { _meta: object }) => ({ echo: _meta }),
      initialize: ({ protocolVersion }: { protocolVersion: string }) => after(0, initialized(protocolVersion)),
    });
    expect(trace).toEqual([PROBE, ...legacyAt(0)]);
  });

  it.each([0, 1, -1, -32000, -32001, -32002, -32600, -32601, -32602, -32603, -32700])(
    'when it answers the probe with the error %p',
    (code) => {
      expect(traceOf({ discover: after(40, error(code, 'no')), initialize: after(0, initialized()) }).trace).toEqual([
        PROBE,
        ...legacyAt(40),
      ]);
    },
  );

  it.each([[{}], [{ supportedVersions: [] }], [[]], [null], ['ok'], [{ tools: [] }]])(
    'when it answers the probe with a result that is no DiscoverResult: %j',
    (result) => {
      expect(traceOf({ discover: verbatim(result), initialize: after(0, initialized()) }).trace).toEqual([
        PROBE,
        ...legacyAt(0),
      ]);
    },
  );

  it('and its refusal is the end where the probe was no use either', () => {
    const { trace, errors } = traceOf({ initialize: error(-32603, 'broken') });
    expect(trace).toEqual([PROBE, '0 #1 initialize 2025-11-25', '0 #1 closed', '0 #1 ProtocolError']);
    expect(errors).toMatchObject([{ code: -32603, message: 'broken' }]);
  });

  it('and an answer at a version that we do not speak is the end', () => {
    const { trace, errors } = traceOf({ initialize: after(0, initialized('2024-10-07')) });
    expect(trace).toEqual([PROBE, '0 #1 initialize 2025-11-25', '0 #1 closed', '0 #1 UnsupportedVersionError']);
    expect(errors).toMatchObject([{ requested: ['2025-11-25'], supported: ['2024-10-07'] }]);
  });

  it('and its own requests are answered from then on', () => {
    const { trace } = traceOf({ initialize: after(0, initialized()) }, {}, (made) => {
      at(10, () => {
        push(made(), { id: 's', method: 'ping' });
      });
    });
    expect(trace).toEqual([PROBE, ...legacyAt(0), '10 #1 answer "s" ok']);
  });
});

describe('silence', () => {
  it('leads to initialize after the time of the probe, and cancels nothing', () => {
    const { trace } = traceOf({ discover: silence, initialize: after(30, initialized()) });
    expect(trace).toEqual([PROBE, ...legacyAt(5_000, 5_030)]);
  });

  it('lasts as long as the probe may take', () => {
    const { trace } = traceOf({ discover: silence, initialize: after(0, initialized()) }, { probeTimeoutMs: 250 });
    expect(trace).toEqual([PROBE, ...legacyAt(250)]);
  });

  it("leaves the probe's id open: whatever answers it late is no warning", () => {
    for (const answer of [discovered(), error(-32601, 'no'), verbatim({})]) {
      const { trace, warnings } = traceOf({ discover: after(20_000, answer), initialize: after(0, initialized()) });
      expect(trace).toEqual([PROBE, ...legacyAt(5_000)]);
      expect(warnings).toEqual([]);
    }
  });

  it('to initialize has no end but that of the wire', () => {
    const { trace } = traceOf({ discover: silence, initialize: silence }, {}, (made) => {
      at(3_600_000, () => {
        made().die();
      });
    });
    expect(trace[1]).toBe('5000 #1 initialize 2025-11-25');
    expect(trace[2]).toMatch(/^3600000 /);
  });
});

describe('a late DiscoverResult', () => {
  it('means modern when initialize is refused after it', () => {
    const { trace } = traceOf({ discover: after(6_000, discovered()), initialize: after(2_000, error(-32601, 'no')) });
    expect(trace).toEqual([PROBE, '5000 #1 initialize 2025-11-25', '7000 #1 ready modern 2026-07-28']);
  });

  it('means modern when initialize was refused before it', () => {
    const { trace } = traceOf({ discover: after(6_000, discovered()), initialize: error(-32601, 'no') });
    expect(trace).toEqual([PROBE, '5000 #1 initialize 2025-11-25', '6000 #1 ready modern 2026-07-28']);
  });

  it('is waited for as long as the probe might take, after a refusal', () => {
    const refusing = { initialize: after(1_000, error(-32601, 'no')) };
    expect(traceOf({ discover: after(10_999, discovered()), ...refusing }).trace[2]).toBe(
      '10999 #1 ready modern 2026-07-28',
    );
    const { trace, errors } = traceOf({ discover: after(11_001, discovered()), ...refusing });
    expect(trace.slice(2)).toEqual(['11000 #1 closed', '11000 #1 ProtocolError']);
    expect(errors).toMatchObject([{ code: -32601 }]);
  });

  it('means legacy when initialize succeeds as well, whichever is first', () => {
    expect(traceOf({ discover: after(5_010, discovered()), initialize: after(20, initialized()) }).trace).toEqual([
      PROBE,
      ...legacyAt(5_000, 5_020),
    ]);
    expect(traceOf({ discover: after(5_030, discovered()), initialize: after(20, initialized()) }).trace).toEqual([
      PROBE,
      ...legacyAt(5_000, 5_020),
    ]);
  });

  it('means modern when initialize is left unanswered for the time of another probe', () => {
    const { trace, warnings } = traceOf({
      discover: after(6_000, discovered()),
      initialize: after(9_000, initialized()),
    });
    expect(trace).toEqual([PROBE, '5000 #1 initialize 2025-11-25', '11000 #1 ready modern 2026-07-28']);
    expect(warnings).toEqual([]);
  });

  it('that names only legacy versions leaves the word to initialize', () => {
    const late = after(6_000, discovered(['2025-06-18']));
    expect(traceOf({ discover: late, initialize: after(2_000, initialized()) }).trace).toEqual([
      PROBE,
      ...legacyAt(5_000, 7_000),
    ]);
    expect(traceOf({ discover: late, initialize: after(2_000, error(-32603, 'no')) }).errors).toMatchObject([
      { code: -32603 },
    ]);
  });

  it('keeps nothing from being answered that the server asks before its answer to initialize', () => {
    const opening = { discover: after(5_010, discovered()), initialize: after(30, initialized()) };
    const { trace } = traceOf(opening, {}, (made) => {
      at(5_020, () => {
        push(made(), { id: 's', method: 'ping' });
      });
    });
    expect(trace).toEqual([
      PROBE,
      '5000 #1 initialize 2025-11-25',
      '5020 #1 answer "s" ok',
      ...legacyAt(5_000, 5_030).slice(1),
    ]);
  });
});

describe('a late error', () => {
  it.each([-32020, -32021])('%p means modern when initialize is refused', (code) => {
    const { trace } = traceOf({
      discover: after(6_000, error(code, 'no')),
      initialize: after(10, error(-32601, 'no')),
    });
    expect(trace[2]).toBe('6000 #1 ready modern 2026-07-28');
  });

  it('of another kind means nothing: the refusal of initialize is the end, at once', () => {
    const { trace, errors } = traceOf({
      discover: after(6_000, error(-32601, 'a')),
      initialize: after(1_500, error(-32600, 'b')),
    });
    expect(trace.slice(2)).toEqual(['6500 #1 closed', '6500 #1 ProtocolError']);
    expect(errors).toMatchObject([{ code: -32600 }]);
  });

  it('that refuses the version asks again once, however the handshake goes on', () => {
    let asked = 0;
    const { trace } = traceOf({
      discover: () => (asked++ === 0 ? after(6_000, refused(['2026-07-28'])) : after(10, discovered())),
      initialize: after(2_000, error(-32601, 'no')),
    });
    expect(trace).toEqual([
      PROBE,
      '5000 #1 initialize 2025-11-25',
      '6000 #1 server/discover 2026-07-28',
      '7000 #1 ready modern 2026-07-28',
    ]);
  });

  it('that shares no version with us leaves the word to initialize', () => {
    const late = after(6_000, refused([]));
    expect(traceOf({ discover: late, initialize: after(2_000, initialized()) }).trace).toEqual([
      PROBE,
      ...legacyAt(5_000, 7_000),
    ]);
    const { trace, errors } = traceOf({ discover: late, initialize: after(2_000, error(-32601, 'no')) });
    expect(trace.slice(2)).toEqual(['7000 #1 closed', '7000 #1 UnsupportedVersionError']);
    expect(errors).toMatchObject([{ requested: ['2026-07-28'], supported: [] }]);
  });

  it('that shares no version with us is the end when initialize stays unanswered for the time of another probe', () => {
    const { trace } = traceOf({ discover: after(6_000, refused(['2099-01-01'])), initialize: silence });
    expect(trace.slice(2)).toEqual(['11000 #1 closed', '11000 #1 UnsupportedVersionError']);
  });
});

describe('initialize that is refused by -32022', () => {
  it('leads to the modern version it names', () => {
    let asked = 0;
    const { trace } = traceOf({
      discover: () => (asked++ === 0 ? error(-32603, 'not yet') : discovered()),
      initialize: refused(['2026-07-28']),
    });
    expect(trace).toEqual([PROBE, '0 #1 initialize 2025-11-25', PROBE, '0 #1 ready modern 2026-07-28']);
  });

  it('is the end where it names none that we speak', () => {
    const { trace, errors } = traceOf({ initialize: refused(['2099-01-01']) });
    expect(trace.slice(2)).toEqual(['0 #1 closed', '0 #1 UnsupportedVersionError']);
    expect(errors).toMatchObject([{ supported: ['2099-01-01'] }]);
  });

  it('is the end where it names only a legacy version, which it was asked for', () => {
    const { trace } = traceOf({ initialize: refused(['2025-11-25']) });
    expect(trace.slice(2)).toEqual(['0 #1 closed', '0 #1 UnsupportedVersionError']);
  });
});

describe('an error that belongs to nobody is the answer to the probe', () => {
  it.each<[string, object]>([
    ['under another id', { id: 'server-made' }],
    ['under the text of its id', { id: '1' }],
    ['under null', { id: null }],
    ['without an id', {}],
  ])('%s: initialize is sent at once', (_what, id) => {
    const { trace, warnings } = traceOf({ discover: silence, initialize: after(0, initialized()) }, {}, (made) => {
      at(30, () => {
        push(made(), { ...id, error: { code: -32601, message: 'no' } });
      });
    });
    expect(trace).toEqual([PROBE, ...legacyAt(30)]);
    expect(warnings).toEqual([]);
  });

  it('when it arrives within the sending of the probe as well', () => {
    let made: ScriptedTransport | undefined;
    const opening = {
      discover: () => {
        push(made as ScriptedTransport, { id: 'mangled', error: { code: -32601, message: 'no' } });
        return silence;
      },
      initialize: after(0, initialized()),
    };
    const { trace, warnings } = negotiate([server(opening, (server) => (made = server))]);
    expect(trace).toEqual([PROBE, ...legacyAt(0)]);
    expect(warnings).toEqual([]);
  });

  it('with what it says: a refusal of the version is read', () => {
    let asked = 0;
    const { trace } = traceOf({ discover: () => (asked++ === 0 ? silence : discovered()) }, {}, (made) => {
      at(30, () => {
        push(made(), { error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } } });
      });
    });
    expect(trace).toEqual([PROBE, '30 #1 server/discover 2026-07-28', '30 #1 ready modern 2026-07-28']);
  });

  it('and no more than that: a later one is a warning', () => {
    const { trace, warnings } = traceOf({ discover: silence, initialize: after(50, initialized()) }, {}, (made) => {
      for (const ms of [10, 20]) {
        at(ms, () => {
          push(made(), { id: 'x', error: { code: -32601, message: 'no' } });
        });
      }
    });
    expect(trace).toEqual([PROBE, ...legacyAt(10, 60)]);
    expect(warnings).toMatchObject([{ kind: 'unmatched-answer' }]);
  });

  it('and none where the probe has its own in the same breath: it is a warning', () => {
    let made: ScriptedTransport | undefined;
    const opening = {
      initialize: () => {
        push(made as ScriptedTransport, { id: 'x', error: { code: -32601, message: 'no' } });
        return after(0, initialized());
      },
    };
    const { trace, warnings } = negotiate([server(opening, (server) => (made = server))]);
    expect(trace).toEqual([PROBE, ...legacyAt(0)]);
    expect(warnings).toMatchObject([{ kind: 'unmatched-answer' }]);
  });

  it('but a result that belongs to nobody is not', () => {
    const { trace, warnings } = traceOf({ discover: silence, initialize: after(0, initialized()) }, {}, (made) => {
      at(30, () => {
        push(made(), { id: '1', result: discovered() });
      });
    });
    expect(trace).toEqual([PROBE, ...legacyAt(5_000)]);
    expect(warnings).toMatchObject([{ kind: 'unmatched-answer' }]);
  });
});

describe('a request of the server during the probe', () => {
  it('proves a legacy server, and is answered', () => {
    const { trace, warnings } = traceOf({ discover: silence, initialize: after(20, initialized()) }, {}, (made) => {
      at(30, () => {
        push(made(), { id: 's', method: 'ping' });
      });
    });
    expect(trace.slice(0, 3).sort()).toEqual([PROBE, '30 #1 initialize 2025-11-25', '30 #1 answer "s" ok'].sort());
    expect(trace.slice(3)).toEqual(legacyAt(30, 50).slice(1));
    expect(warnings).toEqual([]);
  });

  it('does so when it arrives within the sending of the probe as well', () => {
    let made: ScriptedTransport | undefined;
    const opening = {
      discover: () => {
        push(made as ScriptedTransport, { id: 's', method: 'ping' });
        return silence;
      },
      initialize: after(0, initialized()),
    };
    const { trace } = negotiate([server(opening, (server) => (made = server))]);
    expect(trace).toContain('0 #1 answer "s" ok');
    expect(trace).toContain('0 #1 ready legacy 2025-11-25');
  });

  it('and a notification, a banner or a log proves nothing', () => {
    const { trace, warnings } = traceOf({ discover: after(100, discovered()) }, {}, (made) => {
      at(30, () => {
        push(made(), { method: 'notifications/message', params: { level: 'info', data: 'up' } });
        made().pushRaw('Server listening on stdio');
      });
    });
    expect(trace).toEqual([PROBE, '100 #1 ready modern 2026-07-28']);
    expect(warnings).toMatchObject([{ kind: 'invalid-message' }]);
  });
});
