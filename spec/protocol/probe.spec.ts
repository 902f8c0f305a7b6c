import { describe, expect, it } from '@jest/globals';
import { throwError } from 'rxjs';
import {
  InvalidMessageError,
  MessageTooLargeError,
  ProtocolError,
  ServerGoneError,
  TransportClosedError,
} from '../../src/errors/index.js';
import { discover, type Finding } from '../../src/protocol/probe.js';
import { hearsay } from '../../src/protocol/hearsay.js';
import { Channels } from '../../src/session/index.js';
import { Session } from '../../src/session/session.js';
import { HandTransport } from '../support/hand-transport.js';
import {
  discovered,
  error,
  push,
  sentTo,
  server,
  sessionOn,
  silence,
  TERMS,
  verbatim,
} from '../support/negotiation.js';

const { identity } = TERMS;

const watch = (session: Session): unknown[] => {
  const seen: unknown[] = [];
  discover(session, '2026-07-28', identity).subscribe({
    next: (finding) => seen.push(finding),
    error: (reason: unknown) => seen.push(reason),
    complete: () => seen.push('|'),
  });
  return seen;
};

const findingOf = (answer: unknown): Finding => {
  const seen = watch(sessionOn(server({ discover: answer })).session);
  expect(seen[1]).toBe('|');
  return seen[0] as Finding;
};

describe('discover', () => {
  it('asks at the version it is given, with the envelope of that version', () => {
    const { session, made } = sessionOn(server({ discover: discovered() }));
    watch(session);
    expect(made.sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'server/discover',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1.0.0' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    ]);
  });

  it('finds what a DiscoverResult says', () => {
    expect(findingOf(discovered(['2026-07-28', '2025-11-25']))).toEqual({
      kind: 'discovered',
      self: {
        supportedVersions: ['2026-07-28', '2025-11-25'],
        capabilities: { tools: {} },
        info: { name: 'modern', version: '1' },
        instructions: undefined,
      },
    });
  });

  it.each([
    [{ supported: ['2027-01-01'] }, ['2027-01-01']],
    [{ supported: [] }, []],
    [{ supported: 'x' }, []],
    [undefined, []],
  ])('finds the versions that a refusal names: %j', (data, supported) => {
    expect(findingOf(error(-32022, 'no', data))).toEqual({ kind: 'refused', supported });
  });

  it.each([-32020, -32021])('finds that only a modern server sends the error %p', (code) => {
    expect(findingOf(error(code, 'no', { requiredCapabilities: {} }))).toEqual({ kind: 'modern' });
  });

  it.each([0, -1, 1, -32000, -32001, -32002, -32019, -32023, -32600, -32601, -32602, -32603, -32700])(
    'finds nothing in the error %p, whatever it means',
    (code) => {
      const finding = findingOf(error(code, 'no', { supported: ['2026-07-28'] }));
      expect(finding).toEqual({ kind: 'other', reason: new ProtocolError(code, 'no') });
    },
  );

  it.each([{}, [], null, 'ok', { supportedVersions: [] }, { protocolVersion: '2026-07-28' }])(
    'finds nothing in a result that is no DiscoverResult: %j',
    (result) => {
      expect(findingOf(verbatim(result))).toEqual({
        kind: 'other',
        reason: new InvalidMessageError('server/discover', undefined, 'it is no DiscoverResult'),
      });
    },
  );

  it('finds nothing in an answer that is none', () => {
    const { session, made } = sessionOn(server({ discover: silence }));
    const seen = watch(session);
    push(made, { id: 1, result: {}, error: { code: 1, message: '' } });
    expect(seen).toEqual([{ kind: 'other', reason: expect.any(InvalidMessageError) }, '|']);
  });

  it('errors with what ended the wire, which is no evidence', () => {
    const gone = new ServerGoneError(1, null, 'server', '');
    const { session, made } = sessionOn(server({ discover: silence }));
    const seen = watch(session);
    made.die(gone);
    expect(seen).toEqual([gone]);
  });

  it('errors even where a wire ends with what looks like an answer', () => {
    const reason = new ProtocolError(-32022, 'no', { supported: ['2025-11-25'] });
    const { session, made } = sessionOn(server({ discover: silence }));
    const seen = watch(session);
    made.die(reason);
    expect(seen).toEqual([reason]);
  });

  it('errors with what kept it from being sent, which is no evidence either', () => {
    const wire = new HandTransport();
    wire.delivering = () => throwError(() => new TransportClosedError());
    expect(watch(new Session(wire, new Channels()))).toEqual([new TransportClosedError()]);
  });

  it('errors with an answer that is too large to be read', () => {
    const wire = new HandTransport();
    const seen = watch(new Session(wire, new Channels()));
    const tooLarge = new MessageTooLargeError(100, 10);
    wire.inbox.next({ invalid: 'too large', excerpt: '', id: 1, error: tooLarge });
    expect(seen).toEqual([tooLarge]);
  });

  it('tells the server nothing when it is left', () => {
    const { session, made } = sessionOn(server({ discover: silence }));
    discover(session, '2026-07-28', identity).subscribe().unsubscribe();
    expect(sentTo(made)).toEqual(['server/discover 2026-07-28']);
  });
});

describe('hearsay', () => {
  const listening = (findings: unknown[] = []) => {
    const { session, made, warnings } = sessionOn(server({}));
    const subscription = hearsay(session).subscribe((finding) => findings.push(finding));
    return { made, warnings, findings, subscription };
  };

  it('takes an error under an id that nobody has for the answer', () => {
    const { made, warnings, findings } = listening();
    push(made, { id: 'mangled', error: { code: -32601, message: 'no' } });
    push(made, { id: 99, error: { code: -32022, message: 'no', data: { supported: ['a'] } } });
    push(made, { id: 0, error: { code: -32020, message: 'no' } });
    expect(findings).toEqual([
      { kind: 'other', reason: new ProtocolError(-32601, 'no') },
      { kind: 'refused', supported: ['a'] },
      { kind: 'modern' },
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([{}, { id: null }, { id: 1.5 }])('takes an error without an id for it: %j', (id) => {
    const { made, warnings, findings } = listening();
    push(made, { ...id, error: { code: -32600, message: 'no' } });
    expect(findings).toEqual([{ kind: 'other', reason: new ProtocolError(-32600, 'no') }]);
    expect(warnings).toEqual([]);
  });

  it('takes a request for the sign of a legacy server, and leaves it to be answered', () => {
    const { made, findings } = listening();
    push(made, { id: 7, method: 'ping' });
    expect(findings).toEqual([{ kind: 'other', reason: undefined }]);
    expect(made.sent).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
  });

  it.each([
    ['a notification', { method: 'notifications/message', params: { level: 'info', data: 'x' } }, 0],
    ['a result under an id that nobody has', { id: 99, result: discovered() }, 1],
    ['what is no message', { id: 99 }, 1],
  ])('takes %s for no sign', (_what, message, count) => {
    const { made, warnings, findings } = listening();
    push(made, message);
    expect(findings).toEqual([]);
    expect(warnings).toHaveLength(count);
  });

  it('hears nothing any more once it is left', () => {
    const { made, warnings, findings, subscription } = listening();
    subscription.unsubscribe();
    push(made, { id: 99, error: { code: 1, message: 'no' } });
    expect(findings).toEqual([]);
    expect(warnings).toMatchObject([{ kind: 'unmatched-answer' }]);
  });
});
