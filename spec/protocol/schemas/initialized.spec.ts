import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readInitialized } from '../../../src/protocol/schemas/initialized.js';

const junk = fc.oneof(fc.jsonValue(), fc.anything());

describe('readInitialized', () => {
  it('reads all that a server says of itself', () => {
    expect(
      readInitialized({
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true }, logging: {}, experimental: { x: {} } },
        serverInfo: { name: 's', version: '2', title: 'S' },
        instructions: 'be kind',
        extra: 1,
      }),
    ).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, logging: {}, experimental: { x: {} } },
      info: { name: 's', version: '2', title: 'S' },
      instructions: 'be kind',
    });
  });

  it('needs nothing but the version', () => {
    const nothing = { capabilities: {}, info: undefined, instructions: undefined };
    expect(readInitialized({ protocolVersion: 'x' })).toEqual({ protocolVersion: 'x', ...nothing });
    for (const wrong of [null, [], 'text', 7]) {
      expect(
        readInitialized({ protocolVersion: 'x', capabilities: wrong, serverInfo: wrong, instructions: [wrong] }),
      ).toEqual({ protocolVersion: 'x', ...nothing });
    }
  });

  it('leaves out a capability that is no object, and a name that is none', () => {
    const read = readInitialized({
      protocolVersion: 'x',
      capabilities: { tools: true, prompts: {}, resources: null, logging: 'yes' },
      serverInfo: { name: 7, version: '1' },
    });
    expect(read).toMatchObject({ capabilities: { prompts: {} }, info: undefined });
    expect(Object.keys(read?.capabilities ?? {})).toEqual(['prompts']);
  });

  it('gives a server without a version of its own an empty one', () => {
    expect(readInitialized({ protocolVersion: 'x', serverInfo: { name: 's' } })).toMatchObject({
      info: { name: 's', version: '' },
    });
  });

  it.each([{}, { protocolVersion: 7 }, { protocolVersion: null }, null, undefined, 'text', [], [{}]])(
    'reads nothing from what names no version: %j',
    (raw) => {
      expect(readInitialized(raw)).toBeUndefined();
    },
  );

  it('never throws', () => {
    fc.assert(fc.property(junk, (raw) => void readInitialized(raw)));
    fc.assert(fc.property(junk, (part) => void readInitialized({ protocolVersion: 'x', capabilities: part })));
  });
});
