import { describe, expect, it } from '@jest/globals';
import {
  InvalidMessageError,
  ProtocolError,
  ServerGoneError,
  UnsupportedVersionError,
} from '../../src/errors/index.js';
import type { Agreement } from '../../src/protocol/index.js';
import { initialize } from '../../src/protocol/handshake.js';
import type { Session } from '../../src/session/index.js';
import {
  after,
  at,
  error,
  initialized,
  sentTo,
  server,
  sessionOn,
  silence,
  TERMS,
  virtually,
} from '../support/negotiation.js';

const { identity } = TERMS;

const outcomeOf = (session: Session): unknown[] => {
  const seen: unknown[] = [];
  initialize(session, identity).subscribe({
    next: (agreement) => seen.push(agreement),
    error: (reason: unknown) => seen.push(reason),
    complete: () => seen.push('|'),
  });
  return seen;
};

describe('initialize', () => {
  it('offers the latest legacy revision, with who the client is and what it can do, and then says that it is ready', () => {
    const { session, made } = sessionOn(server({ initialize: initialized() }));
    outcomeOf(session);
    expect(made.sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', clientInfo: { name: 'spec', version: '1.0.0' }, capabilities: {} },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ]);
  });

  it('declares what is for legacy servers alone, where there is such a thing', () => {
    const { session, made } = sessionOn(server({ initialize: initialized() }));
    const legacyCapabilities = { roots: { listChanged: true } };
    initialize(session, { ...identity, capabilities: { roots: {} }, legacyCapabilities }).subscribe();
    expect(made.sent[0]).toMatchObject({ params: { capabilities: legacyCapabilities } });
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'agrees on %s where the server answers with it, and completes',
    (version) => {
      const { session } = sessionOn(server({ initialize: initialized(version) }));
      const [agreement, end] = outcomeOf(session);
      expect((agreement as Agreement).server).toEqual({
        era: 'legacy',
        protocolVersion: version,
        supportedVersions: [],
        info: { name: 'legacy', version: '1' },
        capabilities: { tools: {} },
        instructions: undefined,
      });
      expect((agreement as Agreement).codec.version).toBe(version);
      expect((agreement as Agreement).declared).toBe(true);
      expect(end).toBe('|');
    },
  );

  it.each(['2026-07-28', '2024-10-07', '2.0', ''])(
    'errors where the server answers with a version that is not spoken: %j, and does not say that it is ready',
    (version) => {
      const { session, made } = sessionOn(server({ initialize: initialized(version) }));
      const [reason] = outcomeOf(session);
      expect(reason).toBeInstanceOf(UnsupportedVersionError);
      expect(reason).toMatchObject({ requested: ['2025-11-25'], supported: [version] });
      expect(sentTo(made)).toEqual(['initialize 2025-11-25']);
    },
  );

  it.each([{}, { capabilities: {} }, { protocolVersion: 2 }])(
    'errors where the answer names no version: %j',
    (answer) => {
      const { session, made } = sessionOn(server({ initialize: answer }));
      expect(outcomeOf(session)).toEqual([new InvalidMessageError('initialize', 1, 'it names no protocol version')]);
      expect(sentTo(made)).toEqual(['initialize 2025-11-25']);
    },
  );

  it("errors with the server's refusal, verbatim", () => {
    const { session } = sessionOn(server({ initialize: error(-32602, 'no', { a: 1 }) }));
    const [reason] = outcomeOf(session);
    expect(reason).toBeInstanceOf(ProtocolError);
    expect(reason).toMatchObject({ code: -32602, message: 'no', data: { a: 1 } });
  });

  it('errors with what ended the wire', () => {
    virtually(() => {
      const gone = new ServerGoneError(1, null, 'server', '');
      const { session, made } = sessionOn(server({ initialize: silence }));
      const seen = outcomeOf(session);
      at(10, () => {
        made.die(gone);
        expect(seen).toEqual([gone]);
      });
    });
  });

  it('has no clock of its own', () => {
    virtually(() => {
      const { session } = sessionOn(server({ initialize: after(86_400_000, initialized()) }));
      const seen = outcomeOf(session);
      at(86_399_999, () => {
        expect(seen).toEqual([]);
      });
      at(86_400_001, () => {
        expect(seen).toHaveLength(2);
      });
    });
  });

  it('tells the server nothing when it is left, and its late answer passes in silence', () => {
    virtually(() => {
      const { session, made, warnings } = sessionOn(server({ initialize: after(20, initialized()) }));
      const leaving = initialize(session, identity).subscribe();
      at(10, () => {
        leaving.unsubscribe();
      });
      at(30, () => {
        expect(sentTo(made)).toEqual(['initialize 2025-11-25']);
        expect(warnings).toEqual([]);
      });
    });
  });
});
