import { describe, expect, it } from '@jest/globals';
import { renegotiated } from '../../src/client/renegotiate.js';
import { resolveOptions, type Settings } from '../../src/client/options.js';
import { ProtocolError } from '../../src/index.js';
import type { Life } from '../../src/protocol/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { metaOf, methodsOf, sentTo } from '../support/client/scripted.js';
import { watch } from '../support/client/watch.js';

const refused = (supported: unknown): ProtocolError =>
  new ProtocolError(-32022, 'unsupported', { requested: '2026-07-28', supported });

describe('a refusal of the version of a request', () => {
  it('is answered by the same request at a version the server names, once, under a new id', () => {
    let asked = 0;
    const server = scriptedTransport({
      'tools/call': () =>
        (asked += 1) === 1 ? scriptedTransport.error(-32022, 'no', { supported: ['2026-07-28'] }) : { content: [] },
    });
    const seen = watch(connect(server).callTool('t', { a: 1 }));
    expect(seen.completed).toBe(true);
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/call', 'tools/call']);
    const [first, second] = sentTo(server, 'tools/call');
    expect([first?.id, second?.id]).toEqual([2, 3]);
    expect(second?.params).toEqual(first?.params);
    expect(metaOf(server, 'tools/call', 1)).toHaveProperty(['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  });

  it('that comes a second time is raised', () => {
    const server = scriptedTransport({
      'tools/call': scriptedTransport.error(-32022, 'no', { supported: ['2026-07-28'] }),
    });
    const seen = watch(connect(server).callTool('t'));
    expect(seen.error).toMatchObject({ name: 'ProtocolError', code: -32022 });
    expect(sentTo(server, 'tools/call')).toHaveLength(2);
  });

  it.each([[undefined], [[]], ['2026-07-28'], [['2030-01-01']], [[1, null]]])(
    'that names %j, nothing of which is spoken here, is raised at once',
    (supported) => {
      const server = scriptedTransport({ 'tools/call': scriptedTransport.error(-32022, 'no', { supported }) });
      const seen = watch(connect(server).callTool('t'));
      expect(seen.error).toMatchObject({ name: 'ProtocolError', code: -32022 });
      expect(sentTo(server, 'tools/call')).toHaveLength(1);
    },
  );

  it('of a legacy server is an error like any other', () => {
    const refusal = scriptedTransport.error(-32022, 'no', { supported: ['2026-07-28'] });
    const server = scriptedTransport({ 'tools/call': refusal }, { era: 'legacy' });
    const seen = watch(connect(server, { era: 'legacy' }).callTool('t'));
    expect(seen.error).toMatchObject({ name: 'ProtocolError', code: -32022 });
    expect(sentTo(server, 'tools/call')).toHaveLength(1);
  });
});

describe('renegotiated()', () => {
  const settings = (...protocolVersions: string[]): Settings => ({ ...resolveOptions({}, 'all'), protocolVersions });
  const life = (era: 'modern' | 'legacy'): Life =>
    ({
      session: { name: 'same' },
      agreement: {
        declared: true,
        codec: { era, version: 'old' },
        server: { era, protocolVersion: 'old', supportedVersions: [], capabilities: { tools: {} } },
      },
    }) as unknown as Life;

  it('keeps the life, and takes the version we like best among those the server named', () => {
    const before = life('modern');
    const after = renegotiated(before, refused(['b', 'c']), settings('a', 'c', 'b'));
    expect(after?.session).toBe(before.session);
    expect(after?.agreement.codec.version).toBe('c');
    expect(after?.agreement.server).toEqual({
      era: 'modern',
      protocolVersion: 'c',
      supportedVersions: ['b', 'c'],
      capabilities: { tools: {} },
    });
    expect(before.agreement.server.protocolVersion).toBe('old');
  });

  it('is nothing for any other reason, in the legacy era, and where no version is shared', () => {
    expect(
      renegotiated(life('modern'), new ProtocolError(-32602, 'no', { supported: ['a'] }), settings('a')),
    ).toBeUndefined();
    expect(renegotiated(life('modern'), new Error('no'), settings('a'))).toBeUndefined();
    expect(renegotiated(life('legacy'), refused(['a']), settings('a'))).toBeUndefined();
    expect(renegotiated(life('modern'), refused(['b']), settings('a'))).toBeUndefined();
  });
});
