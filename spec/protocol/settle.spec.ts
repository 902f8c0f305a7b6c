import { describe, expect, it } from '@jest/globals';
import { ProtocolError, UnsupportedVersionError } from '../../src/errors/index.js';
import type { Agreement } from '../../src/protocol/index.js';
import type { Finding } from '../../src/protocol/probe.js';
import { readDiscovered } from '../../src/protocol/schemas/handshake.js';
import { discoverOnly, type ModernTerms, settle } from '../../src/protocol/settle.js';
import { discovered, error, refused, sentTo, server, sessionOn, TERMS, verbatim } from '../support/negotiation.js';
import { unrecorded } from '../support/frames/unrecorded.js';

const { identity } = TERMS;

const TWO: ModernTerms = { identity, protocolVersions: ['2027-03-15', '2026-07-28'] };
const ONE: ModernTerms = { identity, protocolVersions: ['2026-07-28'] };

const saying = (supportedVersions: readonly string[]): Finding => {
  const self = readDiscovered(discovered(supportedVersions));
  if (self === undefined) throw new Error('no DiscoverResult');
  return { kind: 'discovered', self };
};

/** What comes of a finding, and what was sent for it. A second `server/discover` is answered with `second`. */
const outcome = (finding: Finding, terms: ModernTerms = ONE, second?: unknown) => {
  const { session, made } = sessionOn(server({ discover: second }));
  unrecorded(made);
  const seen: unknown[] = [];
  let agreement: Agreement | undefined;
  settle(session, finding, terms).subscribe({
    next: (verdict) => {
      agreement = 'legacy' in verdict ? undefined : verdict;
      seen.push('legacy' in verdict ? verdict : [verdict.server.era, verdict.server.protocolVersion]);
    },
    error: (reason: unknown) => seen.push(reason),
    complete: () => seen.push('|'),
  });
  return { seen, sent: sentTo(made), agreement };
};

const modernAt = (version: string): unknown[] => [['modern', version], '|'];
const legacy = (reason?: unknown): unknown[] => [{ legacy: true, reason }, '|'];
const none = (terms: ModernTerms, supported: readonly string[]): unknown[] => [
  expect.objectContaining({ name: 'UnsupportedVersionError', requested: terms.protocolVersions, supported }),
];

describe('a DiscoverResult is settled', () => {
  it.each<[string, ModernTerms, readonly string[], string]>([
    ['the one we speak', ONE, ['2026-07-28'], '2026-07-28'],
    ['the one we speak among others', ONE, ['2099-01-01', '2026-07-28', '2025-11-25'], '2026-07-28'],
    ['our preference, not its', TWO, ['2026-07-28', '2027-03-15'], '2027-03-15'],
    ['our second choice where it lacks the first', TWO, ['2099-01-01', '2026-07-28'], '2026-07-28'],
  ])('at a modern version: %s', (_what, terms, named, version) => {
    const { seen, sent } = outcome(saying(named), terms);
    expect(seen).toEqual(modernAt(version));
    expect(sent).toEqual([]);
  });

  it('with what the server said of itself', () => {
    expect(outcome(saying(['2026-07-28', '2025-11-25'])).agreement).toMatchObject({
      declared: true,
      codec: { era: 'modern', version: '2026-07-28' },
      server: {
        supportedVersions: ['2026-07-28', '2025-11-25'],
        info: { name: 'modern', version: '1' },
        capabilities: { tools: {} },
      },
    });
  });

  it.each([[['2025-11-25']], [['2024-11-05']], [['2099-01-01', '2025-06-18']]])(
    'by going legacy where it names only a legacy version that we speak: %j',
    (named) => {
      expect(outcome(saying(named)).seen).toEqual(legacy(new UnsupportedVersionError(['2026-07-28'], named)));
    },
  );

  it.each([[['2099-01-01']], [['2024-10-07']], [['']]])('by an error where it names none we speak: %j', (named) => {
    expect(outcome(saying(named)).seen).toEqual(none(ONE, named));
  });
});

