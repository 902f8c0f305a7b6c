import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readDiscovered, supportedOf } from '../../../src/protocol/schemas/handshake.js';

const junk = fc.oneof(fc.jsonValue(), fc.anything());

describe('readDiscovered', () => {
  it('reads all that a server says of itself', () => {
    expect(
      readDiscovered({
        resultType: 'complete',
        supportedVersions: ['2026-07-28', '2025-11-25'],
        capabilities: { tools: {} },
        instructions: 'be kind',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '2' } },
        ttlMs: 0,
      }),
    ).toEqual({
      supportedVersions: ['2026-07-28', '2025-11-25'],
      capabilities: { tools: {} },
      info: { name: 's', version: '2' },
      instructions: 'be kind',
    });
  });

  it('needs nothing but the versions', () => {
    const nothing = { capabilities: {}, info: undefined, instructions: undefined };
    expect(readDiscovered({ supportedVersions: ['x'] })).toEqual({ supportedVersions: ['x'], ...nothing });
    for (const wrong of [null, [], 'text', 7]) {
      expect(
        readDiscovered({ supportedVersions: ['x'], capabilities: wrong, serverInfo: wrong, _meta: wrong }),
      ).toEqual({ supportedVersions: ['x'], ...nothing });
    }
  });

  it('finds the name of a server in the body as well; the one in _meta comes first', () => {
    const body = { supportedVersions: ['x'], serverInfo: { name: 'body', version: '1' } };
    expect(readDiscovered(body)).toMatchObject({ info: { name: 'body' } });
    expect(
      readDiscovered({ ...body, _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'meta', version: '1' } } }),
    ).toMatchObject({ info: { name: 'meta' } });
    expect(
      readDiscovered({ ...body, _meta: { 'io.modelcontextprotocol/serverInfo': { version: '1' } } }),
    ).toMatchObject({ info: { name: 'body' } });
  });

  it.each([
    {},
    { supportedVersions: [] },
    { supportedVersions: 'x' },
    { supportedVersions: [7] },
    { supportedVersions: null },
    { protocolVersion: '2026-07-28' },
    { tools: [] },
    [],
    null,
    undefined,
    'text',
  ])('reads nothing from what is no DiscoverResult: %j', (raw) => {
    expect(readDiscovered(raw)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(junk, (raw) => void readDiscovered(raw)));
    fc.assert(fc.property(junk, (part) => void readDiscovered({ supportedVersions: ['x'], _meta: part })));
  });
});

describe('supportedOf', () => {
  it.each([
    [{ supported: ['a', 'b'], requested: 'c' }, ['a', 'b']],
    [{ supported: ['a', 7, null, 'b'] }, ['a', 'b']],
    [{ supported: [] }, []],
    [{ supported: 'a' }, []],
    [{}, []],
    [[], []],
    [null, []],
    [undefined, []],
    ['a', []],
  ])('names the versions that can be read in %j', (data, versions) => {
    expect(supportedOf(data)).toEqual(versions);
  });
});