describe('a refusal of the version is settled', () => {
  it('by asking again at the version we prefer among those it names', () => {
    const { seen, sent } = outcome(
      { kind: 'refused', supported: ['2099-01-01', '2026-07-28'] },
      TWO,
      discovered(['2026-07-28']),
    );
    expect(sent).toEqual(['server/discover 2026-07-28']);
    expect(seen).toEqual(modernAt('2026-07-28'));
  });

  it('by asking again at the very version that was refused, where it names that', () => {
    const { seen, sent } = outcome({ kind: 'refused', supported: ['2026-07-28'] }, ONE, discovered());
    expect(sent).toEqual(['server/discover 2026-07-28']);
    expect(seen).toEqual(modernAt('2026-07-28'));
  });

  it('by an error where the version is refused a second time: nobody asks a third', () => {
    const { seen, sent } = outcome({ kind: 'refused', supported: ['2026-07-28'] }, ONE, refused(['2026-07-28']));
    expect(sent).toEqual(['server/discover 2026-07-28']);
    expect(seen).toEqual(none(ONE, ['2026-07-28']));
  });

  it.each([[['2025-11-25']], [['2099-01-01', '2024-11-05']]])(
    'by going legacy where it names only a legacy version that we speak: %j',
    (supported) => {
      const { seen, sent } = outcome({ kind: 'refused', supported });
      expect(seen).toEqual(legacy(new UnsupportedVersionError(['2026-07-28'], supported)));
      expect(sent).toEqual([]);
    },
  );

  it.each([[[]], [['2099-01-01']], [['2024-10-07']]])('by an error where it names none we speak: %j', (supported) => {
    const { seen, sent } = outcome({ kind: 'refused', supported });
    expect(seen).toEqual(none(ONE, supported));
    expect(sent).toEqual([]);
  });

  it('as the second answer says, where that is another kind of answer', () => {
    const finding: Finding = { kind: 'refused', supported: ['2026-07-28'] };
    expect(outcome(finding, TWO, error(-32021, 'no')).seen).toEqual(modernAt('2026-07-28'));
    expect(outcome(finding, TWO, error(-32603, 'no')).seen).toEqual(legacy(new ProtocolError(-32603, 'no')));
  });
});

describe('an error that only a modern server sends is settled', () => {
  it('at the version that was asked for, with nothing declared', () => {
    expect(outcome({ kind: 'modern' }, TWO).agreement).toMatchObject({
      declared: false,
      server: { era: 'modern', protocolVersion: '2027-03-15', supportedVersions: [], capabilities: {} },
    });
  });
});

it('anything else is settled by going legacy', () => {
  const reason = new ProtocolError(0, 'no');
  expect(outcome({ kind: 'other', reason }).seen).toEqual(legacy(reason));
});

describe('discoverOnly', () => {
  const only = (answer: unknown, terms: ModernTerms = ONE) => {
    const { session, made } = sessionOn(server({ discover: answer, initialize: () => fail() }));
    unrecorded(made);
    const seen: unknown[] = [];
    discoverOnly(session, terms).subscribe({
      next: ({ server: { era, protocolVersion } }) => seen.push([era, protocolVersion]),
      error: (reason: unknown) => seen.push(reason),
      complete: () => seen.push('|'),
    });
    return { seen, sent: sentTo(made) };
  };
  const fail = (): never => {
    throw new Error('initialize was sent');
  };

  it('agrees on a modern version, and completes', () => {
    expect(only(discovered())).toEqual({
      seen: [['modern', '2026-07-28'], '|'],
      sent: ['server/discover 2026-07-28'],
    });
    expect(only(error(-32021, 'no')).seen).toEqual([['modern', '2026-07-28'], '|']);
    expect(only(discovered(['2026-07-28']), TWO)).toEqual({
      seen: [['modern', '2026-07-28'], '|'],
      sent: ['server/discover 2027-03-15'],
    });
  });

  it.each([
    ['an error', error(-32601, 'no'), []],
    ['a result that is none', verbatim({}), []],
    ['a list of legacy versions', discovered(['2025-11-25']), ['2025-11-25']],
    ['a refusal that names legacy versions', refused(['2025-11-25']), ['2025-11-25']],
    ['a refusal that names none', refused(), []],
  ])('never goes legacy: %s is an UnsupportedVersionError', (_what, answer, supported) => {
    const { seen, sent } = only(answer);
    expect(seen).toEqual(none(ONE, supported));
    expect(sent).toEqual(['server/discover 2026-07-28']);
  });
});
